public import Simulator

/// One run: a seed, a virtual clock, an executor on which all of it happens, and a trace of what happened.
///
/// Everything that is random is drawn from the ``seed``, time is the ``clock``'s, and tasks are started with
/// ``task(_:fileID:line:_:)``, so the same seed gives the same run. Give the parts that you need to what you test: each can be used
/// without the others.
///
///     let simulation = Simulation(seed: 7)
///     let poller = Poller(clock: simulation.clock)
///     simulation.task("poll") { await poller.poll() }
///     simulation.advance(by: .seconds(3))
///     #expect(poller.count == 3)
///
/// Used by hand as above, the jobs of the simulation run on the thread that calls `advance(by:)`, `advance(to:)`,
/// `settle()` or `run()`, and only there. For a test that is itself a task of the simulation see
/// ``simulate(seed:scheduling:limits:_:)``. Not `Sendable`: a simulation belongs to whoever made it.
public final class Simulation {
  /// What everything random is drawn from.
  public let seed: UInt64
  /// The time of the run.
  public let clock: VirtualClock
  /// What happened, in order.
  public let trace: Trace

  let executor: VirtualExecutor
  let actor: SimulationActor

  /// A run that has not begun.
  public convenience init(
    seed: UInt64, scheduling: Scheduling = .inOrder, limits: SimulationLimits = SimulationLimits()
  ) {
    self.init(seed: seed, actor: SimulationActor(VirtualExecutor(scheduling, limits: limits)))
  }

  init(seed: UInt64, actor: SimulationActor) {
    self.seed = seed
    self.actor = actor
    executor = actor.executor
    clock = VirtualClock(executor: executor)
    trace = Trace(clock: clock)
  }

  /// The random stream of one named part of the run.
  public func stream(_ name: String) -> RandomStream { RandomStream(seed: seed, name: name) }

  /// The isolation of everything that runs in the simulation.
  ///
  /// For an API that takes an actor; code that the simulation runs is isolated to it anyway.
  public var isolation: any Actor { actor }

  /// Starts a task that runs in the simulation, isolated to it.
  ///
  /// `body` may use what belongs to whoever made the simulation: nothing of the simulation runs but on the thread
  /// that moves its time. An error that it throws, other than a cancellation, fails the run. Reports give the name, and
  /// where the task was started.
  @discardableResult
  public func task(
    _ name: String, fileID: String = #fileID, line: Int = #line,
    _ body: nonisolated(nonsending) @escaping () async throws -> Void
  ) -> SimulatedTask {
    let task = SimulatedTask(name: name, origin: "\(fileID):\(line)")
    executor.started(task)
    // Runs on the executor only, which one thread at a time drains; that is the thread that owns the simulation.
    nonisolated(unsafe) let body = body
    let actor = actor
    SimulatedTask.$current.withValue(task) {
      task.attach(
        Task(name: name, executorPreference: actor.executor) {
          await unsafe actor.perform(task, body)
        })
    }
    return task
  }

  /// Calls `body` whenever everything has come to rest, before time moves on; `nil` ends that.
  ///
  /// For what looks and does not touch: what it changes is seen only when something runs next.
  public func onRest(_ body: (() -> Void)?) { executor.onRest = body }

  // MARK: Time, from outside

  /// Lets everything come to rest without moving the time.
  public func settle() { executor.advance(to: clock.now.offset) }

  /// Moves the time on by `duration`, letting everything come to rest at each deadline on the way, the last included.
  public func advance(by duration: Duration) { executor.advance(to: clock.now.offset + duration) }

  /// Moves the time on to `instant`, letting everything come to rest at each deadline on the way, the last included.
  public func advance(to instant: VirtualClock.Instant) { executor.advance(to: instant.offset) }

  /// Moves the time on until nobody sleeps any more.
  public func run() { executor.run() }

  // MARK: Time, from inside

  /// Waits until everything else has come to rest, without moving the time.
  public func settle() async { await rest(at: clock.now.offset) }

  /// Waits while the time moves on by `duration`, and until everything else has come to rest then.
  public func advance(by duration: Duration) async { await rest(at: clock.now.offset + duration) }

  /// Waits while the time moves on to `instant`, and until everything else has come to rest then.
  public func advance(to instant: VirtualClock.Instant) async { await rest(at: instant.offset) }

