import Determinism
import Harness

/// A range of seeds as users type it: `0..<1000`, the same without quotes in a shell, `0..1000`, or `1000` for those
/// from 0 on.
struct SeedRange {
  let seeds: Range<UInt64>

  init?(_ text: String) {
    if let count = UInt64(text), count > 0 {
      seeds = 0..<count
      return
    }
    let separator = text.contains("..<") ? "..<" : ".."
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 2, let low = UInt64(parts[0]), let high = UInt64(parts[1]), low < high else { return nil }
    seeds = low..<high
  }
}

/// The runs of many seeds, several at once.
enum Runs {
  static func run(_ seeds: Range<UInt64>, via view: ViewKind = .headless, jobs: Int) async throws {
    var hashes: [UInt64?] = Array(repeating: nil, count: seeds.count)
    var defects: [(seed: UInt64, defect: String)] = []
    try await Concurrently.each(Batch.all(of: seeds), jobs: jobs, { await run($0, view) }) { _, outcomes in
      for (seed, outcome) in outcomes {
        hashes[Int(seed - seeds.lowerBound)] = outcome.hash
        for violation in outcome.violations { defects.append((seed, "\(violation)")) }
      }
      return true
    }
    var hash = TraceHash()
    for one in hashes { hash.append(one ?? 0) }
    for (seed, defect) in defects.sorted(by: { $0.seed < $1.seed }) { try StandardStreams.write("seed \(seed): \(defect)\n") }
    try StandardStreams.write("\(seeds.count) seeds, \(defects.count) defects; combined hash \(hash)\n")
    if !defects.isEmpty { StandardStreams.exit(.checkFailed) }
  }

  @concurrent private static func run(_ seeds: Range<UInt64>, _ view: ViewKind) async -> [(UInt64, SettingsRun.Outcome)] {
    var outcomes: [(UInt64, SettingsRun.Outcome)] = []
    for seed in seeds {
      var run = SettingsRun(RunPlan(seed: seed))
      run.view = view
      outcomes.append((seed, await run.run()))
    }
    return outcomes
  }
}
