import Determinism
import Foundation

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

  static let current: SuiteRun? = SuiteRun(ProcessInfo.processInfo.environment)

  init?(_ environment: [String: String]) {
    guard let path = environment["SIMULATED_SUITES_RECORD"] else { return nil }
    let descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return nil }
    record = descriptor
    if let text = environment["SIMULATED_SUITES_SEEDS"], let range = try? EnvironmentSeeds.seeds(of: text) {
      seeds = range.map { $0 }
    } else {
      seeds = Array(repeating: nil, count: Int(environment["SIMULATED_SUITES_TIMES"] ?? "") ?? 1)
    }
    orders = environment["SIMULATED_SUITES_ORDER"].flatMap(SuiteOrders.Mode.init) ?? .shuffled
    var limits = SimulationLimits()
    limits.realTime = .seconds(5)
    // A suite that was not written for simulations leaves tasks behind, as it does without.
    limits.allowed = [.unfinishedTasks]
    // What runs so often without time passing will go on so; a million would take longer than a run may.
    limits.jobsPerInstant = 200_000
    self.limits = limits
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