  /// Waits until nobody sleeps any more.
  public func run() async { await rest(at: nil) }

  private func rest(at time: Duration?) async {
    if executor.isCurrent {
      await executor.rest(at: time)
    } else if let time {
      executor.advance(to: time)
    } else {
      executor.run()
    }
  }

  // MARK: The end

  /// What makes the run one that cannot be trusted, if anything does.
  public var failure: SimulationFailure? {
    let escapes = executor.escapes
    let reason = escapes.isEmpty ? executor.failure : .escaped(escapes)
    return reason.map { SimulationFailure(reason: $0, seed: seed, time: clock.now.offset) }
  }

  /// Whether nothing but the task that runs now has run since the time moved, or could: what it does now comes neither before
  /// nor after anything else.
  var isAlone: Bool { executor.isAlone }

  /// The tasks that have not ended, by name.
  public var unfinishedTasks: [SimulatedTask] { executor.unfinished }
}

/// What everything in a simulation is isolated to.
actor SimulationActor {
  nonisolated let executor: VirtualExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ executor: VirtualExecutor) { self.executor = executor }

  func perform(_ task: SimulatedTask, _ body: nonisolated(nonsending) () async throws -> Void) async {
    executor.begin(task)
    do {
      try await body()
    } catch is CancellationError {
      // Who cancels a task wants no result of it.
    } catch {
      executor.threw(task, error)
    }
    task.finish()
  }

  func perform<Result: Sendable>(
    _ seed: UInt64, _ body: nonisolated(nonsending) @Sendable (Simulation) async throws -> Result
  ) async throws -> Result {
    try await body(Simulation(seed: seed, actor: self))
  }
}

/// Runs `body` as the first task of a simulation, and returns what it returns.
///
/// All of it happens on one executor: `body`, the tasks it starts with ``Simulation/task(_:fileID:line:_:)``, their children.
/// Whenever nothing is runnable, time jumps to the next deadline, so an hour takes as long as what happens in it.
///
///     try await simulate(seed: 7) { simulation in
///       let model = ClockModel(clock: simulation.clock)
///       simulation.task("ticks") { await model.ticks() }
///       await simulation.advance(by: .seconds(60))
///       #expect(model.minutes == 1)
///     }
///
/// - Parameters:
///   - seed: what everything random is drawn from; there is no default, so that a failure can be repeated.
///   - scheduling: which runnable job runs next.
///   - limits: how far the run may go.
///   - body: runs isolated to the simulation.
/// - Throws: what `body` throws, or ``SimulationFailure``.
public func simulate<Result: Sendable>(
  seed: UInt64, scheduling: Scheduling = .inOrder, limits: SimulationLimits = SimulationLimits(),
  _ body: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> Result
) async throws -> Result {
  var actor = SimulationActor(VirtualExecutor(scheduling, limits: limits))
  let executor = actor.executor
  let outcome = Outcome<Result>()
  begin(actor, seed, outcome, body)
  await executor.drainAndWait(.end(of: executor.unfinished[0]))
  let end = executor.table.now
  let isOver = executor.failure != nil || !executor.escapes.isEmpty
  if !isOver { await executor.conclude { !isKnownUniquelyReferenced(&actor) } }
  if case .failure(let error) = outcome.value, executor.escapes.isEmpty { throw error }
  let reason = executor.escapes.isEmpty ? executor.failure : .escaped(executor.escapes)
  if let reason { throw SimulationFailure(reason: reason, seed: seed, time: end) }
  guard case .success(let result) = outcome.value else {
    preconditionFailure("simulate: the body ended without a result")
  }
  return result
}

/// Starts the first task of a simulation.
private func begin<Result: Sendable>(
  _ actor: SimulationActor, _ seed: UInt64, _ outcome: Outcome<Result>,
  _ body: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> Result
) {
  let root = SimulatedTask(name: SimulatedTask.bodyName)
  actor.executor.started(root)
  SimulatedTask.$current.withValue(root) {
    root.attach(
      Task(name: root.name, executorPreference: actor.executor) {
        await actor.perform(root) {
          do { outcome.set(.success(try await actor.perform(seed, body))) } catch { outcome.set(.failure(error)) }
        }
      })
  }
}
