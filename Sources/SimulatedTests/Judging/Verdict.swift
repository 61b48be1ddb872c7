/// What is known of a test after its runs.
struct Evidence: Equatable, Sendable {
  /// As it is, beside the other tests of the suite.
  var outside: [Run] = []
  /// In simulations, one of each seed, in one process with the other tests.
  var inside: [Run] = []
  // What follows is there only where something failed.
  /// In simulations, in a process of its own for each seed.
  var alone: [Run] = []
  /// In a simulation in which tasks go on as they became runnable.
  var plain: [Run] = []
  /// In a simulation whose order differs from that in as few choices as possible, and which ends otherwise.
  var smallest: Run?
  /// As it is, alone, twice in one process.
  var twice: [Run] = []
}

/// What a test is, with the reason.
struct Verdict: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// Passes as it is and in every simulation.
    case passed = "passes"
    /// What it does is not inside of the process's tasks, or of its clocks.
    case escape = "escapes"
    case clock = "depends on the clock"
    case order = "depends on the order"
    case sharedState = "shares state"
    case broken = "fails everywhere"
    case restless = "never rests"
    case trapped = "ends the process"
    case hung = "hangs"
    case skipped = "is skipped"
    /// It did not run, or not wrapped.
    case unwrapped = "does not run"
  }

  var kind: Kind
  var reason: String

  /// Whether it is something to look at.
  var isFinding: Bool {
    switch kind {
    case .passed, .escape, .skipped, .unwrapped: false
    default: true
    }
  }

  init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }

  init(_ evidence: Evidence) { self = Self.of(evidence) }

  private static func of(_ evidence: Evidence) -> Verdict {
    let (outside, inside) = (evidence.outside, evidence.inside)
    let ran = outside + inside
    guard !ran.isEmpty else { return Verdict(.unwrapped, "no run of it was recorded") }
    // Without a simulation XCTest keeps to itself that a test was skipped.
    if (inside.isEmpty ? ran : inside).allSatisfy({ $0.outcome == .skipped }), !outside.contains(where: \.isBad) {
      return Verdict(.skipped, "")
    }
    let isGoodInside = !inside.isEmpty && !inside.contains(where: \.isBad)
    if !outside.isEmpty, outside.allSatisfy(\.isBad), !isGoodInside {
      return Verdict(.broken, "fails in each of \(outside.count) runs without a simulation: \(outside[0].words.firstLine)")
    }
    if let run = inside.first(where: { $0.outcome == .trapped || $0.outcome == .hung }) {
      return Verdict(run.outcome == .hung ? .hung : .trapped, "in the simulation of seed \(run.seed ?? 0): \(run.words.firstLine)")
    }
    if let run = inside.first(where: { $0.outcome == .reported && $0.kind == "never settles" }) {
      return Verdict(.restless, run.words.firstLine)
    }
    if let run = inside.first(where: { $0.outcome == .reported }) { return Verdict(.escape, "\(run.kind): \(run.words.firstLine)") }
    let failed = inside.filter(\.isBad)
    let failedOutside = outside.filter(\.isBad)
    guard let first = failed.first else {
      guard let one = failedOutside.first else { return Verdict(.passed, "") }
      let share =
        "fails in \(failedOutside.count) of \(outside.count) runs without a simulation, and in none of \(inside.count) simulations"
      // All simulations were in one process, so nothing that it leaves behind matters; how long things take does.
      return Verdict(.clock, "\(share): \(one.words.firstLine)")
    }
    let without = failedOutside.isEmpty ? "" : ", and in \(failedOutside.count) of \(outside.count) runs without a simulation"
    let share = "fails in the simulations of \(failed.count) of \(inside.count) seeds, the first of which is \(first.seed ?? 0)\(without)"
    if !evidence.alone.isEmpty, !evidence.alone.contains(where: \.isBad) {
      return Verdict(.sharedState, "\(share), and passes with each of them in a process of its own: \(first.words.firstLine)")
    }
    if let one = evidence.twice.first, !one.isBad, evidence.twice.contains(where: \.isBad) {
      return Verdict(.sharedState, "\(share), and fails when it runs twice in a process: \(first.words.firstLine)")
    }
    let isPlainGood = !evidence.plain.isEmpty && !evidence.plain.contains(where: \.isBad)
    if failed.count < inside.count || isPlainGood {
      let plain = evidence.plain.isEmpty ? "" : " The plain order \(isPlainGood ? "passes" : "fails")"
      let other = evidence.smallest.map { ", and \(isPlainGood ? "fails" : "passes") where \($0.overtakings)" } ?? ""
      return Verdict(.order, "\(share): \(first.words.firstLine)\(plain)\(plain.isEmpty ? "" : other + ".")")
    }
    return Verdict(.clock, "fails in every simulation, in the plain order, too, and not without: \(first.words.firstLine)")
  }
}

extension Verdict {
  /// The reason; of an escape what left first, without its time, which several tests may have in common.
  var cause: String {
    guard kind == .escape, let first = reason.split(separator: "; ").first else { return reason }
    return String(first.prefix(upTo: first.ranges(of: #/ at [0-9.]+ \w+$/#).first?.lowerBound ?? first.endIndex))
  }
}

extension Run {
  /// Whether it ended with anything but success.
  var isBad: Bool { outcome != .passed && outcome != .skipped }
}

extension String {
  /// What fits into a line.
  var firstLine: String {
    let line = split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return line.count > 240 ? line.prefix(240) + "…" : line
  }
}
