import Harness
import Testing

@Suite struct ExplorationTests {
  @Test func `two explorations give the same report, whatever the order of the batches`() async throws {
    let explorer = Explorer(worlds: ["preview"], tellsTwice: false)
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

  @Test func `a story can begin with many access points, and go on for as long as one likes`() async throws {
    for world in ["preview", "still", "home"] {
      let explorer = Explorer(worlds: [world], length: .seconds(30), accessPoints: 40)
      let batch = await explorer.explore(0..<4)
      #expect(!batch.findsTrouble, "\(batch.findings)")
      let story = explorer.story(of: 0)
      #expect(story.plan.start.networks.count == (world == "home" ? 0 : 40))
      #expect(Set(story.plan.start.networks.map(\.name)).count == story.plan.start.networks.count)
      #expect(story.plan.source.devices == (world == "home" ? 20 : nil))
    }
  }

  @Test func `a batch is written as one line that reads back`() async throws {
    let batch = await Explorer(worlds: ["preview"], tellsTwice: false).explore(0..<16)
    #expect(Batch(line: batch.line.dropLast()) == batch)
    #expect(Batch(line: batch.line.dropLast(batch.line.count / 2)) == nil)
  }

  @Test func `the canary is found, and nothing else`() async throws {
    var report = ExplorationReport()
    report.add(await Explorer(worlds: ["preview"]).explore(0..<64))
    #expect(report.foundCanary)
    #expect(report.trouble.isEmpty, "\(report.trouble)")
  }

  @Test func `a story says the same twice, under any order of jobs`() async throws {
    for seed: UInt64 in 0..<12 {
      let story = Story(StoryPlan(seed: seed))
      let first = await story.tell(keepsTrace: true)
      let second = await story.tell(keepsTrace: true)
      #expect(first == second)
    }
  }

  @Test func `a story that is cut off asks for no goal`() async throws {
    var shorter = 0
    for seed: UInt64 in 0..<8 {
      let story = Story(StoryPlan(seed: seed, worlds: ["preview"]))
      let whole = await story.tell(keepsTrace: true)
      let cut = await story.tell(keepsTrace: true, until: .zero)
      #expect(cut.violations.isEmpty)
      #expect(cut.steps == whole.steps)
      #expect(cut.trace == Array(whole.trace.prefix(cut.trace.count)))
      if cut.trace.count < whole.trace.count { shorter += 1 }
    }
    #expect(shorter > 0)
  }
}
