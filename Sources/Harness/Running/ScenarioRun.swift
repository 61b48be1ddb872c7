public import Determinism
import Models
import WiFi

/// Runs a scenario in a simulation and judges it.
public struct ScenarioRun: Sendable {
  /// What is run.
  public internal(set) var scenario: Scenario
  /// Gets the choices among tasks that are made, where they are wanted.
  var choices: ChoiceRecord?

  /// Runs this scenario.
  public init(_ scenario: Scenario) { self.scenario = scenario }

  /// The result of a run.
  public struct Outcome: Sendable {
    /// The expectations that were not met, each a sentence with lines of detail; empty where everything was.
    public var failures: [String]
    /// What happened, a line each.
    public var trace: [String]
    /// The hash of the trace.
    public var hash: UInt64
    /// The virtual time at the end.
    public var end: Duration
    /// The pictures of a view that draws, each with its virtual time; empty where none does.
    public var pictures: [String] = []
  }

  /// Runs the run on virtual time, or with an adapter on real time, on the world that `makeWorld` makes.
  ///
  /// - Parameters:
  ///   - keepsTrace: whether the outcome has the lines of the trace.
  ///   - observer: the observer of the run.
  ///   - view: which view it goes through.
  ///   - makeWorld: makes the world; runs isolated to the simulation.
  /// - Throws: what `makeWorld` throws, and ``ScenarioProblem`` where the start state means a network that is not
  ///   there.
  public func run(
    keepsTrace: Bool = true, observer: RunObserver? = nil, via view: ViewKind = .headless,
    makeWorld: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> any ScenarioWorld
  ) async throws -> Outcome {
    let scenario = scenario
    let seed: UInt64 = if case .simulate(let source) = scenario.source { source.seed } else { 0 }
    var limits = SimulationLimits()
    // A scenario that fails ends where it is, with the panel open.
    limits.allowed.insert(.unfinishedTasks)
    // Its steps end by themselves. Ten thousand networks through a view take a debugging build on a busy machine more
    // than a minute.
    limits.realTime = .seconds(600)
    if case .interface = scenario.source { limits.pace = .real }
    return try await simulate(seed: seed, order: scenario.jobs, choices: choices, limits: limits) { simulation in
      simulation.trace.keepsLines = keepsTrace
      observer?.watch(simulation.trace)
      let world = ProbedWorld(
        try await makeWorld(simulation), clock: simulation.clock, trace: simulation.trace,
        notes: observer == nil ? nil : simulation.trace)
      var pictures: [String] = []
      let keepPicture = { (lines: [String]) in
        pictures.append("--- \(VirtualTime.text(simulation.clock.now.offset)) ---")
        pictures += lines
      }
      world.log.keepsEvents = true
      let fixture = try SettingsFixture(simulation, scenario, world, via: view, onPicture: keepsTrace ? keepPicture : nil)
      let performer = ScenarioPerformer(scenario, fixture)
      let monitor = PropertyMonitor(SettingsProperties.safety)
      fixture.onMoment = { moment in
        monitor.take(moment, at: moment.time)
        observer?.take(moment, world, monitor.violations)
      }
      fixture.open()
      await simulation.settle()
      var failures: [String] = []
      for step in scenario.steps {
        observer?.begin(step.action, line: step.place.line)
        let differences = await performer.perform(step)
        if let first = differences.first {
          simulation.trace.record("stops at line \(step.place.line): \(first)")
          observer?.fail(differences)
          failures.append(
            "\(ScenarioProblem(file: scenario.file, place: step.place, sentence: differences.joined(separator: "\n  ")))")
          break
        }
        if !monitor.violations.isEmpty { break }
      }
      failures += monitor.violations.map { $0.failure(of: scenario.file) }
      let end = simulation.clock.now.offset
      fixture.close()
      return Outcome(failures: failures, trace: simulation.trace.lines, hash: simulation.trace.hash, end: end, pictures: pictures)
    }
  }
}

extension Violation {
  /// What is said of it where a scenario file is checked.
  func failure(of file: String) -> String { "\(file): what must always hold did not: \(self)" }
}
