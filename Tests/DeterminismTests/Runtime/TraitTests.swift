import Determinism
import DeterminismTesting
import Foundation
import Synchronization
import Testing
import XCTest

@MainActor private final class Hours {
  private(set) var count = 0

  func run() {
    Task {
      for _ in 0..<5 {
        try? await Task.sleep(for: .seconds(3600))
        count += 1
      }
    }
  }
}

@Suite struct TraitTests {
  private static let runs = Atomic(0)
  private static let orders = Mutex<Set<[Int]>>([])

  @Test(.simulated(seed: 7)) @MainActor func `a test on the main actor runs in a simulation`() async throws {
    let start = ContinuousClock.now
    let hours = Hours()
    hours.run()
    try await Task.sleep(for: .seconds(18_001))
    #expect(hours.count == 5)
    #expect(start.duration(to: .now) == .seconds(18_001))
    #expect(Simulation.current?.seed == 7)
    #expect(Test.current?.name.contains("main actor runs in a simulation") == true)
  }

  @Test(arguments: [3..<3, -1..<2])
  func `a test without a seed fails by itself`(seeds: Range<Int>) async throws {
    let test = try #require(Test.current)
    let calls = Atomic(0)
    try await withKnownIssue {
      try await SimulatedTrait.simulated(seeds: seeds).provideScope(for: test, testCase: nil) { calls.add(1, ordering: .relaxed) }
    } matching: {
      "\($0)".contains("seeds are one or more numbers from 0 on")
    }
    #expect(calls.load(ordering: .relaxed) == 0)
  }

  @Test(.simulated(seeds: 0..<100)) func `once for each seed, in any order of its tasks`() async throws {
    Self.runs.add(1, ordering: .relaxed)
    final class Order: Sendable {
      let numbers = Mutex<[Int]>([])
    }
    let order = Order()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          try? await Task.sleep(for: .seconds(1))
          order.numbers.withLock { $0.append(number) }
        }
      }
    }
    Self.orders.withLock { _ = $0.insert(order.numbers.withLock { $0 }) }
    guard Simulation.current?.seed == 99 else { return }
    #expect(Self.runs.load(ordering: .relaxed) == 100)
    #expect(Self.orders.withLock { $0.count } > 16)
  }

  @Test(.simulated(seed: 3), arguments: 1...20) func `with arguments`(seconds: Int) async throws {
    try await Task.sleep(for: .seconds(seconds))
    #expect(Simulation.current?.clock.now.offset == .seconds(seconds))
  }

  /// The run's thread may hold what it was given a moment longer: that must not be the body, which does not escape.
  @Test(.simulated(seed: 3), arguments: 1...500) func `the body of a test is given back when its run ends`(number: Int) async {
    #expect(Simulation.current != nil)
  }

  @Test func `outside of a simulation there is none`() async throws {
    #expect(Simulation.current == nil)
    let start = ContinuousClock.now
    try await Task.sleep(for: .milliseconds(2))
    #expect(start.duration(to: .now) >= .milliseconds(2))
  }
}

/// XCTest has the same functions.
final class SimulationXCTests: XCTestCase {
  func testAModelOnTheMainActor() async throws {
    try await simulate(seed: 7) { @MainActor simulation in
      let hours = Hours()
      hours.run()
      await simulation.advance(by: .seconds(3600 * 5))
      XCTAssertEqual(hours.count, 5)
    }
  }

  func testTimeMovedByHand() throws {
    try withSimulation(seed: 7) { simulation in
      MainActor.assumeIsolated {
        let hours = Hours()
        hours.run()
        simulation.advance(by: .seconds(7200))
        XCTAssertEqual(hours.count, 2)
        simulation.run()
        XCTAssertEqual(hours.count, 5)
        XCTAssertNil(simulation.failure)
      }
    }
  }
}
