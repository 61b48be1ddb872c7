import Determinism
import WiFi

/// What is reported of an exploration at its end: to people, to programs, to continuous integration.
package struct ExplorationSummary: Sendable {
  /// What is known.
  package let report: ExplorationReport

  /// Summarises a report.
  package init(_ report: ExplorationReport) { self.report = report }

  /// Lines for people.
  package var text: String {
    var lines = [
      "\(report.seedCount) seeds, \(report.violations.count) \(report.violations.count == 1 ? "property" : "properties") violated; "
        + "hash \(TraceHash.text(report.hash))"
    ]
    for finding in report.violations {
      lines.append(
        "  \(finding.first.violation.property): \(finding.count.counted("seed")), "
          + "the first \(finding.first.seed): \(finding.first.violation.sentence.split(separator: "\n").first ?? "")")
    }
    lines.append(
      report.passedSelfCheck
        ? "self-check passed: the planted failure was detected" : "self-check failed: no network was ever joined")
    lines += table
    if !report.never.isEmpty { lines.append("never: \(report.never.joined(separator: "; "))") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// States against actions, counts over all faults, then how often each fault was in force.
  private var table: [String] {
    var lines: [String] = []
    var (counts, faults, changes): ([String: Int], [String: Int], [String: Int]) = ([:], [:], [:])
    for (key, count) in report.coverage.reached {
      switch SettingsCoverage.Reached(key) {
      case .step(let state, let action, let fault):
        counts["\(state) · \(action)", default: 0] += count
        faults[fault, default: 0] += count
      case .change: changes[key] = count
      case nil: break
      }
    }
    func addSeldom(_ counts: [String: Int]) {
      let seldom = counts.filter { $0.value < Self.seldomCount }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      if !seldom.isEmpty { lines.append("fewer than \(Self.seldomCount) times: " + seldom.joined(separator: ", ")) }
    }
    let actions = SettingsCoverage.actions.filter { action in SettingsCoverage.states.contains { counts["\($0) · \(action)"] != nil } }
    let width = actions.map(\.count).max() ?? 0
    lines += ["", "actions by state:"]
    func addTable(_ states: [String]) {
      lines.append(String(repeating: " ", count: width + 2) + states.map { Self.padded($0, 15) }.joined(separator: " "))
      for action in actions where states.contains(where: { counts["\($0) · \(action)"] != nil }) {
        let cells = states.map { Self.padded(counts["\($0) · \(action)"].map(String.init) ?? "-", 15) }
        lines.append("  " + action + String(repeating: " ", count: width - action.count) + cells.joined(separator: " "))
      }
    }
    addTable(SettingsCoverage.statesOfNetworks)
    addTable(SettingsCoverage.statesOfKnownNetworks)
    let never = SettingsCoverage.actions.filter { !actions.contains($0) }
    if !never.isEmpty { lines.append("never done: \(never.joined(separator: ", "))") }
    addSeldom(counts)
    let states = SettingsCoverage.states.count
    lines += ["", "changes of state: \(changes.count) of \(states * (states - 1)) pairs"]
    addSeldom(changes)
    lines.append("")
    lines.append("steps under faults: " + faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    lines.append(
      "sometimes: "
        + SettingsCoverage.sometimesNames.compactMap { name in report.coverage.sometimes[name].map { "\(name) \($0)" } }
        .joined(separator: ", "))
    return lines
  }

  /// What was reached less often says nothing.
  private static let seldomCount = 10

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// The same as JSON, schema `wifi-harness/exploration-report/1`.
  package var json: [UInt8] {
    FieldWriter.bytes(.prettyJSON) { fields in
      fields.field("schema", "wifi-harness/exploration-report/1")
      fields.field("seedCount", report.seedCount)
      fields.objects("seeds", report.seeds) { fields, range in
        fields.field("firstSeed", "\(range.lowerBound)")
        fields.field("endSeed", "\(range.upperBound)")
      }
      fields.field("hash", TraceHash.text(report.hash))
      fields.field("passedSelfCheck", report.passedSelfCheck)
      fields.objects("findings", report.violations) { fields, finding in
        fields.field("property", finding.first.violation.property)
        fields.field("seedCount", finding.count)
        fields.field("firstSeed", "\(finding.first.seed)")
        fields.field("sentence", finding.first.violation.sentence)
      }
      let reached = report.coverage.reached.sorted { $0.key < $1.key }
      fields.array("reached", reached) { fields, entry in
        guard case .step(let state, let action, let fault) = SettingsCoverage.Reached(entry.key) else { return }
        fields.object { fields in
          fields.field("state", state)
          fields.field("action", action)
          fields.field("fault", fault)
          fields.field("count", entry.value)
        }
      }
      fields.array("changes", reached) { fields, entry in
        guard case .change(let before, let now) = SettingsCoverage.Reached(entry.key) else { return }
        fields.object { fields in
          fields.field("from", before)
          fields.field("to", now)
          fields.field("count", entry.value)
        }
      }
      fields.counts("sometimes", report.coverage.sometimes)
      fields.field("never", report.never)
    }
  }

  /// The same as JUnit XML, a test case for each property.
  package var junit: String {
    var names = SettingsProperties.names + [SettingsProperties.endedObservation, Violation.sameRunTwice]
    for finding in report.violations where !names.contains(finding.first.violation.property) {
      names.append(finding.first.violation.property)
    }
    var results = names.map { CheckResult(name: $0, file: "explore", verdict: .passed) }
    for finding in report.violations {
      guard let index = names.firstIndex(of: finding.first.violation.property) else { continue }
      let violation = finding.first.violation
      results[index].verdict = .failed([
        "\(finding.count.counted("seed")), the first \(finding.first.seed), "
          + "at \(VirtualTime.text(violation.time)): \(violation.sentence)"
      ])
    }
    var selfCheck = CheckResult(name: SelfCheck.name, file: "explore", verdict: .passed)
    if failsSelfCheck {
      selfCheck.verdict = .failed(["no network was ever joined in \(report.seedCount) seeds, so the search finds nothing"])
    }
    return JUnitReport.xml(results + [selfCheck], suite: "wifi-harness explore")
  }

  /// Whether what is violated on purpose was not found in so many seeds that it should have been.
  package var failsSelfCheck: Bool { !report.passedSelfCheck && report.seedCount >= 64 }

  /// The same for the page of a pull request.
  package var markdown: String {
    var lines = [
      "## wifi-harness explore", "",
      "\(report.seedCount) seeds, hash `\(TraceHash.text(report.hash))`, selfCheck \(report.passedSelfCheck ? "found" : "**not found**").",
      "",
    ]
    if report.violations.isEmpty {
      lines.append("Nothing was found.")
    } else {
      lines += ["| property | seeds | first | what |", "| --- | ---: | ---: | --- |"]
      for finding in report.violations {
        let sentence = finding.first.violation.sentence.split(separator: "\n").first ?? ""
        let cells = [finding.first.violation.property, "\(finding.count)", "\(finding.first.seed)", String(sentence)]
        lines.append("| \(cells.map(MarkdownText.cell).joined(separator: " | ")) |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
