import Determinism
import DeterminismTesting
import Dispatch
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

  @Test func `what was found before a run that cannot be trusted is shown, too`() async throws {
    try await Self.fails(with: { $0.comments.contains { $0.rawValue.contains("; before that: Expectation failed: ") } }) {
      #expect(Simulation.current == nil)
      Task { while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) } }
    }
  }

  @Test func `where seeds fail at several places, each is shown`() async throws {
    let test = try #require(Test.current)
    let comments = Mutex<[String]>([])
    let line = #line
    let collecting = IssueHandlingTrait.compactMapIssues { issue in
      comments.withLock { $0 += issue.comments.map(\.rawValue) }
      return nil
    }
    try await collecting.provideScope(for: test, testCase: nil) {
      try await SimulatedTrait.simulated(seeds: 3..<9).provideScope(for: test, testCase: nil) {
        if Simulation.current?.seed.isMultiple(of: 4) == true { Issue.record("a multiple of four") }
        #expect(Simulation.current == nil)
      }
    }
    let words = "6 of 6 seeds fail, 4 at TraitTests.swift:\(line + 8), 2 at TraitTests.swift:\(line + 7)"
    let found = comments.withLock(\.self)
    #expect(found.contains { $0.contains(words) }, "\(found)")
  }

  @Test(.simulated(seed: 7)) func `an exit test is no escape, and no time passes in it`() async throws {
    let ticks = Task { try await Task.sleep(for: .seconds(3600)) }
    let start = ContinuousClock.now
    await #expect(processExitsWith: .exitCode(3)) {
      try await Task.sleep(for: .milliseconds(20))
      exit(3)
    }
    #expect(start.duration(to: .now) == .zero)
    ticks.cancel()
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

  @Test func `the seed after which there is none fails by itself`() async throws {
    let test = try #require(Test.current)
    try await withKnownIssue {
      try await SimulatedTrait.simulated(seed: .max).provideScope(for: test, testCase: nil) {}
    } matching: {
      "\($0)".contains(".simulated(seed: 18446744073709551615): seeds are below this number")
    }
  }

  /// Calls the trait as the library does, with a body of which it is known that it fails.
  private static func fails(
    _ trait: SimulatedTrait = .simulated(seeds: 3..<9),
    with check: @escaping @Sendable (Issue) -> Bool, _ body: @escaping @Sendable @concurrent () async throws -> Void
  ) async throws {
    let test = try #require(Test.current)
    try await withKnownIssue {
      try await trait.provideScope(for: test, testCase: nil, performing: body)
    } matching: { issue in
      check(issue)
    }
  }

  /// The end of a comment that says how to repeat the seed.
  private static func repetition(_ seed: Int) -> String {
    let name = (Test.current?.name ?? "").replacing("(", with: #"\("#).replacing(")", with: #"\)"#)
    return #". Repeat it: SIMULATED_SEEDS=\#(seed) swift test --filter 'DeterminismTests\.TraitTests/\#(name)'"#
  }

  @Test func `an error that is thrown is shown once, with how many seeds fail`() async throws {
    struct Trouble: Error {}
    let place = try #require(Test.current).sourceLocation
    let comment = "in the simulation of seed 3, the first that fails: 6 of 6 seeds fail" + Self.repetition(3)
    let calls = Atomic(0)
    try await Self.fails(
      with: { issue in
        issue.error is Trouble && issue.sourceLocation == place && issue.comments.map(\.rawValue) == [comment]
      },
      {
        calls.add(1, ordering: .relaxed)
        throw Trouble()
      })
    #expect(calls.load(ordering: .relaxed) == 7, "each seed, and the first once more to be shown")
  }

  @Test func `an expectation that fails is shown once, with how many seeds fail`() async throws {
    let test = try #require(Test.current)
    let found = Mutex<[[String]]>([])
    let catching: IssueHandlingTrait = .compactMapIssues { issue in
      found.withLock { $0.append(issue.comments.map(\.rawValue)) }
      return nil
    }
    try await catching.provideScope(for: test, testCase: nil) {
      try await SimulatedTrait.simulated(seeds: 3..<9).provideScope(for: test, testCase: nil) {
        if try Simulation.required.seed >= 5 { Issue.record("too late") }
      }
    }
    let comment = "in the simulation of seed 5, the first that fails: 4 of 6 seeds fail" + Self.repetition(5)
    #expect(found.withLock { $0 } == [["too late", comment]])
  }

  @Test func `a warning of many seeds is shown once, with its seeds`() async throws {
    let test = try #require(Test.current)
    let line = #line
    for failing in [false, true] {
      let found = Mutex<[(words: [String], line: Int?)]>([])
      let catching: IssueHandlingTrait = .compactMapIssues { issue in
        found.withLock { $0.append((issue.comments.map(\.rawValue), issue.sourceLocation?.line)) }
        return nil
      }
      try await catching.provideScope(for: test, testCase: nil) {
        try await SimulatedTrait.simulated(seeds: 3..<17).provideScope(for: test, testCase: nil) {
          let seed = try Simulation.required.seed
          if seed < 15 { Issue.record("slow", severity: .warning) }
          if seed == 16, failing { Issue.record("too late") }
        }
      }
      let all = found.withLock(\.self)
      let warning = "slow (in the simulations of the seeds 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more)"
      #expect(all.map(\.words[0]) == (failing ? ["too late", warning] : [warning]))
      #expect(all.last?.line == line + 10)
    }
  }

  @Test(.simulated(seed: 7)) func `a test with a seed may be cancelled`() async throws {
    try await Task.sleep(for: .seconds(60))
    try Test.cancel("this fails where the cancellation is taken for an error")
  }

  @Test(.simulated(seeds: 0..<5)) func `a test with seeds may be cancelled`() async throws {
    if try Simulation.required.seed == 2 { try Test.cancel("the others are not run") }
    #expect(try Simulation.required.seed < 2)
  }

  @Test func `a run that cannot be trusted is the last`() async throws {
    let comment = "in the simulation of seed 3; the seeds behind it were not run" + Self.repetition(3)
    try await Self.fails(
      with: { $0.error is SimulationFailure && $0.comments.map(\.rawValue) == [comment] },
      { Task { try await Task.sleep(for: .seconds(1)) } })
  }

  @Test func `what another run of the seed does not find comes from elsewhere`() async throws {
    let calls = Atomic(0)
    try await Self.fails(
      with: { $0.comments.first?.rawValue.hasPrefix("seed 3 failed and, run once more, did not: something of it comes from") == true },
      { if calls.add(1, ordering: .relaxed).newValue == 1 { Issue.record() } })
  }

  @Test func `a seed is one order wherever it is given`() async throws {
    @Sendable nonisolated(nonsending) func order(_ simulation: Simulation) async -> [Int] {
      let order = Order()
      for number in 0..<8 { simulation.task("\(number)") { order.numbers.withLock { $0.append(number) } } }
      await simulation.settle()
      return order.numbers.withLock { $0 }
    }
    let test = try #require(Test.current)
    for seed: UInt64 in 0..<20 {
      let expected = try await simulate(seed: seed) { await order($0) }
      for trait in [SimulatedTrait.simulated(seed: seed), .simulated(seeds: Int(seed)..<Int(seed) + 1)] {
        try await trait.provideScope(for: test, testCase: nil) {
          let found = try await order(Simulation.required)
          #expect(found == expected)
        }
      }
      let byHand = try withSimulation(seed: seed) { simulation in
        let order = Order()
        for number in 0..<8 { simulation.task("\(number)") { order.numbers.withLock { $0.append(number) } } }
        simulation.settle()
        return order.numbers.withLock { $0 }
      }
      #expect(byHand == expected)
      let explored = await explore(seeds: seed..<seed + 1) { simulation in
        let found = await order(simulation)
        if found != expected { throw CancellationError() }
      }
      #expect(explored.failures.isEmpty)
    }
  }

  @Test func `what requires a simulation says so outside of one`() {
    let error = #expect(throws: (any Error).self) { try Simulation.required }
    #expect(
      error.map { "\($0)" }
        == "Simulation.required is outside of a simulation: give the test the trait .simulated(seed: 7), or run it in simulate(seed: 7)")
  }

  @Test func `seeds of the environment are one or a range`() throws {
    #expect(try EnvironmentSeeds.seeds(of: "12") == 12..<13)
    #expect(try EnvironmentSeeds.seeds(of: "4..<7") == 4..<7)
    for wrong in ["", "x", "-1", "7..<7", "4...7", "4..<", "1,2"] {
      let error = #expect(throws: (any Error).self) { try EnvironmentSeeds.seeds(of: wrong) }
      #expect(error.map { "\($0)" } == "SIMULATED_SEEDS=\(wrong): this is a seed, such as 12, or a range, such as 0..<1000")
    }
  }

  enum Endless: CaseIterable, Sendable {
    case sleeps, yields, blocks, computes

    func run() async {
      while true {
        switch self {
        case .sleeps: try? await Task.sleep(for: .seconds(3600))
        case .yields: await Task.yield()
        case .blocks: wait()
        case .computes:
          while Self.mayCompute.load(ordering: .relaxed) {}
          await Task.yield()
        }
      }
    }
    static let mayCompute = Atomic(true)
    private func wait() { DispatchSemaphore(value: 0).wait() }
  }

  @Test(arguments: Endless.allCases)
  func `a body that never ends fails its own test, and the program goes on`(endless: Endless) async throws {
    var limits = SimulationLimits()
    limits.realTime = endless == .blocks || endless == .computes ? .milliseconds(50) : .seconds(60)
    let place = try #require(Test.current).sourceLocation
    // What the body holds must be there for as long as it is anywhere.
    let held = Order()
    try await Self.fails(
      .simulated(seeds: 3..<9, limits: limits),
      with: { issue in
        let words = issue.comments.map(\.rawValue).joined()
        return issue.sourceLocation == place && words.hasPrefix("seed 3, virtual time ")
          && words.hasSuffix("The body of the test did not return: it never runs again, and keeps its memory.")
      },
      {
        await endless.run()
        held.numbers.withLock { $0.append(1) }
      })
    // The job goes on where nobody waits for it any more, and its task no further.
    if endless == .computes { Endless.mayCompute.store(false, ordering: .relaxed) }
    #expect(held.numbers.withLock { $0 }.isEmpty)
  }

  private final class Order: Sendable {
    let numbers = Mutex<[Int]>([])
  }

  @Test(.simulated(seeds: 0..<100)) func `once for each seed, in any order of its tasks`() async throws {
    Self.runs.add(1, ordering: .relaxed)
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
