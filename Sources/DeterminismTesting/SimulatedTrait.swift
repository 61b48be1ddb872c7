public import Determinism
import Synchronization
public import Testing

/// Runs each test that has it inside of a simulation; see ``Testing/Trait/simulated(seed:scheduling:limits:)``.
public struct SimulatedTrait: TestTrait, SuiteTrait, TestScoping {
  let seeds: Range<UInt64>
  let order: JobOrder
  let limits: SimulationLimits
  /// Why the test cannot run.
  var problem: String?

  /// It is for each test of a suite, not for the suite as a whole.
  public var isRecursive: Bool { true }

  /// Runs the body of a test in a simulation, once for each seed, and adds the seed to what it records.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    if let problem {
      Issue.record("\(problem)", sourceLocation: test.sourceLocation)
      return
    }
    // Called before this returns, so it escapes only in name.
    try await withoutActuallyEscaping(function) { function in
      // What a run holds may live a moment longer than the run, on its thread; so runs hold the lease, which ends here.
      let lease = Lease(function)
      defer { lease.end() }
      for seed in seeds where !lease.isOver {
        let note: IssueHandlingTrait = .compactMapIssues { issue in
          var issue = issue
          issue.comments.append("in the simulation of seed \(seed)")
          return issue
        }
        let scheduling = order.scheduling(seed: seed)
        try await note.provideScope(for: test, testCase: testCase) {
          do {
            try await simulate(seed: seed, scheduling: scheduling, limits: limits) { _ in try await lease.call() }
          } catch {
            // A body that runs or waits for ever cannot be given back.
            if lease.isUsed { fatalError("\(test.name): \(error); the body has not returned, so the test cannot end") }
            // What is recorded says its seed by itself, and so does a failure of the simulation.
            if error is SimulationFailure || error is ExpectationFailedError || error is CancellationError { throw error }
            lease.end()
            Issue.record(error, "in the simulation of seed \(seed)")
          }
        }
      }
    }
  }
}

/// The body of a test, for as long as it may be called.
private final class Lease: Sendable {
  typealias Body = @concurrent @Sendable () async throws -> Void

  private let body: Mutex<Body?>
  private let count = Atomic(0)

  init(_ body: @escaping Body) { self.body = Mutex(body) }

  func call() async throws {
    guard let body = body.withLock({ $0 }) else { return }
    count.add(1, ordering: .acquiringAndReleasing)
    defer { count.subtract(1, ordering: .acquiringAndReleasing) }
    try await body()
  }

  var isOver: Bool { body.withLock { $0 == nil } }
  /// Whether some call has not returned.
  var isUsed: Bool { count.load(ordering: .acquiring) > 0 }

  func end() { body.withLock { $0 = nil } }
}

extension Trait where Self == SimulatedTrait {
  /// Runs the test inside of a simulation, which is `Simulation.current` in it.
  ///
  ///     @Test(.simulated(seed: 7)) @MainActor func counts() async throws {
  ///       let model = StopwatchModel()
  ///       model.startButtonTapped()
  ///       await Simulation.current?.advance(by: .seconds(3))
  ///       #expect(model.seconds == 3)
  ///       model.stopButtonTapped()
  ///     }
  ///
  /// Whatever the body awaits moves the time, too: `try await Task.sleep(for: .seconds(3600))` takes no time, where clocks are
  /// virtual (``Determinism/SimulationSupport``).
  ///
  /// - Parameters:
  ///   - seed: what everything random is drawn from.
  ///   - order: the order in which tasks go on, where several could.
  ///   - limits: how far the run may go.
  public static func simulated(
    seed: UInt64, order: JobOrder = .inOrder, limits: SimulationLimits = SimulationLimits()
  ) -> Self {
    SimulatedTrait(seeds: seed..<seed + 1, order: order, limits: limits)
  }

  /// Runs the test inside of a simulation once for each seed, by default in another order of its tasks each time.
  ///
  /// Ends with the first seed that throws; an expectation that fails says its seed.
  ///
  /// - Parameter seeds: `Int`, because the macro `@Test` does not accept literals of another range.
  ///   Where there is none, or one is negative, the test fails.
  public static func simulated(
    seeds: Range<Int>, order: JobOrder = .shuffled, limits: SimulationLimits = SimulationLimits()
  ) -> Self {
    if seeds.isEmpty || seeds.lowerBound < 0 {
      let problem = ".simulated(seeds: \(seeds)): seeds are one or more numbers from 0 on"
      return SimulatedTrait(seeds: 0..<1, order: order, limits: limits, problem: problem)
    }
    return SimulatedTrait(seeds: UInt64(seeds.lowerBound)..<UInt64(seeds.upperBound), order: order, limits: limits)
  }
}
