import Determinism
import ScanTools
import Simulator
import WiFi

/// A run of a scenario, described so that a reader understands what went wrong, or that nothing did.
///
/// ``text(isColoured:)`` shows it on a terminal, ``page`` in a browser.
public struct Explanation: Hashable, Sendable {
  /// What the scenario is called.
  public var title: String
  /// Why it is there, where its file says so.
  public var about: String?
  /// Its file.
  public var file: String
  /// Where the networks come from, in words.
  public var source: String
  /// The view that the run goes through.
  public var view = ViewKind.headless
  /// The expectations that were not met, each a sentence perhaps with lines of detail; empty where everything was.
  public var failures: [String]
  /// What happened.
  package var account: RunAccount
  /// The virtual time at the end.
  public var end: Duration
  /// The hash of the trace.
  public var hash: UInt64
  /// Where the run first did something else than another one, where another is known.
  public var difference: FirstDifference?

  /// Where a run first did something else than another one.
  public struct FirstDifference: Hashable, Sendable {
    /// What the other run is, such as `the golden trace`.
    public var other: String
    /// The number of the line of the trace, from 0.
    public var line: Int
    /// What the other run did; `nil` where it had ended.
    public var expected: String?
    /// What this run did; `nil` where it had ended.
    public var actual: String?

    /// Compares two traces; `nil` where they are equal.
    init?(other: String, expected: [String], actual: [String]) {
      guard expected != actual else { return nil }
      let line = zip(expected, actual).prefix { $0 == $1 }.count
      self.other = other
      self.line = line
      self.expected = line < expected.count ? expected[line] : nil
      self.actual = line < actual.count ? actual[line] : nil
    }
  }

  /// Runs a scenario and describes what happens.
  ///
  /// - Parameters:
  ///   - check: the scenario's file.
  ///   - source: another source than the file's; then there is no golden trace to compare with.
  ///   - openAdapter: makes the source of scans of a wireless interface, as in ``ScenarioCheck``.
  /// - Throws: ``ScenarioProblem`` where the file cannot be read or used.
  public init(
    _ check: ScenarioCheck, source: ScenarioSource? = nil,
    openAdapter: @escaping @Sendable (String?, ScenarioDaemon?) throws -> ScenarioAdapter? = { _, _ in nil }
  ) async throws(ScenarioProblem) {
    var scenario = try check.scenario()
    let isJudgedByProperties = scenario.isJudgedByProperties && source == nil
    if let source { scenario.source = source }
    if isJudgedByProperties, let run = SettingsRun(scenario) {
      self = await Explanation(scenario, run)
      return
    }
    let loaded = try LoadedSource(scenario)
    let observer = RunObserver()
    do {
      let outcome = try await ScenarioRun(scenario).run(observer: observer) { try loaded.world(in: $0, nil, openAdapter) }
      self.init(scenario, observer, failures: outcome.failures, end: outcome.end, hash: outcome.hash)
      // What an adapter hears is never the same twice.
      if case .interface = scenario.source { return }
      if source == nil, check.path != "-" { compare(outcome.trace, ScenarioCheck.tracePath(of: check.path)) }
    } catch let problem as ScenarioProblem {
      throw problem
    } catch {
      self.init(scenario, observer, failures: ["\(error)"], end: (error as? SimulationFailure)?.time, hash: 0)
    }
  }

  /// Describes what an observer saw of a run of `scenario`.
  ///
  /// - Parameters:
  ///   - failures: the expectations that were not met, each a sentence perhaps with lines of detail.
  ///   - end: the virtual time at the end; without it that of the last moment.
  ///   - hash: the hash of the trace.
  public init(_ scenario: Scenario, _ observer: RunObserver, failures: [String], end: Duration? = nil, hash: UInt64) {
    title = scenario.name
    about = scenario.about
    file = scenario.file
    source = scenario.source.words + scenario.orderWords
    self.failures = failures
    account = observer.account
    self.end = end ?? account.moments.last?.time ?? .zero
    self.hash = hash
  }

  /// Explains a run that is judged by the safety properties.
  ///
  /// The nearest run that is good is looked for by leaving out or simplifying one thing at a time.
  private init(_ scenario: Scenario, _ run: SettingsRun) async {
    let observer = RunObserver()
    let outcome = await run.run(observer: observer)
    self.init(scenario, observer, failures: Self.failures(outcome.violations), hash: outcome.traceHash)
    guard let property = outcome.violations.first?.property else { return }
    let result = Shrinker(property, run, outcome, limit: 300)
    await result.shrink()
    // Of another run than this one the nearest would be far away.
    if result.run.start == run.start, result.run.actions == run.actions { await compare(outcome.trace, result.nearest) }
  }

