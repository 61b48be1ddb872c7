import Determinism
import Harness
import Testing

/// The same seed gives the same run; the command does this for many more seeds, in debug and release (make check NAME=determinism).
@Suite struct ReproducibilityTests {
  private func hashes(_ seeds: Range<UInt64>) async -> [UInt64] {
    await Explorer(runsTwice: false).firstRuns(of: seeds).digests.compactMap(\.self)
  }

  @Test func `a run run twice has the same trace, alone and beside seven others`() async {
    let alone = await hashes(0..<24)
    let beside = await withTaskGroup(of: [UInt64].self) { group in
      for _ in 0..<8 { group.addTask { @concurrent in await hashes(0..<24) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(beside.count == 8)
    for other in beside { #expect(other == alone) }
    #expect(Set(alone).count == alone.count)
  }

  @Test func `steps that a seed told are told again with the same trace`() async {
    for seed in 64..<72 as Range<UInt64> {
      var run = Explorer().run(of: seed)
      // However busy the machine is.
      run.options.limits.realTime = nil
      let told = await run.run(recorder: RunRecorder(keeps: .trace))
      var steps = SettingsRun(run.start, steps: told.steps, order: .chosen(told.choices))
      steps.options.limits.realTime = nil
      let again = await steps.run(recorder: RunRecorder(keeps: .trace))
      #expect(again.traceHash == told.traceHash, "seed \(seed)")
    }
  }

  @Test func `the order of jobs matters to no run that must not depend on it`() async {
    // Another order is another run: what must hold holds in each.
    for seed in 200..<210 as Range<UInt64> {
      var run = SettingsRun(RunPlan(seed: seed))
      for order in [JobOrder.inOrder, .shuffled, .prioritized(changes: 3)] where order != run.order {
        run.order = order
        #expect(await run.run().violations.isEmpty, "seed \(seed), \(order)")
      }
    }
  }
}
