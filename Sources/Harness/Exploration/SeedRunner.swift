package import Determinism

/// Runs the seeds of an exploration: an ``Explorer`` by itself, or other processes.
///
/// Other processes see more: what differs from process to process only, and a run that ends its process.
package protocol SeedRunner: Sendable {
  /// Why it cannot.
  associatedtype Failure: Error

  /// The first runs of seeds.
  func firstRuns(of seeds: Range<UInt64>) async throws(Failure) -> FirstRuns

  /// The digests of the second runs of seeds, `RunOutcome.hash`, in the order of seeds; `nil` for one that ends its
  /// process, and those behind it.
  ///
  /// - Parameters:
  ///   - judged: the seeds whose runs are asked the properties, as a run ends with what it violates. Of the others it
  ///     is known that they hold, if they are what they were: they need only be run.
  ///   - ended: the seeds whose first runs ended their process, which are not run.
  func digests(
    of seeds: Range<UInt64>, judging judged: Set<UInt64>, without ended: Set<UInt64>
  ) async throws(Failure) -> [UInt64?]

  /// The second run of a seed, event by event.
  func record(of seed: UInt64) async throws(Failure) -> RunRecord

  /// The run of a seed, made so often where the hashing of `Set` and `Dictionary` is fixed; empty where it cannot be.
  func records(of seed: UInt64, count: Int) async throws(Failure) -> [RunRecord]
}

/// What became of the first runs of a batch of seeds.
package struct FirstRuns: Hashable, Sendable {
  /// What they found.
  package var batch: Batch
  /// The digest of each, in the order of seeds; `nil` for a run that ended its process.
  package var digests: [UInt64?]
  /// The seeds that are not run again: those whose runs ended their process or did not end, and those behind the last
  /// that is borne.
  package var ended: Set<UInt64> {
    let endless = batch.findings.filter { Violation.endangering.contains($0.violation.property) }.map(\.seed)
    return Set(zip(batch.seeds, digests).filter { $0.1 == nil }.map(\.0)).union(endless)
  }

  /// Makes it of its parts.
  package init(batch: Batch, digests: [UInt64?]) { (self.batch, self.digests) = (batch, digests) }
}

extension Violation {
  /// The name of what is violated where a run ends its process, or never ends.
  package static let endsProcess = "a run does not end the program"

  /// The names of what is violated by runs that can only be run where the process may be lost.
  package static let endangering = SimulationFailure.endless.union([endsProcess])
}

extension Explorer: SeedRunner {
  package func firstRuns(of seeds: Range<UInt64>) async -> FirstRuns { await firstRuns(of: seeds, without: []) { _, _ in } }

  /// The first runs of seeds, but for those that end their process, up to one that does not end.
  ///
  /// - Parameter take: given each seed that was run, and its digest.
  package func firstRuns(
    of seeds: Range<UInt64>, without ended: Set<UInt64>, _ take: (UInt64, UInt64) throws -> Void
  ) async rethrows -> FirstRuns {
    var runs = FirstRuns(batch: Batch(seeds: seeds), digests: [])
    try await each(of: seeds, judging: Set(seeds), without: ended) { seed, outcome in
      runs.digests.append(outcome?.hash)
      guard let outcome else { return true }
      runs.batch.coverage.merge(outcome.coverage)
      runs.batch.hash &+= TraceHash.mixed(seed, outcome.traceHash)
      runs.batch.add(outcome.violations, of: seed)
      if outcome.coverage.sometimes[SelfCheck.what] != nil {
        runs.batch.findings.append(.init(seed: seed, violation: SelfCheck.violation))
      }
      try take(seed, outcome.hash)
      return !outcome.isEndless
    }
    if let last = runs.batch.findings.indices.last, runs.digests.count < seeds.count {
      let next = seeds.lowerBound + UInt64(runs.digests.count)
      runs.batch.findings[last].violation.sentence += " The seeds \(next)..<\(seeds.upperBound) were not run."
      runs.digests += Array(repeating: nil, count: Int(seeds.upperBound - next))
    }
    return runs
  }

  package func digests(of seeds: Range<UInt64>, judging judged: Set<UInt64>, without ended: Set<UInt64>) async -> [UInt64?] {
    var digests: [UInt64?] = []
    await each(of: seeds, judging: judged, without: ended) {
      digests.append($1?.hash)
      return true
    }
    return digests
  }

  /// Runs seeds one after the other.
  ///
  /// - Parameter take: given each seed, and what became of its run, `nil` where it is not run; says whether to go on.
  package func each(
    of seeds: Range<UInt64>, judging judged: Set<UInt64>, without ended: Set<UInt64>,
    _ take: (UInt64, SettingsRun.Outcome?) throws -> Bool
  ) async rethrows {
    for seed in seeds {
      let (run, isJudged) = (run(of: seed), judged.contains(seed))
      let outcome = ended.contains(seed) ? nil : await (isJudged ? run : run.withoutView).run(isJudged: isJudged)
      guard try take(seed, outcome) else { return }
    }
  }

  package func record(of seed: UInt64) async -> RunRecord { await run(of: seed).withoutView.record() }

  package func records(of seed: UInt64, count: Int) async -> [RunRecord] { [] }

  /// Where the runs of a seed part, as far as they do so again; and why, as far as that shows.
  func violation<Second: SeedRunner>(
    _ seed: UInt64, _ second: Second
  ) async throws(Second.Failure) -> Violation {
    let run = run(of: seed)
    if let divergence = await run.divergenceOfView() {
      let hint = "The first run was made through the \(run.start.view.rawValue) view, the second without one: look at what the view does."
      return Violation(property: Violation.sameRunTwice, sentence: "\(divergence.sentence) \(hint)", time: divergence.time)
    }
    let divergence = try await run.divergence { () async throws(Second.Failure) -> RunRecord? in
      try await second.record(of: seed)
    }
    guard let divergence else {
      return Violation(
        property: Violation.sameRunTwice,
        sentence: "two runs had different hashes, sixteen more did not: look for a clock, a thread", time: .zero)
    }
    let fixed = try await second.records(of: seed, count: 8)
    let hint =
      fixed.isEmpty
      ? "Look for a clock, randomness, the order of a Set or Dictionary."
      : fixed.allSatisfy { Divergence(fixed[0], $0) == nil }
        ? "With fixed hashing eight runs are the same: look for the order of a Set or Dictionary."
        : "With fixed hashing runs differ, too: look for a clock or randomness."
    return Violation(property: Violation.sameRunTwice, sentence: "\(divergence.sentence) \(hint)", time: divergence.time)
  }
}