  /// Explains a run that an exploration found and shrank, as an observer saw it and with its outcome.
  ///
  /// - Parameter file: the name of its scenario file.
  init(
    _ finding: Batch.Finding, _ result: Shrinker<SettingsSubject, RunPlan>, _ observer: RunObserver, _ outcome: SettingsRun.Outcome,
    file: String
  ) async {
    var scenario = result.run.start.scenario
    scenario.jobs = result.run.order
    scenario.name = finding.violation.property
    let steps = (result.run.steps?.count ?? 0).counted("step")
    scenario.about = "Found with seed \(finding.seed), shrunk to \(steps) in \(Self.tries(result.candidates))."
    scenario.file = file
    self.init(scenario, observer, failures: Self.failures(outcome.violations), hash: outcome.traceHash)
    view = result.run.start.view
    await compare(outcome.trace, result.nearest)
  }

  private static func failures(_ violations: [Violation]) -> [String] {
    violations.map { "What must always hold did not: \($0)." }
  }

  private mutating func compare(_ trace: [String], _ nearest: SettingsRun?) async {
    guard let nearest else { return }
    difference = FirstDifference(
      other: "the nearest good run", expected: await nearest.run(recorder: RunRecorder(keeps: .trace)).trace, actual: trace)
  }

  private mutating func compare(_ trace: [String], _ golden: String) {
    guard let bytes = try? Files.read(golden) else { return }
    difference = FirstDifference(other: "the golden trace", expected: ScenarioCheck.lines(bytes), actual: trace)
    if difference != nil, failures.isEmpty { failures = ["It did something else than its golden trace says."] }
  }

  /// A time to the millisecond, which is as fine as a user reads.
  static func time(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let milliseconds = (attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000
    return VirtualTime.text(.seconds(seconds) + .milliseconds(milliseconds))
  }

  static func tries(_ count: Int) -> String { count == 1 ? "1 try" : "\(count) tries" }

  /// Whether the run first differs in this moment.
  func differs(in moment: RunAccount.Moment) -> Bool {
    guard let line = difference?.line else { return false }
    return moment.events.contains { $0.line == line }
  }

  /// What is said of moments at which nothing came of a scan.
  func quietWords(_ moments: ArraySlice<RunAccount.Moment>) -> String? {
    guard moments.count > 1, let first = moments.first, let last = moments.last, first.isQuiet else { return nil }
    let scans = moments.reduce(0) { $0 + $1.events.count }.counted("scan")
    return "\(scans) from \(Self.time(first.time)) to \(Self.time(last.time)) changed nothing"
  }

  /// How it went, in one line.
  var verdict: String {
    let steps = (account.steps.count - 1).counted("step")
    return "\(failures.isEmpty ? "passed" : "failed"): \(steps) in \(Self.time(end)) of virtual time"
  }
}

extension ViewKind {
  /// The command that checks a scenario through this view.
  func command(_ file: String) -> String { "wifi-harness check \(file)" + (self == .headless ? "" : " --via \(rawValue)") }
}

extension Scenario {
  /// What is said of the order of tasks where it is not the plain one, behind the source; people count from 1.
  fileprivate var orderWords: String {
    let order =
      switch jobs {
      case .inOrder: ""
      case .shuffled: "; tasks go on in any order"
      case .prioritized(let changes): "; tasks go on by priorities, of which \(changes) change"
      case .chosen(let choices):
        "; " + choices.map { "at choice \($0.number + 1) task \($0.index + 1) goes on" }.joined(separator: ", ")
      }
    return order + (races ? "; a user acts amid what else happens" : "")
  }
}

extension ScenarioSource {
  /// Where the networks come from, in words.
  var words: String {
    switch self {
    case .replay(let path, _): return "the recording \(PrintableText.escape(path))"
    case .interface(let name): return "the interface \(name.map { PrintableText.escape($0) } ?? "that can scan")"
    case .simulate(let source):
      var text = "the simulated world \(source.world), seed \(source.seed)"
      if source.world == "preview" { text += source.churns ? ", networks come and go" : ", networks stay" }
      if !source.faults.isEmpty {
        text += "; faults: " + source.faults.map(\.name).joined(separator: ", ")
        if let until = source.faultsUntil { text += " until \(VirtualTime.text(until))" }
      }
      return text
    }
  }
}
