package import Determinism

/// Runs seeds a second time, to be compared with the first: an ``Explorer`` by itself, or another process.
///
/// Another process sees more: what differs from process to process only, and what does so beside the order of a `Set`
/// or `Dictionary`.
package protocol SecondRunner: Sendable {
  /// Why it cannot.
  associatedtype Failure: Error

  /// The digests of the runs of seeds, ``SettingsRun/Outcome/digest``, in the order of seeds.
  ///
  /// - Parameter judged: the seeds whose runs are asked the properties, as a run ends with what it violates. Of
  ///   the others it is known that they hold, if they are what they were: they need only be run.
  func digests(of seeds: Range<UInt64>, judging judged: [UInt64]) async throws(Failure) -> [UInt64]

  /// The run of a seed, event by event.
  func record(of seed: UInt64) async throws(Failure) -> RunRecord

  /// The run of a seed, made so often where the hashing of `Set` and `Dictionary` is fixed; empty where it cannot be.
  func records(of seed: UInt64, count: Int) async throws(Failure) -> [RunRecord]
}

extension Explorer: SecondRunner {
  package func digests(of seeds: Range<UInt64>, judging judged: [UInt64]) async -> [UInt64] {
    var all: [UInt64] = []
    await digests(of: seeds, judging: judged) { all.append($1) }
    return all
  }

  /// The same, a seed at a time.
  package func digests(
    of seeds: Range<UInt64>, judging judged: [UInt64], _ take: (UInt64, UInt64) throws -> Void
  ) async rethrows {
    var guide = await guide(before: seeds.lowerBound)
    for seed in seeds {
      if seed % SettingsGuide.batchSize == 0 { guide = SettingsGuide() }
      try take(seed, await guide.next(drawn(from: seed), isJudged: judged.contains(seed)).hash)
    }
  }

  package func record(of seed: UInt64) async -> RunRecord { await run(of: seed).record() }

  package func records(of seed: UInt64, count: Int) async -> [RunRecord] { [] }

  /// Where the runs of a seed part, as far as they do so again; and why, as far as that shows.
  func violation<Second: SecondRunner>(_ seed: UInt64, _ second: Second) async throws(Second.Failure) -> Violation {
    let divergence = try await run(of: seed).divergence { () async throws(Second.Failure) -> RunRecord? in
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
