import CDeterminism
public import Determinism
import Synchronization
public import Testing

/// Runs each test that has it inside of a simulation; see ``Testing/Trait/simulated(seed:order:limits:exclusive:)``.
public struct SimulatedTrait: TestTrait, SuiteTrait, TestScoping {
  let seeds: Range<UInt64>
  let order: JobOrder
  let limits: SimulationLimits
  let isExclusive: Bool
  /// Why the test cannot run.
  var problem: String?

  /// It is for each test of a suite, not for the suite as a whole.
  public var isRecursive: Bool { true }

  /// Runs the body of a test in a simulation, once for each seed.
  ///
  /// What the first seed that fails records is recorded once, with how many others fail, and how to repeat it. A
  /// warning is recorded once, with the seeds that have it.
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
      lease.begin()
      defer { lease.end() }
      let seeds = try EnvironmentSeeds.seeds() ?? seeds
      guard seeds.count > 1 else {
        for seed in seeds { _ = try await show(seed, "in the simulation of seed \(seed)", test, testCase, lease) }
        return
      }
      var failed: [(seed: UInt64, place: String)] = []
      let warnings = Warnings()
      defer { warnings.record() }
      for seed in seeds {
        let found = Mutex<[(issue: String, place: String)]>([])
        let error = await run(seed, test, testCase, lease) { issue in
          if !issue.isFailure { return warnings.take(issue, seed) ? nil : issue }
          let place = issue.sourceLocation.map { " at \($0.fileName):\($0.line)" } ?? ""
          found.withLock { $0.append(("\(issue)", place)) }
          return nil
        }
        if let error, Self.isCancelled(error) { throw error }
        // A run that cannot be trusted may end otherwise when it is run again, and the others may cost as much.
        if let error, lease.isUsed || error is CancellationError || error is SimulationFailure {
          let issues = found.withLock(\.self)
          let more = issues.count > 3 ? ", and \(issues.count - 3) more" : ""
          let some = issues.prefix(3).map { $0.issue + $0.place }.joined(separator: "; ")
          let before = issues.isEmpty ? "" : "; before that: \(some)\(more)"
          let words = "in the simulation of seed \(seed)\(before); the seeds behind it were not run"
          return try report(error, Self.comment(words, test, seed), test, lease)
        }
        let first = found.withLock { $0.first }
        if error != nil || first != nil { failed.append((seed, first?.place ?? " with an error")) }
      }
      guard let first = failed.first?.seed else { return }
      let others = "\(failed.count) of \(seeds.count) seeds fail" + Self.places(failed.map(\.place))
      let words = "in the simulation of seed \(first), the first that fails: \(others)"
      if try await show(first, words, test, testCase, lease, areWarningsKnown: true) { return }
      let sentence =
        "seed \(first) failed and, run once more, did not: something of it comes from elsewhere, such as an order of "
        + "addresses (ObjectIdentifier) or what an earlier run left in a global"
      Issue.record(Self.comment(sentence, test, first), sourceLocation: test.sourceLocation)
    }
  }

  /// Where seeds fail first, and how many there; nothing where that is one place.
  private static func places(_ all: [String]) -> String {
    let counts = Dictionary(grouping: all) { $0 }.mapValues(\.count).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return counts.count == 1 ? "" : ", " + counts.prefix(5).map { "\($0.value)\($0.key)" }.joined(separator: ", ")
  }

  /// Runs the body with one seed, and records what it finds, with a comment; whether it finds anything.
  private func show(
    _ seed: UInt64, _ words: String, _ test: Test, _ testCase: Test.Case?, _ lease: Lease, areWarningsKnown: Bool = false
  ) async throws -> Bool {
    let comment = Self.comment(words, test, seed)
    let count = Atomic(0)
    let error = await run(seed, test, testCase, lease) { issue in
      if areWarningsKnown, issue.severity == .warning { return nil }
      var issue = issue
      issue.comments.append(comment)
      if issue.isFailure { count.add(1, ordering: .relaxed) }
      return issue
    }
    if let error { try report(error, comment, test, lease) }
    return error != nil || count.load(ordering: .relaxed) > 0
  }

  private func report(_ error: any Error, _ comment: Comment, _ test: Test, _ lease: Lease) throws {
    if lease.isUsed {
      // A body that continues forever is where the run left it, and stays there.
      lease.abandon()
      let words = "\(error) The body of the test did not return: it never runs again, and keeps its memory."
      Issue.record("\(words)", sourceLocation: test.sourceLocation)
      return
    }
    // What an expectation records is recorded.
    if error is ExpectationFailedError || Self.isCancelled(error) { throw error }
    Issue.record(error, comment, sourceLocation: test.sourceLocation)
  }

  /// Whether a test is cancelled by an error: that of `Test.cancel` has no public type.
  private static func isCancelled(_ error: any Error) -> Bool {
    error is CancellationError || String(reflecting: type(of: error)) == "Testing.SkipInfo"
  }

  /// Runs the body in the simulation of one seed; what it threw.
  private func run(
    _ seed: UInt64, _ test: Test, _ testCase: Test.Case?, _ lease: Lease, _ handle: @escaping @Sendable (Issue) -> Issue?
  ) async -> (any Error)? {
    do {
      try await IssueHandlingTrait.compactMapIssues(handle).provideScope(for: test, testCase: testCase) {
        try await VirtualExecutor.$repetition.withValue(Self.repetition(test, seed)) {
          try await simulate(seed: seed, order: order, limits: limits, exclusive: isExclusive) { try await lease.call($0) }
        }
      }
      return nil
    } catch {
      return error
    }
  }

  /// What is said of a seed, with the command that runs the test with it alone.
  private static func comment(_ words: String, _ test: Test, _ seed: UInt64) -> Comment {
    Comment(rawValue: "\(words). \(repetition(test, seed))")
  }

  /// How to run the test again with a seed.
  private static func repetition(_ test: Test, _ seed: UInt64) -> String {
    // The name of a test, behind which its place in the source follows.
    EnvironmentSeeds.repetition(of: "\(test.id)".split(separator: "/").dropLast().joined(separator: "/"), seed: seed)
  }
}

