import Determinism
import Harness
import Testing

@Suite struct OrderSearchTests {
  private static let dismissal = """
    scenario: the sheet is swiped away in the moment in which its join ends
    races: on
    # Which comes first?
    source: { simulate: { world: preview, seed: 7, churn: off } }
    start:
      networks: [ Home ]
      destination: { connect: { network: Home, password: blob } }
    steps:
      - tap: join
      - advance: 1s
      - dismiss
      - expect: { destination: none, selected: Home }

    """

  private func scenario(_ text: String) throws -> Scenario { try ScenarioReader(file: "race.yaml").read(text) }

  @Test func `the order in which a scenario fails is found, and its lines repeat it`() async throws {
    let result = try await OrderSearch(try scenario(Self.dismissal)).run()
    let choices = try #require(result.failing)
    #expect(choices.count == 1)
    #expect(result.failures.count == 1 && result.failures[0].contains("selected: expected Home, is none"), "\(result.failures)")

    let lines = ScenarioWriter.lines(.chosen(choices), races: true)
    let text = ScenarioWriter.yaml(Self.dismissal, with: lines)
    #expect(text.contains("# Which comes first?"))
    // Written once more, they take the place of the old ones.
    #expect(ScenarioWriter.yaml(text, with: lines) == text)
    let repeated = try scenario(text)
    #expect(repeated.jobs == .chosen(choices))
    #expect(repeated.races)
    let outcome = try await ScenarioRun(repeated).run { simulation in
      guard case .simulate(let source) = repeated.source else { throw CancellationError() }
      return SimulatedWorlds.make(source, networks: repeated.start.networks, clock: simulation.clock)
    }
    #expect(outcome.failures.count == 1 && outcome.failures[0].contains("selected: expected Home, is none"))
  }

  @Test func `a scenario that is good in every order is said to be`() async throws {
    let patient = try scenario(
      Self.dismissal.replacing("  - dismiss\n", with: "").replacing("- advance: 1s", with: "- advance: 2s"))
    let result = try await OrderSearch(patient, deviations: .max).run()
    #expect(result.failing == nil)
    #expect(result.isComplete)
    #expect(result.runs > 1)
    let few = try await OrderSearch(patient, deviations: .max, runs: 1).run()
    #expect(!few.isComplete)
  }

  @Test func `a scenario judged by properties is held against them in each order`() async throws {
    let text = Self.dismissal.replacing("races: on", with: "judgedBy: properties\nraces: on")
      .replacing("  - expect: { destination: none, selected: Home }\n", with: "")
    let result = try await OrderSearch(try scenario(text), deviations: 3).run()
    #expect(result.failing == nil, "\(result.failures)")
    #expect(result.runs > 10)
  }

  @Test func `the order of tasks cannot be chosen with an adapter`() async throws {
    let text = Self.dismissal.replacing("{ simulate: { world: preview, seed: 7, churn: off } }", with: "{ interface: any }")
      .replacing("  networks: [ Home ]\n", with: "").replacing(
        "  destination: { connect: { network: Home, password: blob } }\n", with: "  wifi: on\n")
    let scenario = try scenario(text)
    await #expect(throws: ScenarioProblem.self) { try await OrderSearch(scenario).run() }
  }

  @Test(arguments: [
    ("inOrder", JobOrder.inOrder), ("shuffled", .shuffled), ("{ prioritized: 3 }", .prioritized(changes: 3)), ("[]", .inOrder),
    (
      "[{ choice: 1, takes: 2 }, { choice: 4, takes: 3 }]",
      .chosen([.init(number: 0, index: 1), .init(number: 3, index: 2)])
    ),
  ])
  func `an order of tasks is read and written`(text: String, order: JobOrder) throws {
    let scenario = try scenario(Self.dismissal.replacing("races: on", with: "judgedBy: properties\njobs: \(text)"))
    #expect(scenario.jobs == order)
    let run = SettingsRun(try #require(RunPlan(scenario)), steps: [.advance(.seconds(1))], order: scenario.jobs)
    #expect(try self.scenario(ScenarioWriter.yaml(run, name: "again")).jobs == order)
  }
}
