package import Determinism
import WiFi

/// What became of a run of seeds: one line of an exploration's journal.
///
/// Batches are the unit of all that is done piecemeal: a worker runs one at a time, a shard is every n-th of them, a
/// resumed exploration runs those that are missing, and a merge adds them up, in any order.
public struct Batch: Hashable, Sendable {
  /// The seeds.
  package var seeds: Range<UInt64>
  /// The sum of the hashes of all seeds, each mixed with its seed: the order does not matter.
  public var hash: UInt64 = 0
  /// What was violated, with its seed.
  package var findings: [Finding] = []
  /// What was reached.
  package var coverage = Coverage()

  /// A violation and the seed that found it.
  package struct Finding: Hashable, Sendable {
    /// The seed.
    package var seed: UInt64
    /// What was violated.
    package var violation: Violation

    /// Makes a finding of its parts.
    package init(seed: UInt64, violation: Violation) {
      self.seed = seed
      self.violation = violation
    }
  }

  /// A batch of which nothing is known yet.
  package init(seeds: Range<UInt64>) { self.seeds = seeds }

  /// What is asked of a run; anything else that it violates is its own doing, such as to leave the simulation.
  private static let asked = Set(SettingsProperties.names)

  /// Adds the nearest to its cause of what one run violated at one moment: what the run itself did, or else the first.
  ///
  /// What is still at work where a run is stopped is left of it: that is why only where nothing else is.
  package mutating func add(_ violations: [Violation], of seed: UInt64) {
    let own = violations.first { !Self.asked.contains($0.property) && $0.property != Violation.leftAtEnd }
    guard let nearest = own ?? violations.first else { return }
    findings.append(Finding(seed: seed, violation: nearest))
  }

  /// Whether something was found that is not there on purpose.
  package var findsViolation: Bool { findings.contains { $0.violation.property != SelfCheck.name } }

  // MARK: One line of JSON

  /// The line, with its line end.
  package var line: [UInt8] {
    FieldWriter.bytes { fields in
      fields.field("firstSeed", "\(seeds.lowerBound)")
      fields.field("endSeed", "\(seeds.upperBound)")
      fields.field("hash", TraceHash.text(hash))
      fields.objects("findings", findings) { fields, finding in
        fields.field("seed", "\(finding.seed)")
        fields.field("property", finding.violation.property)
        fields.field("sentence", finding.violation.sentence)
        fields.field("timeNs", finding.violation.time.wholeNanoseconds)
      }
      fields.counts("reached", coverage.reached)
      fields.counts("sometimes", coverage.sometimes)
    }
  }

  /// Reads a line; `nil` where it is none, such as one that was cut off when its writer was killed.
  package init?(line: some Collection<UInt8>) {
    guard let line = JSONValue(line), let first = line["firstSeed"]?.text.flatMap({ UInt64($0) }),
      let end = line["endSeed"]?.text.flatMap({ UInt64($0) }), first < end,
      let hash = line["hash"]?.text.flatMap({ UInt64($0, radix: 16) }), let findings = line["findings"]?.items,
      let reached = Self.counts(line["reached"]), let sometimes = Self.counts(line["sometimes"])
    else { return nil }
    seeds = first..<end
    self.hash = hash
    for finding in findings {
      guard let seed = finding["seed"]?.text.flatMap({ UInt64($0) }), let property = finding["property"]?.text,
        let sentence = finding["sentence"]?.text, let time = finding["timeNs"]?.integer
      else { return nil }
      let violation = Violation(property: property, sentence: sentence, time: .nanoseconds(time))
      self.findings.append(Finding(seed: seed, violation: violation))
    }
    coverage.reached = reached
    coverage.sometimes = sometimes
  }

  private static func counts(_ list: JSONValue?) -> [String: Int]? {
    guard let list = list?.items else { return nil }
    var counts: [String: Int] = [:]
    for entry in list {
      guard let what = entry["what"]?.text, let count = entry["count"]?.integer else { return nil }
      counts[what] = count
    }
    return counts
  }
}

extension FieldWriter {
  /// How often each thing was there, by its name.
  mutating func counts(_ name: StaticString, _ counts: [String: Int]) {
    objects(name, counts.sorted { $0.key < $1.key }) { fields, entry in
      fields.field("what", entry.key)
      fields.field("count", entry.value)
    }
  }
}
