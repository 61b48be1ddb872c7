public import Determinism
import Models
import WiFi

/// A story about the Wi-Fi settings that is searched for trouble: told from a seed, or told again step by step.
///
/// It has two parts. In the first somebody taps and types, and faults may happen; what must always hold is asked at every
/// moment of rest. Then faults stop, nobody does anything any more, and what must come about in the end is asked last.
public struct Story: Hashable, Sendable {
  /// What was drawn before it begins.
  public var plan: StoryPlan
  /// What happens, step by step; `nil` where the seed tells it.
  public var steps: [ScenarioAction]?

  /// The story of a plan: told from its seed, or as `steps` say.
  public init(_ plan: StoryPlan, steps: [ScenarioAction]? = nil) {
    self.plan = plan
    self.steps = steps
  }

  /// What became of a story.
  public struct Outcome: Hashable, Sendable {
    /// What must hold and did not, in the order of time.
    public var violations: [Violation]
    /// What happened, as explicit steps.
    public var steps: [ScenarioAction]
    /// The hash of the trace.
    public var hash: UInt64
    /// The trace, where it was kept.
    public var trace: [String]
    /// What was reached.
    public var coverage: Coverage

    /// All in which two tellings must agree: the trace, the steps and what was violated, as one number.
    public var digest: UInt64 {
      var digest = TraceHash()
      digest.append(hash)
      for step in steps { digest.append(step.words) }
      for violation in violations { digest.append(violation.description) }
      return digest.value
    }
  }

  /// The name of what is violated where an observation goes on that was ended.
  public static let endedObservation = "an observation ends with its token"

  /// The name of what is violated where a run leaves the simulation or never settles.
  public static let trustedRun = "the run can be trusted"

  /// Tells the story once.
  ///
  /// A run that leaves the simulation or never settles is a violation like any other.
  ///
  /// - Parameter cut: when the quiet part ends, where that is before its time; then no goal is asked for. For who knows
  ///   when the trouble comes.
  public func tell(
    keepsTrace: Bool = false, properties: [any SettingsProperty.Type] = SettingsProperties.safety,
    until cut: Duration? = nil, onlooker: Onlooker? = nil
  ) async -> Outcome {
    await tell(
      plan.scheduling, keepsTrace: keepsTrace, properties: properties, until: cut, onlooker: onlooker,
      recorder: StoryRecorder())
  }

  /// Tells the story once, to be compared with another telling.
  public func telling() async -> Telling {
    let recorder = StoryRecorder(keepsEvents: true)
    _ = await tell(plan.scheduling, recorder: recorder)
    return recorder.telling
  }

  /// Tells the story once, with its tasks in this order.
  ///
  /// - Parameter isJudged: whether it is held against what must hold; where not, the outcome says what happened and no more.
  func tell(
    _ scheduling: Scheduling, keepsTrace: Bool = false,
    properties: [any SettingsProperty.Type] = SettingsProperties.safety, isJudged: Bool = true,
    until cut: Duration? = nil, onlooker: Onlooker? = nil, recorder: StoryRecorder = StoryRecorder()
  ) async -> Outcome {
    let story = self
    do {
      return try await simulate(seed: plan.seed, scheduling: scheduling) { simulation in
        try await story.tell(
          in: simulation, keepsTrace: keepsTrace, properties: isJudged ? properties : nil, until: cut, onlooker, recorder
        ).outcome
      }
    } catch {
      let time = (error as? SimulationFailure)?.time ?? .zero
      recorder.fail("\(error)", at: time)
      let violation = Violation(
        property: Self.trustedRun, sentence: "\(error) " + recorder.lastStep, time: time)
      var hash = TraceHash()
      hash.append(violation.description)
      return Outcome(violations: [violation], steps: recorder.steps, hash: hash.value, trace: [], coverage: Coverage())
    }
  }

  /// How everything is after the first `count` steps, as another story may begin; `nil` where the run cannot be trusted.
  func start(after count: Int) async -> ScenarioStart? {
    let story = Story(plan, steps: Array((steps ?? []).prefix(count)))
    return try? await simulate(seed: plan.seed, scheduling: plan.scheduling) { simulation in
      try await story.tell(in: simulation, keepsTrace: false, properties: [], until: .zero).end
    }
  }

