import Determinism
import Harness
import Testing
import WiFi

@Suite struct ExplorationTests {
  @Test func `two explorations give the same report, whatever the order of the batches`() async throws {
    let explorer = Explorer(worlds: ["preview"], runsTwice: false)
    var batches: [Batch] = []
    for start: UInt64 in stride(from: 0, to: 24, by: 8) { batches.append(await explorer.explore(start..<start + 8)) }
    var forward = ExplorationReport()
    for batch in batches { forward.add(batch) }
    var backward = ExplorationReport()
    for start: UInt64 in [16, 0, 8] { backward.add(await explorer.explore(start..<start + 8)) }
    #expect(forward == backward)
    #expect(forward.seeds == [0..<24])
    #expect(forward.seedCount == 24)
  }

  @Test func `a run can begin with many access points, and go on for as long as one likes`() async throws {
    for world in ["preview", "still", "home"] {
      let explorer = Explorer(worlds: [world], length: .seconds(30), accessPoints: 40)
      let batch = await explorer.explore(0..<4)
      #expect(!batch.findsViolation, "\(batch.findings)")
      let run = explorer.run(of: 0)
      #expect(run.start.start.networks.count == (world == "home" ? 0 : 40))
      #expect(Set(run.start.start.networks.map(\.name)).count == run.start.start.networks.count)
      #expect(run.start.source.devices == (world == "home" ? 20 : nil))
    }
  }

  @Test(arguments: [nil, JoinDaemon.supplicant, .networkManager, .iwd])
  func `a user of known networks finds nothing, over any daemon`(daemon: JoinDaemon?) async throws {
    var explorer = Explorer(worlds: ["still", "home"])
    explorer.daemon = daemon
    let batch = await explorer.explore(0..<24)
    #expect(!batch.findsViolation, "\(batch.findings)")
    #expect(batch.coverage.reached.contains { $0.key.contains("known networks · ") })
  }

  @Test(arguments: [ViewKind.terminal, .page])
  func `an exploration through a view gives the same report as without one`(view: ViewKind) async throws {
    var explorer = Explorer(runsTwice: false)
    let expected = await explorer.explore(0..<8)
    explorer.view = view
    let batch = await explorer.explore(0..<8)
    #expect(batch.hash == expected.hash)
    #expect(batch.findings == expected.findings)
    #expect(batch.coverage == expected.coverage)
  }

  @Test func `known networks leave everything else of a plan as it is`() {
    let plans = (0..<200).map { RunPlan(seed: $0, drawsRooms: true) }.filter { $0.source.daemon == nil }
    for var plan in plans {
      let seed = plan.seed
      let plain = RunPlan(seed: seed)
      (plan.start.known, plan.start.link, plan.start.destination) = ([], nil, plain.start.destination)
      #expect(plan.source == plain.source)
      #expect(plan.start == plain.start)
    }
  }

  @Test func `in a third of the still worlds networks are namesakes, in the air and among the known ones`() {
    let plans = (0..<300).map { RunPlan(seed: $0, worlds: ["still"], drawsRooms: true) }
    let narrow = plans.filter { $0.names.count == 2 }
    #expect((75...125).contains(narrow.count))
    for plan in narrow where plan.start.networks.count < 50 {
      let names = plan.start.networks.map(\.name) + plan.start.known.map { String(decoding: $0.draft.ssid.bytes, as: UTF8.self) }
      #expect(Set(names).isSubset(of: plan.names))
    }
    let meets = narrow.filter { plan in plan.start.networks.contains { plan.start.known.map(\.draft.ssid.description).contains($0.name) } }
    #expect(meets.count > 20)
  }

  @Test func `known networks have namesakes that are known, of another kind or over NetworkManager of another priority`() {
    let plans = (0..<600).map { RunPlan(seed: $0, worlds: ["still"], drawsRooms: true) }
    func meets(_ suits: (KnownNetworkDraft, KnownNetworkDraft) -> Bool) -> [RunPlan] {
      plans.filter { plan in
        let known = plan.start.known.map(\.draft)
        return known.indices.contains { index in
          known[..<index].contains { $0.ssid == known[index].ssid && suits($0, known[index]) }
        }
      }
    }
    let otherwise = meets { $0.security.family != $1.security.family }
    #expect(Set(otherwise.map(\.source.daemon)) == [nil, .supplicant, .networkManager, .iwd])
    #expect(otherwise.count > 60)
    let preferred = meets { $0.security == $1.security && $0.password == $1.password && $0.priority < 4 && $1.priority >= 4 }
    #expect(Set(preferred.map(\.source.daemon)) == [.networkManager])
    #expect(preferred.count > 10)
  }

