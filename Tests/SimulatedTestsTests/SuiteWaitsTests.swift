#if os(Linux)
  import Determinism
  import SimulatedSuites
  import Synchronization
  import Testing
  import XCTest

  /// Waiting for expectations of XCTest in a simulation, where its time moves.
  @Suite struct SuiteWaitsTests {
    /// What passes between a test and its waiting.
    private struct Pair: @unchecked Sendable {
      let testCase = SuiteWrappedTestCase(name: "waits") { _ in }
      let expectation = XCTestExpectation(description: "a second later")

      init(isInverted: Bool = false) { expectation.isInverted = isInverted }
    }

    @Test(arguments: [(10.0, true, 1.0), (0.5, false, 0.5)])
    func `a method without async moves the time`(limit: Double, isFulfilled: Bool, seconds: Double) throws {
      let pair = Pair()
      try withSimulation(seed: 7) { simulation in
        let task = Task {
          try await Task.sleep(for: .seconds(1))
          pair.expectation.fulfill()
        }
        #expect(XCTWaiter().wait(for: [pair.expectation], timeout: limit) == (isFulfilled ? .completed : .timedOut))
        #expect(simulation.clock.now.offset == .seconds(seconds))
        task.cancel()
      }
    }

    @Test func `an inverted expectation is waited for to the end`() throws {
      let pair = Pair(isInverted: true)
      try withSimulation(seed: 7) { simulation in
        #expect(XCTWaiter().wait(for: [pair.expectation], timeout: 3600) == .completed)
        #expect(simulation.clock.now.offset == .seconds(3600))
      }
    }

    @Test func `a method with async awaits the time`() async throws {
      let pair = Pair()
      try await simulate(seed: 7) { simulation in
        simulation.task("fulfills") {
          try await Task.sleep(for: .seconds(1))
          pair.expectation.fulfill()
        }
        await pair.testCase.fulfillment(of: [pair.expectation], timeout: 10, enforceOrder: true)
        #expect(simulation.clock.now.offset == .seconds(1))
      }
    }

    @Test func `a teardown is that of XCTest outside of simulations`() {
      let testCase = SuiteWrappedTestCase(name: "waits") { _ in }
      let isOver = Atomic(0)
      SuiteWrappedTestCase.addTeardown(testCase) { isOver.add(1, ordering: .relaxed) }
      testCase.invokeTest()
      #expect(isOver.load(ordering: .relaxed) == 1)
    }

    @Test(.suiteWrapped) func `a wrapped test runs as it is where nothing is recorded`() {
      #expect(Simulation.current == nil)
    }
  }
#endif
