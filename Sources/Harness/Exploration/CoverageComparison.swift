import Determinism

/// What one exploration reached and another did not, and what it reached much more often, or less.
package struct CoverageComparison: Sendable {
  /// Counts of one exploration.
  private struct Counts {
    var byName: [String: Int] = [:]
    var seeds: Int

    init(_ report: ExplorationReport) {
      seeds = report.seedCount
      for (key, count) in report.coverage.reached {
        // Which fault was in force makes too many to be read.
        var name = key
        if case .step(let state, let action, _) = SettingsCoverage.Reached(key) { name = "\(state) · \(action)" }
        byName[name, default: 0] += count
      }
      byName.merge(report.coverage.sometimes, uniquingKeysWith: +)
    }

    /// How often in ten thousand runs, in tenths.
    func rate(of name: String) -> Int { (byName[name] ?? 0) * 100_000 / max(seeds, 1) }
  }

  private let before: Counts
  private let after: Counts

  /// Compares an exploration with an earlier one.
  package init(_ before: ExplorationReport, _ after: ExplorationReport) {
    self.before = Counts(before)
    self.after = Counts(after)
  }

  private var names: [String] { Set(before.byName.keys).union(after.byName.keys).sorted() }

  /// What the earlier exploration reached and the later one did not.
  package var gone: [String] { names.filter { after.byName[$0] == nil } }

  /// Lines for people: counts of ten thousand seeds, a run each, before and after.
  package var text: String {
    var lines = ["\(before.seeds) seeds before, \(after.seeds) after; counts are those of 10,000 seeds"]
    add("reached for the first time", names.filter { before.byName[$0] == nil }, to: &lines)
    add("not reached any more", gone, to: &lines)
    let both = names.filter { before.byName[$0] != nil && after.byName[$0] != nil }
    add("at least twice as often", both.filter { after.rate(of: $0) >= 2 * before.rate(of: $0) }, to: &lines)
    add("at most half as often", both.filter { 2 * after.rate(of: $0) <= before.rate(of: $0) }, to: &lines)
    if lines.count == 1 { lines.append("nothing is reached much more often, or less") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func add(_ title: String, _ names: [String], to lines: inout [String]) {
    guard !names.isEmpty else { return }
    lines.append("\(title):")
    for name in names { lines.append("  \(name): \(Self.text(before.rate(of: name))) → \(Self.text(after.rate(of: name)))") }
  }

  /// A count in tenths, with its decimal place where it is below ten.
  private static func text(_ tenths: Int) -> String {
    tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)"
  }
}