  @Test func `a batch is written as one line that reads back`() async throws {
    let batch = await Explorer(worlds: ["preview"], runsTwice: false).explore(0..<16)
    #expect(Batch(line: batch.line.dropLast()) == batch)
    #expect(Batch(line: batch.line.dropLast(batch.line.count / 2)) == nil)
  }

  @Test func `of what one run violates the first is found, which is the nearest to its cause`() {
    let general = Violation(property: "the list is what it should be", sentence: "a row is missing", time: .seconds(1))
    let near = Violation(property: "a scan says how it ended", sentence: "it was cut short", time: .seconds(1))
    // What was at work when the violation stopped the run is left of it; where that is all, it is what is wrong.
    let left = Violation(property: "no task is left at the end", sentence: "“move the radio” sleeps", time: .seconds(1))
    var batch = Batch(seeds: 0..<4)
    batch.add([general], of: 0)
    batch.add([near, general], of: 1)
    batch.add([general, left], of: 2)
    batch.add([left], of: 3)
    #expect(batch.findings.map(\.violation) == [general, near, general, left])
    #expect(batch.findings.map(\.seed) == [0, 1, 2, 3])
  }

  @Test func `the run of a seed is the same alone and in its batch`() async {
    let explorer = Explorer(worlds: ["preview"], runsTwice: false)
    let one = await explorer.explore(40..<41)
    #expect(one.hash == TraceHash.mixed(40, await explorer.run(of: 40).run().traceHash))
    let (all, first, rest) = await (explorer.explore(32..<48), explorer.explore(32..<40), explorer.explore(41..<48))
    #expect(all.hash == first.hash &+ one.hash &+ rest.hash)
  }

  @Test func `two explorations are compared by what they reached`() {
    func report(_ reached: [String: Int], _ seeds: Range<UInt64>) -> ExplorationReport {
      var batch = Batch(seeds: seeds)
      batch.coverage.reached = reached
      var report = ExplorationReport()
      report.add(batch)
      return report
    }
    let before = report(["list · wait · none": 20, "list · wait · busy": 10, "off · switch · none": 3, "list → off": 2], 0..<100)
    let after = report(["list · wait · none": 30, "list · wait · busy": 30, "detail · back · none": 1, "list → off": 2], 0..<200)
    let comparison = CoverageComparison(before, after)
    #expect(comparison.gone == ["off · switch"])
    #expect(
      comparison.text == """
        100 seeds before, 200 after; counts are those of 10,000 seeds
        reached for the first time:
          detail · back: 0.0 → 50
        not reached any more:
          off · switch: 300 → 0.0
        at most half as often:
          list → off: 200 → 100

        """)
    #expect(CoverageComparison(after, after).text.hasSuffix("\nnothing is reached much more often, or less\n"))
  }

  @Test func `of each property the three lowest seeds are kept, whatever the order of the batches`() {
    var report = ExplorationReport()
    for start: UInt64 in [12, 0, 8, 4] {
      var batch = Batch(seeds: start..<start + 4)
      for seed in batch.seeds { batch.add([Violation(property: "quiet", sentence: "it was loud", time: .zero)], of: seed) }
      report.add(batch)
    }
    #expect(report.findings.map(\.count) == [16])
    #expect(report.findings.first?.lowest.map(\.seed) == [0, 1, 2])
    #expect(report.findings.first?.first.seed == 0)
  }

  @Test func `the selfCheck is found, and nothing else`() async throws {
    var report = ExplorationReport()
    report.add(await Explorer(worlds: ["preview"]).explore(0..<64))
    #expect(report.passedSelfCheck)
    #expect(report.violations.isEmpty, "\(report.violations)")
  }

  @Test func `a run says the same twice, under any order of jobs`() async throws {
    for seed: UInt64 in 0..<12 {
      let run = SettingsRun(RunPlan(seed: seed))
      let first = await run.run(recorder: RunRecorder(keeps: .trace))
      let second = await run.run(recorder: RunRecorder(keeps: .trace))
      #expect(first == second)
    }
  }

  @Test func `a run that is cut off asks for no goal`() async throws {
    var shorter = 0
    for seed: UInt64 in 0..<8 {
      let run = SettingsRun(RunPlan(seed: seed, worlds: ["preview"]))
      let whole = await run.run(recorder: RunRecorder(keeps: .trace))
      let cut = await run.run(until: .zero, recorder: RunRecorder(keeps: .trace))
      #expect(cut.violations.isEmpty)
      #expect(cut.steps == whole.steps)
      #expect(cut.trace == Array(whole.trace.prefix(cut.trace.count)))
      if cut.trace.count < whole.trace.count { shorter += 1 }
    }
    #expect(shorter > 0)
  }
}