/// The warnings of the runs of a test.
private final class Warnings: Sendable {
  private struct Warning {
    var words: String
    var location: SourceLocation?
    var seeds: [UInt64]
  }

  private let all = Mutex<[Warning]>([])

  /// Keeps an issue that is a warning; false of any other.
  func take(_ issue: Issue, _ seed: UInt64) -> Bool {
    guard issue.severity == .warning else { return false }
    let words = issue.comments.isEmpty ? "\(issue)" : issue.comments.map(\.rawValue).joined(separator: "; ")
    all.withLock { all in
      if let index = all.firstIndex(where: { $0.words == words && $0.location == issue.sourceLocation }) {
        if all[index].seeds.last != seed { all[index].seeds.append(seed) }
      } else {
        all.append(Warning(words: words, location: issue.sourceLocation, seeds: [seed]))
      }
    }
    return true
  }

  /// Records each, once.
  func record() {
    for warning in all.withLock(\.self) {
      let seeds = warning.seeds.prefix(10).map(String.init).joined(separator: ", ")
      let more = warning.seeds.count > 10 ? " and \(warning.seeds.count - 10) more" : ""
      let comment = Comment(rawValue: "\(warning.words) (in the simulations of the seeds \(seeds)\(more))")
      if let location = warning.location {
        Issue.record(comment, severity: .warning, sourceLocation: location)
      } else {
        Issue.record(comment, severity: .warning)
      }
    }
  }
}

/// The body of a test, for as long as it may be called.
private final class Lease: Sendable {
  typealias Body = @concurrent @Sendable () async throws -> Void

  /// In a structure of its own, so that nothing is put around it.
  private struct Held {
    let body: Body
  }

  private let held: Mutex<Held?>
  private let count = Atomic(0)
  /// Where the context of the body is, and how often it is retained where nothing calls it.
  private let context: UInt
  private let retains = Atomic(0)

  init(_ body: @escaping Body) {
    // A closure is two words, the function and its context.
    context = unsafe unsafeBitCast(Held(body: body), to: (UInt, UInt).self).1
    held = Mutex(Held(body: body))
  }

