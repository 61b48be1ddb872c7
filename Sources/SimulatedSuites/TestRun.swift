import Determinism
import Foundation
import Synchronization

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
