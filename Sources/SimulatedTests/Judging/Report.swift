import Determinism
import Foundation

/// What was found, for people and for build servers.
struct Report {
  var package: String
  var judgement: Judgement

  private func seconds(_ value: Double?) -> String { value.map { String(format: "%.1f s", $0) } ?? "-" }

  var markdown: String {
    let all = judgement.tests
    var lines = ["# \(package) in simulations", ""]
    let tests = all.count == 1 ? "1 test" : "\(all.count) tests"
    let times = judgement.times == 1 ? "once" : "\(judgement.times) times"
    lines.append("\(tests), \(times) as they are, and in simulations of the seeds \(judgement.seeds).")
    lines += ["", "| tests | |", "| ---: | --- |"]
    for kind in Verdict.Kind.allCases where judgement.count(kind) > 0 {
      lines.append("| \(judgement.count(kind)) | \(Self.sentence(kind)) |")
    }
    let virtual = all.map { $0.evidence.inside.map(\.virtual).max() ?? 0 }.reduce(0, +)
    lines += ["", "\(judgement.failOnlyInside) of them fail in a simulation and never without one."]
    lines.append("")
    lines.append(
      "As it is the suite took \(seconds(judgement.secondsOutside)); all seeds together took \(seconds(judgement.secondsInside)).")
    let longest = all.flatMap { $0.evidence.inside.map(\.real) }.max()
    lines.append("Its tests wait for \(seconds(virtual)) of time in all, which is virtual in a simulation.")
    lines.append("The longest simulation took \(seconds(longest)).")
    if judgement.hasFindings {
      lines.append("")
      lines.append("Judge one test again, in one simulation: `simulated-tests PATH --filter NAME --seeds SEED..<END`.")
    }
    for kind in Verdict.Kind.allCases where kind != .passed && judgement.count(kind) > 0 {
      lines += ["", "## \(kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst())", ""]
      lines += Self.list(all.filter { $0.verdict.kind == kind }.map { ($0.name, $0.verdict) })
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A line for each test, or for each reason where several tests have one.
  private static func list(_ tests: [(name: String, verdict: Verdict)]) -> [String] {
    var (reasons, names): ([String], [String: [String]]) = ([], [:])
    for (name, verdict) in tests {
      if names[verdict.cause] == nil { reasons.append(verdict.cause) }
      names[verdict.cause, default: []].append("`\(name)`")
    }
    return reasons.map { reason in
      let names = names[reason] ?? []
      if reason.isEmpty { return names.map { "- \($0)" }.joined(separator: "\n") }
      if names.count == 1 { return "- \(names[0]): \(reason)" }
      return "- \(names.count) tests: \(reason)\n" + names.map { "  - \($0)" }.joined(separator: "\n")
    }
  }

  /// What a kind means.
  static func sentence(_ kind: Verdict.Kind) -> String {
    switch kind {
    case .passed: "pass as they are and in every simulation"
    case .escape: "leave the simulation: for a queue, a thread, a socket or a call that blocks"
    case .clock: "depend on the clock: on how long things take in real time"
    case .order: "depend on the order in which tasks go on, or on something else that a seed draws"
    case .sharedState: "depend on what other tests or an earlier run left behind"
    case .broken: "fail as they are, each time"
    case .restless: "run again and again without waiting for anything"
    case .trapped: "end the process in a simulation"
    case .hung: "do not end in a simulation"
    case .skipped: "are skipped"
    case .unwrapped: "did not run, as they are disabled, or could not be wrapped"
    }
  }

  var junit: String {
    let cases = judgement.tests.map { name, verdict, evidence in
      let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
      let (suite, test) = parts.count == 2 ? (parts[0], parts[1]) : (package, name)
      let (kind, reason) = (verdict.kind.rawValue, verdict.reason)
      let outcome: JUnit.Outcome =
        verdict.isFinding
        ? .failed([reason], kind: kind)
        : verdict.kind == .passed ? .passed : .skipped(kind + (reason.isEmpty ? "" : ": \(reason)"))
      return JUnit.Case(group: suite, name: test, time: .seconds(evidence.inside.map(\.real).reduce(0, +)), outcome)
    }
    return JUnit.xml(cases, suite: package)
  }
}
