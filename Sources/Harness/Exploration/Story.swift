import Models

/// A story that a seed tells: a world, somebody who taps anything, and what became of it.
public struct Story: Sendable {
  /// What the seed drew.
  public let plan: StoryPlan

  /// The story of a plan.
  public init(_ plan: StoryPlan) { self.plan = plan }

  /// What became of a story.
  public struct Outcome: Hashable, Sendable {
    /// What must always hold and did not.
    public var violations: [Violation]
    /// What happened, as explicit steps.
    public var steps: [ScenarioAction]
    /// The hash of the trace.
    public var hash: UInt64
    /// The trace, where it was kept.
    public var trace: [String]
  }

  /// Tells the story once.
  ///
  /// - Throws: ``SimulationFailure``.
  public func tell(keepsTrace: Bool = false) async throws -> Outcome {
    let plan = plan
    return try await simulate(seed: plan.seed, scheduling: plan.scheduling) { simulation in
      simulation.trace.keepsLines = keepsTrace
      let world = WitnessedWorld(
        SimulatedWorlds.make(plan.source, networks: plan.start.networks, clock: simulation.clock), clock: simulation.clock)
      var scenario = Scenario(name: "seed \(plan.seed)", source: .simulate(plan.source))
      scenario.start = plan.start
      let stage = try SettingsStage(simulation, world: world) { found, onIssue in
        try StartState(scenario, world).model(found, onIssue)
      }
      let performer = ScenarioPerformer(scenario, stage)
      let person = SettingsPerson(stage)
      var teller = StoryTeller(plan)
      var steps: [ScenarioAction] = []
      let monitor = PropertyMonitor(SettingsProperties.safety)
      stage.onMoment = { monitor.take($0) }
      stage.open()
      await simulation.settle()
      while simulation.clock.now.offset < plan.length, monitor.violations.isEmpty {
        let action = teller.next(stage, person)
        steps.append(action)
        _ = await performer.perform(ScenarioStep(action, at: .init(line: 1, column: 1)))
      }
      stage.close()
      return Outcome(
        violations: monitor.violations, steps: steps, hash: simulation.trace.hash, trace: simulation.trace.lines)
    }
  }
}
