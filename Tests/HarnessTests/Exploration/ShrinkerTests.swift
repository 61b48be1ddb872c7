import Determinism
import Harness
import Testing

@Suite struct ShrinkerTests {
  @Test func `a planted violation is found and shrunk to its least number of steps`() async throws {
    let found = await violating(noPage, seeds: 0..<24)
    #expect(found.count > 3)
    for (run, outcome) in found.prefix(4) {
      let result = await Shrinker(property: noPage.name, properties: [noPage]).shrink(run, outcome)
      #expect(result.outcome.violations.map(\.property) == [noPage.name])
      // In a world with a kernel a page cannot be there from the beginning but of a network that is lost.
      #expect((result.run.steps?.count ?? .max) <= 1, "\(ScenarioWriter.yaml(result.run, name: "left over"))")
      #expect(result.run.plan.source.faults.isEmpty)
      #expect(result.run.plan.start.networks.count <= 1)
      #expect(result.candidates <= 2000)
    }
  }

  @Test func `steps that only together violate a property stay`() async throws {
    let found = await violating(notOnAgainTwice, seeds: 0..<60)
    let (run, outcome) = try #require(found.first)
    let result = await Shrinker(property: notOnAgainTwice.name, properties: [notOnAgainTwice]).shrink(run, outcome)
    #expect(result.run.steps == [true, false, true].map { .switchWiFi(isOn: $0) })
    #expect(!result.run.plan.start.isOn)
  }

  @Test func `the same run is shrunk to the same, and the smallest to itself`() async throws {
    for (run, outcome) in await violating(noPage, seeds: 0..<24).prefix(3) {
      let shrinker = Shrinker(property: noPage.name, properties: [noPage])
      let once = await shrinker.shrink(run, outcome)
      let again = await shrinker.shrink(run, outcome)
      #expect(once == again)
      let smallest = await shrinker.shrink(once.run, once.outcome)
      #expect(smallest.run == once.run)
      #expect(smallest.outcome == once.outcome)
    }
  }

  @Test func `no more candidates are told than the limit says`() async throws {
    let (run, outcome) = try #require(await violating(noPage, seeds: 0..<24).first)
    for limit in [0, 1, 7] {
      let result = await Shrinker(property: noPage.name, limit: limit, properties: [noPage]).shrink(run, outcome)
      #expect(result.candidates == limit)
      #expect(!result.outcome.violations.isEmpty)
    }
  }
}
