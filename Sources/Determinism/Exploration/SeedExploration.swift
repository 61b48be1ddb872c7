/// What became of the runs of many seeds.
public struct SeedExploration: Hashable, Sendable, CustomStringConvertible {
  /// The seeds that were run: where the caller was cancelled, those before the first that was not.
  package internal(set) var seeds: Range<UInt64>
  /// The seeds that were to be run.
  package let plannedSeeds: Range<UInt64>
  /// Whether the caller was cancelled before all seeds were run.
  package var isCancelled: Bool { seeds != plannedSeeds }
  /// The seeds that failed and why, in order; empty where all is well.
  public internal(set) var failures: [Failure] = []
  /// A hash of all traces and errors, the same on every machine and in every build.
  public internal(set) var hash: UInt64 = 0

  /// A seed that failed.
  public struct Failure: Hashable, Sendable {
    /// The seed.
    public let seed: UInt64
    /// Why.
    public let sentence: String
  }

  /// The name of the function that asked for it.
  private let function: String

  init(seeds: Range<UInt64>, _ function: String) { (self.seeds, plannedSeeds, self.function) = (seeds, seeds, function) }

  /// Throws what was found, if anything was, and where not all seeds were run.
  public func check() throws(ExplorationFailure) {
    if !failures.isEmpty || isCancelled { throw ExplorationFailure(description: description) }
  }

  /// How many seeds failed, in which ways, each with its first seed, and the command that repeats the first of all.
  public var description: String {
    let ending = isCancelled ? "; cancelled after \(seeds.count) of \(plannedSeeds.count) seeds" : ""
    if failures.isEmpty { return "\(seeds.count) seeds; nothing found\(ending)" }
    // Where the environment says no seeds, none were run.
    if seeds.isEmpty { return failures[0].sentence }
    var ways: [(sentence: String, seeds: [UInt64])] = []
    for failure in failures {
      // A failure of a simulation says its seed.
      let seed = "seed \(failure.seed), "
      let sentence = failure.sentence.hasPrefix(seed) ? String(failure.sentence.dropFirst(seed.count)) : failure.sentence
      if let index = ways.firstIndex(where: { $0.sentence == sentence }) {
        ways[index].seeds.append(failure.seed)
      } else {
        ways.append((sentence, [failure.seed]))
      }
    }
    let lines = ways.prefix(10).map { way in
      let others = way.seeds.count - 1
      return "seed \(way.seeds[0])\(others == 0 ? "" : others == 1 ? " and 1 other" : " and \(others) others"): \(way.sentence)"
    }
    let count = Set(failures.map(\.seed)).count
    let more = ways.count > 10 ? ["… in \(ways.count - 10) more ways"] : []
    let name = String(function.prefix { $0 != "(" })
    let repetition = EnvironmentSeeds.repetition(of: name, seed: failures[0].seed)
    return (["\(count) of \(seeds.count) seeds failed\(ending)"] + lines + more + [repetition]).joined(separator: "\n")
  }
}