  func call(_ simulation: Simulation) async throws {
    guard let held = held.withLock({ $0 }) else { return }
    count.add(1, ordering: .acquiringAndReleasing)
    defer { count.subtract(1, ordering: .acquiringAndReleasing) }
    // Not even the body may be released by a call that comes back after all, to a thread that was given up.
    defer { withExtendedLifetime(held) { simulation.stayIfGivenUp() } }
    try await held.body()
  }

  /// Whether some call has not returned.
  var isUsed: Bool { count.load(ordering: .acquiring) > 0 }

  func end() { held.withLock { $0 = nil } }

  // MARK: Calls that never return
  //
  // Each holds the body, and its caller asserts that nothing holds it when the test ends. They never run again, nor
  // release it.

  private var retainCount: Int {
    unsafe UnsafeMutableRawPointer(bitPattern: context).map { unsafe Int(determinism_retain_count($0)) } ?? 0
  }

  /// Called before the first call.
  func begin() { retains.store(retainCount, ordering: .releasing) }

  /// Lets go of the body in the place of calls that never will; called where `begin` was.
  func abandon() {
    guard let context = unsafe UnsafeMutableRawPointer(bitPattern: context) else { return }
    for _ in 0..<max(0, retainCount - retains.load(ordering: .acquiring)) { unsafe determinism_release(context) }
  }
}

extension Trait where Self == SimulatedTrait {
  /// Runs the test inside of a simulation, which is `Simulation.current` in it.
  ///
  ///     @Test(.simulated(seed: 7)) @MainActor func counts() async throws {
  ///       let model = StopwatchModel()
  ///       model.startButtonTapped()
  ///       try await Simulation.required.advance(by: .seconds(3))
  ///       #expect(model.seconds == 3)
  ///       model.stopButtonTapped()
  ///     }
  ///
  /// Whatever the body awaits moves the time, too: `try await Task.sleep(for: .seconds(3600))` takes no time, where
  /// clocks are virtual (``Determinism/SimulationSupport``).
  ///
  /// - Parameters:
  ///   - seed: what everything random is drawn from.
  ///   - order: the order in which tasks go on, where several could; by default the one that the seed has everywhere.
  ///   - limits: how far the run may go.
  ///   - exclusive: whether no other simulation goes on meanwhile, in this suite or another, as for tests that share an
  ///     actor.
  public static func simulated(
    seed: UInt64, order: JobOrder = .shuffled, limits: SimulationLimits = SimulationLimits(), exclusive: Bool = false
  ) -> Self {
    let problem = seed == .max ? ".simulated(seed: \(seed)): seeds are below this number" : nil
    let seed = min(seed, .max - 1)
    return SimulatedTrait(seeds: seed..<seed + 1, order: order, limits: limits, isExclusive: exclusive, problem: problem)
  }

  /// Runs the test inside of a simulation once for each seed, by default in another order of its tasks each time.
  ///
  /// What the first seed that fails records is recorded once, with how many seeds fail and a command that repeats it.
  /// The variable `SIMULATED_SEEDS` of the environment gives other seeds: `12`, or `0..<1000`. Ends with the first seed
  /// whose run cannot be trusted.
  ///
  /// - Parameters:
  ///   - seeds: `Int`, because the macro `@Test` does not accept literals of another range. Where there is none, or one
  ///     is negative, the test fails.
  ///   - order: the order in which tasks go on, where several could.
  ///   - limits: how far each run may go.
  ///   - exclusive: whether no other simulation goes on during a run.
  public static func simulated(
    seeds: Range<Int>, order: JobOrder = .shuffled, limits: SimulationLimits = SimulationLimits(), exclusive: Bool = false
  ) -> Self {
    if seeds.isEmpty || seeds.lowerBound < 0 {
      let problem = ".simulated(seeds: \(seeds)): seeds are one or more numbers from 0 on"
      return SimulatedTrait(seeds: 0..<1, order: order, limits: limits, isExclusive: exclusive, problem: problem)
    }
    return SimulatedTrait(
      seeds: UInt64(seeds.lowerBound)..<UInt64(seeds.upperBound), order: order, limits: limits, isExclusive: exclusive)
  }
}
