import Determinism
import DeterminismTesting
import Synchronization
import Testing

/// Clocks for tests that need no time: one whose sleeps return at once, and one that is not to be used.
@Suite struct ImmediateClockTests {
  private struct Retries {
    var clock: any Clock<Duration>

    func run(_ times: Int) async throws -> Int {
      for number in 0..<times { try await clock.sleep(for: .seconds(1 << number)) }
      return times
    }
  }

  @Test func `sleeps return at once, with the time moved on`() async throws {
    let clock = ImmediateClock()
    #expect(try await Retries(clock: clock).run(12) == 12)
    #expect(clock.now.offset == .seconds(4095))
    try await clock.sleep(until: .init(offset: .seconds(5000)))
    try await clock.sleep(until: .init(offset: .seconds(10)))
    #expect(clock.now.offset == .seconds(5000), "it never goes back")
    try await clock.sleep(for: Duration(attoseconds: .max))
    try await clock.sleep(for: .seconds(1))
    #expect(clock.now.offset.attoseconds == .max)
  }

  @Test func `a sleep of a cancelled task throws, and the time stands`() async {
    let clock = ImmediateClock()
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now.offset == .zero)
  }

  @Test(.simulated(seeds: 0..<20)) func `a task that sleeps without end gives others a turn, and can be cancelled`() async throws {
    let clock = ImmediateClock()
    let count = Mutex(0)
    let task = Task {
      while true {
        try await clock.sleep(for: .seconds(1))
        count.withLock { $0 += 1 }
      }
    }
    while count.withLock({ $0 }) < 10 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now.offset >= .seconds(10))
    #expect(try Simulation.required.clock.now.offset == .zero)
  }

  @Test func `a clock that is not used is no issue`() async throws {
    let model = Retries(clock: UnimplementedClock())
    #expect(try await model.run(0) == 0)
    #expect(model.clock.minimumResolution == Duration(attoseconds: 1))
  }

  enum Use: CaseIterable {
    case now, sleepsUntil, sleepsFor

    func use(_ clock: UnimplementedClock) async throws {
      switch self {
      case .now: _ = clock.now
      case .sleepsUntil: try await clock.sleep(until: .init(offset: .seconds(3)))
      case .sleepsFor: try await clock.sleep(for: .seconds(3))
      }
    }
  }

  @Test(arguments: Use.allCases) func `one that is used fails the test once, where it was made, and nothing hangs`(use: Use) async throws {
    let issues = Mutex<[Issue]>([])
    let test = try #require(Test.current)
    try await IssueHandlingTrait.compactMapIssues({ issue in
      issues.withLock { $0.append(issue) }; return nil
    })
    .provideScope(for: test, testCase: nil) {
      let clock = UnimplementedClock("the delay of a search", sourceLocation: test.sourceLocation)
      for _ in 0..<3 { try await use.use(clock) }
    }
    let found = issues.withLock { $0 }
    #expect(found.count == 1)
    #expect(
      found.first?.comments.map(\.rawValue) == ["the delay of a search was used, and this test expects that it is not."])
    #expect(found.first?.sourceLocation == test.sourceLocation)
  }

  @Test func `in a simulation it fails the test, too`() async throws {
    try await withKnownIssue {
      try await simulate(seed: 7) { _ in _ = try await Retries(clock: UnimplementedClock()).run(2) }
    } matching: {
      $0.comments.first?.rawValue == "a clock was used, and this test expects that it is not."
    }
  }
}
