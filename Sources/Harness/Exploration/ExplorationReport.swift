package import Determinism

/// All that is known of an exploration: batches added up, in any order.
package struct ExplorationReport: Hashable, Sendable {
  /// The seeds that were run, as they were added: contiguous runs, in order.
  package private(set) var seeds: [Range<UInt64>] = []
  /// The sum of the hashes of the batches.
  package private(set) var hash: UInt64 = 0
  /// What was reached.
  package private(set) var coverage = Coverage()
  /// For each property that was violated the number of seeds and the lowest of them, in the order of names.
  package var findings: [Finding] { byProperty.sorted { $0.key < $1.key }.map(\.value) }

  private var byProperty: [String: Finding] = [:]

  /// What was found of one property.
  package struct Finding: Hashable, Sendable {
    /// The lowest seeds, at most three, and what they violated.
    package let lowest: [Batch.Finding]
    /// The number of seeds.
    package let count: Int
    /// The lowest seed.
    package var first: Batch.Finding { lowest[0] }
  }

  /// Nothing run.
  package init() {}

  /// The number of seeds that were run.
  package var seedCount: Int { seeds.reduce(0) { $0 + $1.count } }

  /// Adds a batch.
  package mutating func add(_ batch: Batch) {
    hash &+= batch.hash
    coverage.merge(batch.coverage)
    for finding in batch.findings {
      let known = byProperty[finding.violation.property] ?? Finding(lowest: [], count: 0)
      let lowest = (known.lowest + [finding]).sorted { $0.seed < $1.seed }.prefix(3)
      byProperty[finding.violation.property] = Finding(lowest: Array(lowest), count: known.count + 1)
    }
    add(batch.seeds)
  }

  private mutating func add(_ range: Range<UInt64>) {
    let index = seeds.firstIndex { $0.lowerBound > range.lowerBound } ?? seeds.count
    seeds.insert(range, at: index)
    var joined: [Range<UInt64>] = []
    for range in seeds {
      if let last = joined.last, last.upperBound >= range.lowerBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    seeds = joined
  }

  /// What must happen sometimes and never did.
  package var never: [String] { SettingsCoverage.sometimesNames.filter { coverage.sometimes[$0] == nil } }

  /// The findings but for the one that is made on purpose.
  package var violations: [Finding] { findings.filter { $0.first.violation.property != SelfCheck.name } }

  /// Whether the property that is violated on purpose was found.
  package var passedSelfCheck: Bool { byProperty[SelfCheck.name] != nil }
}
