#if os(Linux)
  import Determinism
  import Foundation
  import SimulatedSuites
  import Synchronization
  import Testing
  import XCTest

  /// Runs a block on a queue, under a name of XCTest.
  @_silgen_name("$s6XCTest10leaveQueue") @inline(never)
  private func leaveQueue(_ queue: DispatchQueue, _ block: () -> Void) { queue.sync(execute: block) }

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

    @Test func `a queue of XCTest that another thread waits for is left in a simulation`() throws {
      // Nothing else has this class, so that no thread waits for its work.
      let queue = DispatchQueue(label: "as that of XCTest", qos: .background)
      let isIn = Atomic(false)
      let isQueued = Atomic(false)
      let isDone = DispatchSemaphore(value: 0)
      let other = Thread {
        while !isIn.load(ordering: .acquiring) { sched_yield() }
        queue.async { isDone.signal() }
        isQueued.store(true, ordering: .releasing)
      }
      other.start()
      try withSimulation(seed: 7) { _ in
        leaveQueue(queue) {
          isIn.store(true, ordering: .releasing)
          while !isQueued.load(ordering: .acquiring) {}
        }
      }
      #expect(isDone.wait(timeout: .now() + 60) == .success)
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
