import Determinism
import Harness
import Testing

/// Shrinks a run that violates a property.
private func shrunk(
  _ property: @autoclosure @escaping @Sendable () -> SettingsProperty, _ run: SettingsRun, _ outcome: SettingsRun.Outcome,
  limit: Int = 2000
) async -> Shrinker<SettingsSubject, RunPlan> {
  var shrinker = Shrinker(property().name, run, outcome, limit: limit, properties: { [property().ofSettings] })
  await shrinker.shrink()
  return shrinker
}

@Suite struct ShrinkerTests {
  @Test func `a planted violation is found and shrunk to its least number of steps`() async throws {
    let found = await violating(noPage, seeds: 0..<24)
    #expect(found.count > 3)
    for (run, outcome) in found.prefix(4) {
      let result = await shrunk(noPage, run, outcome)
      #expect(result.outcome.violations.map(\.property) == [noPage.name])
      // In a world with a kernel a page cannot be there from the beginning but of a network that is lost.
      #expect((result.run.steps?.count ?? .max) <= 1, "\(ScenarioWriter.yaml(result.run, name: "left over"))")
      #expect(result.run.start.source.faults.isEmpty)
      #expect(result.run.start.start.networks.count <= 1)
      #expect(result.candidates <= 2000)
    }
  }

  @Test func `steps that only together violate a property stay`() async throws {
    let found = await violating(notOnAgainTwice, seeds: 0..<60)
    let (run, outcome) = try #require(found.first)
    let result = await shrunk(notOnAgainTwice, run, outcome)
    #expect(result.run.steps == [true, false, true].map { .switchWiFi(isOn: $0) })
    #expect(!result.run.start.start.isOn)
  }

  @Test func `the same run is shrunk to the same, and the smallest to itself`() async throws {
    for (run, outcome) in await violating(noPage, seeds: 0..<24).prefix(3) {
      let once = await shrunk(noPage, run, outcome)
      let again = await shrunk(noPage, run, outcome)
      #expect(once.run == again.run && once.outcome == again.outcome && once.candidates == again.candidates)
      let smallest = await shrunk(noPage, once.run, once.outcome)
      #expect(smallest.run == once.run)
      #expect(smallest.outcome == once.outcome)
    }
  }

  @Test func `no more candidates are told than the limit says`() async throws {
    let (run, outcome) = try #require(await violating(noPage, seeds: 0..<24).first)
    for limit in [0, 1, 5] {
      let result = await shrunk(noPage, run, outcome, limit: limit)
      #expect(result.candidates == limit)
      #expect(!result.outcome.violations.isEmpty)
    }
  }
}
