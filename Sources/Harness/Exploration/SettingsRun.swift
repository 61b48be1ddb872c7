public import Determinism
import Models
import WiFi

/// A run about the Wi-Fi settings that is searched for trouble: told from a seed, or told again step by step.
///
/// It has two parts. In the first a user taps and types, and faults may happen; what must always hold is asked at every
/// moment of rest. Then faults stop, nobody does anything any more, and what must come about in the end is asked last.
public struct SettingsRun: Hashable, Sendable {
  /// What was drawn before it begins.
  public var plan: RunPlan
  /// What happens, step by step; `nil` where the seed tells it.
  public var steps: [ScenarioAction]?
  /// Which view it goes through; its trace is the same through each.
  public var view = ViewKind.headless

  /// The run of a plan: told from its seed, or as `steps` say.
  public init(_ plan: RunPlan, steps: [ScenarioAction]? = nil) {
    self.plan = plan
    self.steps = steps
  }

  /// What became of a run.
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

    /// All in which two records must agree: the trace, the steps and what was violated, as one number.
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

  /// Tells the run once.
  ///
  /// A run that leaves the simulation or never settles is a violation like any other.
  ///
  /// - Parameter cut: when the quiet part ends, where that is before its time; then no goal is asked for. For who knows
  ///   when the trouble comes.
  public func run(
    keepsTrace: Bool = false, properties: [SettingsProperty] = SettingsProperties.safety,
    until cut: Duration? = nil, observer: RunObserver? = nil
  ) async -> Outcome {
    await run(
      plan.scheduling, keepsTrace: keepsTrace, properties: properties, until: cut, observer: observer,
      recorder: RunRecorder())
  }

  /// Tells the run once, to be compared with another record.
  public func record() async -> RunRecord {
    let recorder = RunRecorder(keepsEvents: true)
    _ = await run(plan.scheduling, recorder: recorder)
    return recorder.record
  }

  /// Tells the run once, with its tasks in this order.
  ///
  /// - Parameter isJudged: whether it is held against what must hold; where not, the outcome says what happened and no more.
  func run(
    _ scheduling: Scheduling, keepsTrace: Bool = false,
    properties: [SettingsProperty] = SettingsProperties.safety, isJudged: Bool = true,
    until cut: Duration? = nil, observer: RunObserver? = nil, recorder: RunRecorder = RunRecorder()
  ) async -> Outcome {
    let run = self
    do {
      return try await simulate(seed: plan.seed, scheduling: scheduling) { simulation in
        try await run.run(
          in: simulation, keepsTrace: keepsTrace, properties: isJudged ? properties : nil, until: cut, observer, recorder
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

  /// How everything is after the first `count` steps, as another run may begin; `nil` where the run cannot be trusted.
  func start(after count: Int) async -> ScenarioStart? {
    let run = SettingsRun(plan, steps: Array((steps ?? []).prefix(count)))
    return try? await simulate(seed: plan.seed, scheduling: plan.scheduling) { simulation in
      try await run.run(in: simulation, keepsTrace: false, properties: [], until: .zero).end
    }
  }

  private func run(
    in simulation: Simulation, keepsTrace: Bool, properties: [SettingsProperty]?, until cut: Duration?,
    _ observer: RunObserver? = nil, _ recorder: RunRecorder = RunRecorder()
  ) async throws -> (outcome: Outcome, end: ScenarioStart) {
    simulation.trace.keepsLines = keepsTrace
    observer?.watch(simulation.trace)
    recorder.watch(simulation)
    let world = ProbedWorld(
      SimulatedWorlds.make(plan.source, networks: plan.start.networks, known: plan.start.known, clock: simulation.clock),
      clock: simulation.clock, notes: observer == nil && !recorder.keepsEvents ? nil : simulation.trace)
    world.log.isUndisturbed = plan.source.faults.isEmpty
    world.log.keepsScans = properties != nil || observer != nil || recorder.keepsEvents
    let scenario = plan.scenario
    let fixture = try SettingsFixture(simulation, world: world, via: view) { found, onIssue in
      try StartState(scenario, world).model(found, onIssue)
    }
    fixture.viewCancels = plan.start.viewCancels
    let monitor = PropertyMonitor(properties ?? [])
    var coverage = Coverage()
    if properties != nil {
      fixture.onMoment = { moment in
        monitor.take(moment)
        coverage.take(moment)
        observer?.take(moment, world, monitor.violations)
      }
    }
    fixture.open()
    await simulation.settle()
    let performer = ScenarioPerformer(scenario, fixture)
    let user = SettingsUser(fixture)
    var generator = ActionGenerator(plan)
    var told: [ScenarioAction] = []
    while monitor.violations.isEmpty {
      let action: ScenarioAction
      if let steps {
        guard told.count < steps.count else { break }
        action = steps[told.count]
      } else {
        guard simulation.clock.now.offset < plan.activeLength else { break }
        action = generator.next(fixture, user)
      }
      told.append(action)
      observer?.begin(action)
      recorder.begin(action, at: simulation.clock.now.offset)
      if properties != nil {
        coverage.take(action, in: SettingsState(fixture.model), plan.source, at: simulation.clock.now.offset)
      }
      // A step that cannot be performed is none: what led up to it may have been taken out.
      _ = await performer.perform(ScenarioStep(action, at: .init(line: 1, column: 1)))
    }
    // Who acts when his turn comes may have acted while something went on.
    if plan.races { await simulation.settle() }
    let settings = ScenarioStart(fixture)
    if monitor.violations.isEmpty {
      observer?.beginEnd()
      recorder.beginEnd(at: simulation.clock.now.offset)
      await end(simulation, fixture, world, monitor, isJudged: properties != nil, until: cut)
    }
    coverage.take(world.log)
    // Who sleeps on a real clock would come back unseen when the curtain, coming down, cancels its task.
    if steps == nil { await simulation.restWithAbsent() }
    let (hash, trace) = (simulation.trace.hash, simulation.trace.lines)
    fixture.close()
    if properties != nil, monitor.violations.isEmpty { await lookAfter(simulation, fixture, monitor) }
    observer?.end(monitor.violations)
    return (Outcome(violations: monitor.violations, steps: told, hash: hash, trace: trace, coverage: coverage), settings)
  }

  /// The second part: nobody does anything, nothing goes wrong, and everything must come to its end.
  private func end(
    _ simulation: Simulation, _ fixture: SettingsFixture, _ world: ProbedWorld, _ monitor: PropertyMonitor,
    isJudged: Bool, until cut: Duration?
  ) async {
    // However few steps are left of it, a run goes on as long as one that was told from a seed.
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
      if let sentence = goal.lack(fixture, world) {
        monitor.add(Violation(property: goal.name, sentence: sentence, time: simulation.clock.now.offset))
      }
    }
  }

  /// The curtain is down: whatever changes now, nobody looks.
  private func lookAfter(_ simulation: Simulation, _ fixture: SettingsFixture, _ monitor: PropertyMonitor) async {
    let count = fixture.runCount
    fixture.model.wifiToggled(to: !fixture.model.isOn)
    await simulation.settle()
    guard fixture.runCount != count else { return }
    monitor.add(
      Violation(
        property: Self.endedObservation, sentence: "the list was worked out though its screen is gone",
        time: simulation.clock.now.offset))
  }
}
