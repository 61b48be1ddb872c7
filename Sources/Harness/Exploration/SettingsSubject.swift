package import Determinism
import Models
import WiFi

/// The Wi-Fi settings as a model that is explored: a world, a user who taps and types what is on the screen, and
/// faults.
///
/// A run has two parts. In the first the user acts, and faults may happen. Then faults stop, nothing is done any more,
/// and what must come about in the end is asked last.
package final class SettingsSubject: Explorable {
  package typealias Step = ScenarioAction

  package static var always: [Property<SettingsSubject>] { SettingsProperties.safety.map(\.ofSettings) + DaemonGoals.always }
  package static var eventually: [Property<SettingsSubject>] { SettingsGoals.all }

  /// What was drawn before the run began.
  let plan: RunPlan
  let fixture: SettingsFixture
  let world: ProbedWorld
  /// The latest moment of rest; `nil` before the first, and where the run is not judged.
  private(set) var moment: SettingsMoment?
  private let simulation: Simulation
  private let performer: ScenarioPerformer
  private let user: SettingsUser
  private var generator: SettingsGenerator
  private var coverage = SettingsCoverage()
  private var isJudged = false

  package convenience init(in simulation: Simulation) async throws {
    try await self.init(in: simulation, from: RunPlan(seed: simulation.seed))
  }

  private init(in simulation: Simulation, from plan: RunPlan) async throws {
    simulation.trace.keepsLines = false
    let scenario = plan.scenario
    let world = ProbedWorld(
      SimulatedWorlds.make(
        plan.source, networks: plan.start.networks, known: plan.start.known, radioIsOn: plan.start.isOn, clock: simulation.clock),
      clock: simulation.clock, notes: simulation.trace)
    fixture = try SettingsFixture(simulation, scenario, world, via: plan.view, limits: plan.viewLimits)
    (self.plan, self.world, self.simulation) = (plan, world, simulation)
    performer = ScenarioPerformer(scenario, fixture, remembersRows: true)
    user = SettingsUser(fixture)
    generator = SettingsGenerator(plan)
    fixture.open()
  }

  package func next(_ stream: inout RandomStream) -> ScenarioAction? {
    simulation.clock.now.offset < plan.activeLength ? generator.next(fixture, user, &stream) : nil
  }

  /// Does a step; one that cannot be done is none, as what led up to it may have been left out.
  package func perform(_ step: ScenarioAction) async {
    if isJudged { coverage.take(step, in: SettingsState(fixture.model), plan.source, at: simulation.clock.now.offset) }
    _ = await performer.perform(ScenarioStep(action: step, place: .init(line: 1, column: 1)))
  }

  private func begin(isJudged: Bool, keepsScans: Bool) {
    self.isJudged = isJudged
    world.log.keepsScans = keepsScans
    world.log.keepsEvents = isJudged
    guard isJudged else { return }
    fixture.onMoment = { [unowned self] in
      moment = $0
      coverage.take($0)
    }
  }

  private func reached() -> Coverage {
    coverage.take(world.log)
    return coverage.coverage
  }

  /// Whatever changes after the screen has gone must not be looked at.
  private func close(isJudged: Bool) async -> Violation? {
    fixture.close()
    guard isJudged else { return nil }
    let count = fixture.runCount
    fixture.model.wifiToggled(to: !fixture.model.isOn)
    await simulation.settle()
    guard fixture.runCount != count else { return nil }
    return Violation(
      property: SettingsProperties.endedObservation, sentence: "the list was worked out though its screen is gone",
      time: simulation.clock.now.offset)
  }

  /// How its runs are run.
  package static let options: RunOptions<SettingsSubject, RunPlan> = {
    var options = RunOptions<SettingsSubject, RunPlan>()
    options.starts = Starts(
      make: { try await SettingsSubject(in: $0, from: $1) }, now: { $0.startNow }, simpler: { simplerStarts(of: $0) },
      later: { later($0, after: $1, from: $2) })
    // The user draws pauses with everything else.
    options.pause = nil
    options.limits = SimulationLimits()
    options.end = { plan, now in
      // However few steps are left of it, a run goes on as long as one that was drawn from a seed.
      let end = max(now, plan.length / 3, plan.source.faultsUntil ?? .zero) + plan.quietLength
      // The preview world does something at each full second; ask at one of them.
      return .seconds(end.components.seconds + (end.components.attoseconds > 0 ? 1 : 0))
    }
    options.words = { if case .step(let step) = $0 { step.words } else { "" } }
    options.joined = { $0.joined($1) }
    options.tracesSteps = false
    options.waitsForAbsent = true
    options.begin = { $0.begin(isJudged: $2, keepsScans: $1 || $2) }
    options.coverage = { $0.reached() }
    options.close = { await $0.close(isJudged: $1) }
    return options
  }()
}

/// A run about the Wi-Fi settings.
package typealias SettingsRun = ExploredRun<SettingsSubject, RunPlan>

extension SettingsRun {
  /// The run of a plan: drawn from its seed, or as `steps` say.
  package init(_ plan: RunPlan, steps: [ScenarioAction]? = nil, order: JobOrder? = nil) {
    var options = SettingsSubject.options
    options.limits.realTime = plan.realTime
    self.init(
      seed: plan.seed, start: plan, order: order ?? (steps == nil ? plan.drawnOrder : .inOrder),
      actions: steps?.map(Action.step), options)
  }

  /// The run of a scenario with a simulated source; `nil` where it has another.
  package init?(_ scenario: Scenario) {
    guard let plan = RunPlan(scenario) else { return nil }
    self.init(plan, steps: scenario.steps.map(\.action), order: scenario.jobs)
    // A debugging build on a busy machine takes longer than an exploration waits.
    options.limits.realTime = plan.realTime * 4
  }

  /// What happens, step by step; `nil` where the seed draws it.
  package var steps: [ScenarioAction]? { actions?.compactMap(\.step) }

  /// Runs once, for an observer that explains it.
  package func run(
    properties: (@Sendable () -> [Property<SettingsSubject>])? = nil, observer: RunObserver
  ) async -> SettingsRun.Outcome {
    observer.begin()
    let watcher = SettingsRun.Recorder.Watcher(
      event: { observer.take($0) }, begin: { if let step = $0.step { observer.begin(step) } }, beginEnd: { observer.beginEnd() },
      looked: { subject, violations in if let moment = subject.moment { observer.take(moment, subject.world, violations) } })
    let outcome = await run(properties: properties, recorder: RunRecorder(keeps: .trace, watcher: watcher))
    if !outcome.isBroken { observer.end(outcome.violations) }
    return outcome
  }
}

extension RunOutcome<ScenarioAction, RunPlan> {
  /// What happened, step by step.
  package var steps: [ScenarioAction] { actions.compactMap(\.step) }
}
