import CDeterminism

/// Does work for each seed, several at once, and takes the results in the order of seeds, until the caller is
/// cancelled.
///
/// Inside of a simulation it does one after the other, as everything is on its thread.
///
/// - Parameter jobs: how many at once; `nil` for as many as there are processors.
/// - Returns: the seeds whose results were taken, all of them where the caller was not cancelled.
func forEachSeed<Result: Sendable>(
  _ seeds: Range<UInt64>, jobs: Int?, isolation: isolated (any Actor)? = #isolation,
  _ work: @escaping @Sendable (UInt64) async -> Result, take: (UInt64, Result) async -> Void
) async -> Range<UInt64> {
  let limit = VirtualExecutor.current == nil ? max(jobs ?? Int(determinism_processor_count()), 1) : 1
  return await withTaskGroup(of: (UInt64, Result).self) { group in
    // What is captured is kept: results are taken where the caller is.
    _ = isolation
    var remaining = seeds
    func start() {
      guard let seed = remaining.popFirst() else { return }
      group.addTask(name: "explores seed \(seed)") { (seed, await work(seed)) }
    }
    for _ in 0..<limit { start() }
    // Those that were faster than the ones before them.
    var early: [UInt64: Result] = [:]
    var expected = seeds.lowerBound
    while let (seed, result) = await group.next(), !Task.isCancelled {
      start()
      early[seed] = result
      while let next = early.removeValue(forKey: expected) {
        await take(expected, next)
        expected += 1
      }
    }
    return seeds.lowerBound..<expected
  }
}
