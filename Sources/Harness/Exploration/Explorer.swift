import Determinism
import Models
public import WiFi

/// Looks for trouble by itself: tells the runs of many seeds, each twice, and holds them against what must hold.
public struct Explorer: Sendable {
  /// The worlds to choose among.
  public var worlds: [String]
  /// How long each run goes on, in virtual time.
  public var length: Duration
  /// How many access points there are when a run begins; `nil` is a few, drawn from the seed.
  public var accessPoints: Int?
  /// The simulated daemon that joins in worlds with a kernel; `nil` joins without one.
  public var daemon: JoinDaemon?
  /// Whether networks are known, and the user adds, edits, copies and forgets them, too.
  public var drawsKnownNetworks = false
  /// The view that user input goes through; what is found and the hash are the same through each.
  public var view = ViewKind.headless
  /// Whether each seed is run twice, which must give the same.
  public var runsTwice: Bool

  /// Looks in these worlds.
  public init(
    worlds: [String] = ["preview", "still", "home"], length: Duration = .seconds(75), accessPoints: Int? = nil,
    runsTwice: Bool = true
  ) {
    self.worlds = worlds
    self.length = length
    self.accessPoints = accessPoints
    self.runsTwice = runsTwice
  }

  /// The name of the property that is violated on purpose: that every exploration finds it shows that it can find anything.
  public static let selfCheck = SelfCheck.name

  static var properties: [SettingsProperty] { SettingsProperties.safety }

  /// The run of a seed.
  public func run(of seed: UInt64) -> SettingsRun {
    var run = SettingsRun(
      RunPlan(
        seed: seed, worlds: worlds, length: length, accessPoints: accessPoints, daemon: daemon, drawsKnownNetworks: drawsKnownNetworks))
    run.view = view
    return run
  }

  /// Tells the runs of a batch of seeds, one after the other, and each once more.
  public func explore(_ seeds: Range<UInt64>) async -> Batch { await explore(seeds, second: self) }

  /// Tells the runs of a batch of seeds, one after the other, and lets another tell them once more.
  ///
  /// - Throws: what keeps the other from record.
  public func explore<Second: SecondRunner>(
    _ seeds: Range<UInt64>, second: Second
  ) async throws(Second.Failure) -> Batch {
    var batch = Batch(seeds: seeds)
    var digests: [UInt64] = []
    var violating: [UInt64] = []
    for seed in seeds {
      let outcome = await run(of: seed).run()
      batch.coverage.merge(outcome.coverage)
      batch.hash &+= TraceHash.mixed(seed, outcome.hash)
      for violation in outcome.violations { batch.findings.append(.init(seed: seed, violation: violation)) }
      if !outcome.violations.isEmpty { violating.append(seed) }
      if outcome.coverage.sometimes[SelfCheck.what] != nil {
        batch.findings.append(.init(seed: seed, violation: SelfCheck.violation))
      }
      if runsTwice { digests.append(outcome.digest) }
    }
    guard runsTwice else { return batch }
    let others = try await second.digests(of: seeds, judging: violating)
    precondition(others.count == seeds.count, "Explorer: \(others.count) digests of \(seeds)")
    let differing = zip(seeds, zip(digests, others)).filter { $0.1.0 != $0.1.1 }.map(\.0)
    for seed in differing {
      // A report tells of the first only.
      let violation =
        seed == differing[0]
        ? try await violation(seed, second)
        : Violation(property: Violation.sameRunTwice, sentence: "two runs had different hashes", time: .zero)
      batch.findings.append(.init(seed: seed, violation: violation))
    }
    return batch
  }
}

/// What is violated on purpose.
public enum SelfCheck {
  /// The name of the property.
  public static let name = "self-check: no network is ever joined"
  static let what = "a network was joined"
  static let violation = Violation(property: name, sentence: "a network was joined, as it should be", time: .zero)
}

/// All that is known of an exploration: batches added up, in any order.
public struct ExplorationReport: Hashable, Sendable {
  /// The seeds that were told, as they were added: contiguous runs, in order.
  public private(set) var seeds: [Range<UInt64>] = []
  /// The sum of the hashes of the batches.
  public private(set) var hash: UInt64 = 0
  /// What was reached.
  public private(set) var coverage = Coverage()
  /// For each property that was violated the number of seeds and the lowest of them, in the order of names.
  public var findings: [Finding] { byProperty.sorted { $0.key < $1.key }.map(\.value) }

  private var byProperty: [String: Finding] = [:]

  /// What was found of one property.
  public struct Finding: Hashable, Sendable {
    /// The lowest seed, and what it violated.
    public var first: Batch.Finding
    /// The number of seeds.
    public var count: Int
  }

  /// Nothing told.
  public init() {}

  /// The number of seeds that were told.
  public var seedCount: Int { seeds.reduce(0) { $0 + $1.count } }

  /// Adds a batch.
  public mutating func add(_ batch: Batch) {
    hash &+= batch.hash
    coverage.merge(batch.coverage)
    for finding in batch.findings { add(Finding(first: finding, count: 1)) }
    add(batch.seeds)
  }

  private mutating func add(_ finding: Finding) {
    let name = finding.first.violation.property
    guard let known = byProperty[name] else {
      byProperty[name] = finding
      return
    }
    byProperty[name] = Finding(
      first: finding.first.seed < known.first.seed ? finding.first : known.first, count: known.count + finding.count)
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
  public var never: [String] { Coverage.sometimesNames.filter { coverage.sometimes[$0] == nil } }

  /// The findings but for the one that is made on purpose.
  public var violations: [Finding] { findings.filter { $0.first.violation.property != SelfCheck.name } }

  /// Whether the property that is violated on purpose was found.
  public var passedSelfCheck: Bool { byProperty[SelfCheck.name] != nil }
}
