import Determinism
import Foundation
import Synchronization

/// What this process does with each test: run it as it is, or in simulations.
///
/// Read from the environment, so that one build does both. Where `SIMULATED_SUITES_RECORD` is not set, tests run as
/// they are and nothing is written.
struct SuiteRun: Sendable {
  /// The file to which each run of a test is appended.
  let record: Int32
  /// The seeds in whose simulations each test runs; `nil` for a run without a simulation.
  let seeds: [UInt64?]
  let orders: SuiteOrders.Mode
  let limits: SimulationLimits
  let isExclusive: Bool

  static let current: SuiteRun? = SuiteRun(ProcessInfo.processInfo.environment)

  init?(_ environment: [String: String]) {
    guard let path = environment["SIMULATED_SUITES_RECORD"] else { return nil }
    let descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return nil }
    record = descriptor
    let bounds = (environment["SIMULATED_SUITES_SEEDS"] ?? "").split(separator: "..<").compactMap { UInt64($0) }
    switch bounds.count {
    case 1: seeds = [bounds[0]]
    case 2 where bounds[0] < bounds[1]: seeds = (bounds[0]..<bounds[1]).map { $0 }
    default: seeds = Array(repeating: nil, count: Int(environment["SIMULATED_SUITES_TIMES"] ?? "") ?? 1)
    }
    orders = environment["SIMULATED_SUITES_ORDER"].flatMap(SuiteOrders.Mode.init) ?? .shuffled
    var limits = SimulationLimits()
    limits.realTime = .seconds(Int(environment["SIMULATED_SUITES_LIMIT"] ?? "") ?? 5)
    // A suite that was not written for simulations leaves tasks behind, as it does without.
    limits.allowed = [.unfinishedTasks]
    // What runs so often without time passing will go on so; a million would take longer than a run may.
    limits.jobsPerInstant = 200_000
    self.limits = limits
    isExclusive = environment["SIMULATED_SUITES_EXCLUSIVE"] != nil
  }

  /// Appends a line in one call, so that those of several threads do not mix.
  func write(_ line: TestLine) {
    let bytes = Array((line.text + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(record, $0.baseAddress, $0.count) }
  }
}

/// A line of the record: that a run of a test began, or how it ended.
package struct TestLine: Sendable {
  /// How a run ended.
  package enum Outcome: String, Sendable {
    case begun, passed, failed, skipped
    /// The simulation reported something, whatever the test found.
    case reported
  }

  package var test: String
  package var seed: UInt64?
  package var order = ""
  package var outcome: Outcome
  /// Which report it is, such as `escaped`.
  package var kind = ""
  /// Seconds of virtual and of real time.
  package var virtual = 0.0
  package var real = 0.0
  package var words = ""
  /// Which task went on before which, where an order was given.
  package var overtakings = ""

  package init(test: String, seed: UInt64?, order: String = "", outcome: Outcome) {
    (self.test, self.seed, self.order, self.outcome) = (test, seed, order, outcome)
  }

  /// Fields with tabs between them; a tab, line feed or backslash in one is escaped.
  package var text: String {
    [
      test, seed.map(String.init) ?? "-", order, outcome.rawValue, kind, String(format: "%.6f", virtual), String(format: "%.6f", real),
      words, overtakings,
    ]
    .map { $0.reduce(into: "") { $0 += ["\\": "\\\\", "\t": "\\t", "\n": "\\n"][$1] ?? String($1) } }.joined(separator: "\t")
  }
}

/// One run of a test: what it records, and how it ends.
final class TestRun: Sendable {
  private let line: Mutex<TestLine>
  private let began = Date()
  private let suite: SuiteRun
  let choices = ChoiceRecord()
  private let overtakings = Mutex<[String]>([])

  init(_ test: String, seed: UInt64?, order: JobOrder, _ suite: SuiteRun) {
    var words = ""
    if case .chosen(let choices) = order { words = choices.map { "\($0.number):\($0.index)" }.joined(separator: ",") }
    let line = TestLine(test: test, seed: seed, order: words, outcome: .begun)
    self.line = Mutex(line)
    self.suite = suite
    suite.write(line)
  }

  /// Records in which order tasks go on in the simulation, which has just begun.
  func follow(_ simulation: Simulation) {
    simulation.record(choices: choices)
    simulation.onOvertaking { [self] words in overtakings.withLock { $0.append(words) } }
  }

  /// Records that an expectation failed, or that something was thrown.
  func fail(_ words: String) {
    line.withLock { line in
      if line.outcome == .begun { (line.outcome, line.words) = (.failed, words) }
    }
  }

  func skip() { line.withLock { $0.outcome = .skipped } }

  /// Records what the simulation reports, which counts for more than what the test found in it.
  func report(_ kind: String, _ words: String) {
    line.withLock { line in
      if line.outcome != .reported { (line.outcome, line.kind, line.words) = (.reported, kind, words) }
    }
  }

  func report(_ failure: SimulationFailure) {
    report(failure.kind, failure.words)
    reached(failure.time)
  }

  /// Records the virtual time.
  func reached(_ time: Duration) {
    line.withLock { $0.virtual = max($0.virtual, time / .seconds(1)) }
  }

  /// Whether the simulation reported something: another seed would have to say the same, and may cost as much.
  var isReported: Bool { line.withLock { $0.outcome == .reported } }
  var isFailed: Bool { line.withLock { $0.outcome == .failed } }

  /// Writes how it ended.
  func end() {
    var line = line.withLock { $0 }
    if line.outcome == .begun { line.outcome = .passed }
    line.overtakings = overtakings.withLock { $0.joined(separator: ", and ") }
    line.real = Date().timeIntervalSince(began)
    suite.write(line)
  }
}

extension SimulationFailure {
  /// What is reported, without advice.
  var words: String {
    guard case .escaped(let escapes) = reason else { return "\(self)" }
    return escapes.map(\.description).joined(separator: "; ")
  }

  /// The kind of the report.
  var kind: String {
    switch reason {
    case .escaped: "escaped"
    case .stalled: "stalled"
    case .timeLimit: "time limit"
    case .neverSettles: "never settles"
    case .realTimeLimit: "real time limit"
    case .blocked: "blocked"
    case .unfinished: "unfinished"
    case .ignoredCancellation: "ignored cancellation"
    case .misused: "misused"
    case .threw: "threw"
    }
  }
}