  private func tell(
    in simulation: Simulation, keepsTrace: Bool, properties: [any SettingsProperty.Type]?, until cut: Duration?,
    _ onlooker: Onlooker? = nil, _ recorder: StoryRecorder = StoryRecorder()
  ) async throws -> (outcome: Outcome, end: ScenarioStart) {
    simulation.trace.keepsLines = keepsTrace
    onlooker?.watch(simulation.trace)
    recorder.watch(simulation)
    let world = WitnessedWorld(
      SimulatedWorlds.make(plan.source, networks: plan.start.networks, clock: simulation.clock), clock: simulation.clock,
      notes: onlooker == nil && !recorder.keepsEvents ? nil : simulation.trace)
    world.log.isUndisturbed = plan.source.faults.isEmpty
    world.log.keepsScans = properties != nil || onlooker != nil || recorder.keepsEvents
    let scenario = plan.scenario
    let stage = try SettingsStage(simulation, world: world) { found, onIssue in
      try StartState(scenario, world).model(found, onIssue)
    }
    stage.viewCancels = plan.start.viewCancels
    let monitor = PropertyMonitor(properties ?? [])
    var coverage = Coverage()
    if properties != nil {
      stage.onMoment = { moment in
        monitor.take(moment)
        coverage.take(moment)
        onlooker?.take(moment, world, monitor.violations)
      }
    }
    stage.open()
    await simulation.settle()
    let performer = ScenarioPerformer(scenario, stage)
    let person = SettingsPerson(stage)
    var teller = StoryTeller(plan)
    var told: [ScenarioAction] = []
    while monitor.violations.isEmpty {
      let action: ScenarioAction
      if let steps {
        guard told.count < steps.count else { break }
        action = steps[told.count]
      } else {
        guard simulation.clock.now.offset < plan.activeLength else { break }
        action = teller.next(stage, person)
      }
      told.append(action)
      onlooker?.begin(action)
      recorder.begin(action, at: simulation.clock.now.offset)
      if properties != nil {
        coverage.take(action, in: SettingsState(stage.model), plan.source, at: simulation.clock.now.offset)
      }
      // A step that cannot be performed is none: what led up to it may have been taken out.
      _ = await performer.perform(ScenarioStep(action, at: .init(line: 1, column: 1)))
    }
    // Who acts when his turn comes may have acted while something went on.
    if plan.races { await simulation.settle() }
    let settings = ScenarioStart(stage)
    if monitor.violations.isEmpty {
      onlooker?.beginEnd()
      recorder.beginEnd(at: simulation.clock.now.offset)
      await end(simulation, stage, world, monitor, isJudged: properties != nil, until: cut)
    }
    coverage.take(world.log)
    // Who sleeps on a real clock would come back unseen when the curtain, coming down, cancels its task.
    if steps == nil { await simulation.restWithAbsent() }
    let (hash, trace) = (simulation.trace.hash, simulation.trace.lines)
    stage.close()
    if properties != nil, monitor.violations.isEmpty { await lookAfter(simulation, stage, monitor) }
    onlooker?.end(monitor.violations)
    return (Outcome(violations: monitor.violations, steps: told, hash: hash, trace: trace, coverage: coverage), settings)
  }

  /// The second part: nobody does anything, nothing goes wrong, and everything must come to its end.
  private func end(
    _ simulation: Simulation, _ stage: SettingsStage, _ world: WitnessedWorld, _ monitor: PropertyMonitor,
    isJudged: Bool, until cut: Duration?
  ) async {
    // However few steps are left of it, a story goes on as long as one that was told from a seed.
    let active = max(simulation.clock.now.offset, plan.length / 3, plan.source.faultsUntil ?? .zero)
    let quiet = active + plan.quietLength
    if let cut, cut < quiet {
      return await simulation.advance(to: .init(offset: max(cut, simulation.clock.now.offset)))
    }
    // The preview world does something at each full second; ask at one of them.
    let (seconds, attoseconds) = quiet.components
    await simulation.advance(to: .init(offset: .seconds(seconds + (attoseconds > 0 ? 1 : 0))))
    guard isJudged, monitor.violations.isEmpty else { return }
    for goal in SettingsGoals.all {
      if let sentence = goal.lack(stage, world) {
        monitor.add(Violation(property: goal.name, sentence: sentence, time: simulation.clock.now.offset))
      }
    }
  }

  /// The curtain is down: whatever changes now, nobody looks.
  private func lookAfter(_ simulation: Simulation, _ stage: SettingsStage, _ monitor: PropertyMonitor) async {
    let count = stage.runCount
    stage.model.wifiToggled(to: !stage.model.isOn)
    await simulation.settle()
    guard stage.runCount != count else { return }
    monitor.add(
      Violation(
        property: Self.endedObservation, sentence: "the list was worked out though its screen is gone",
        time: simulation.clock.now.offset))
  }
}
