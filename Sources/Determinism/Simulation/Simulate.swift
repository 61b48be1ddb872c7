import CDeterminism

/// The actor that everything in a simulation is isolated to.
actor SimulationActor {
  nonisolated let executor: VirtualExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ executor: VirtualExecutor) { self.executor = executor }

  func perform(_ task: SimulatedTask, _ body: nonisolated(nonsending) () async throws -> Void) async {
    executor.begin(task)
    do {
      try await body()
    } catch is CancellationError {
      // The caller that cancelled a task wants no result of it.
    } catch {
      executor.fail(.threw(task: task.name, error: "\(error)"))
    }
    task.finish()
    executor.ended(task)
  }

  func perform<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (Simulation) async throws -> Result
  ) async throws -> Result {
    try await body(Simulation(self))
  }
}

/// Runs `body` as the first task of a simulation, and returns what it returns.
///
/// All of it happens on one executor, on a thread of its own: `body`, the tasks that it starts, their children.
/// Whenever nothing is runnable, time jumps to the next deadline, so an hour takes as long as what happens in it.
///
///     try await simulate(seed: 7) { simulation in
///       let model = ClockModel(clock: simulation.clock)
///       let ticks = simulation.task("ticks") { await model.ticks() }
///       await simulation.advance(by: .seconds(60))
///       #expect(model.minutes == 1)
///       ticks.cancel()
///     }
///
/// A body on the main actor is the common case for models of views: `simulate(seed: 7) { @MainActor simulation in … }`.
/// Its main actor is the simulation's, where the hooks of the runtime are linked.
///
/// What stays inside beside that is said by ``SimulationSupport``. What leaves fails the run. The run ends early, with
/// all that it started cancelled, where the caller's task is cancelled or a limit is reached.
///
/// - Parameters:
///   - seed: what everything random is drawn from; there is no default, so that a failure can be repeated.
///   - order: the order in which tasks go on, where several could; by default another one for each seed.
///   - limits: how far the run may go.
///   - exclusive: whether no other simulation of the process goes on meanwhile, as for what uses an actor or another
///     object that all share. It waits for those that go on, and those that come later wait for it; one inside of
///     another is part of that.
///   - body: runs isolated to the simulation.
/// - Throws: what `body` throws, ``SimulationFailure``, or `CancellationError`.
public func simulate<Result: Sendable>(
  seed: UInt64, order: JobOrder = .shuffled, limits: SimulationLimits = SimulationLimits(), exclusive: Bool = false,
  _ body: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> Result
) async throws -> Result {
  try await SimulationRun(seed: seed, order.scheduling(seed: seed), limits, isExclusive: exclusive, body).result()
}

/// The same, which also records its choices.
package func simulate<Result: Sendable>(
  seed: UInt64, order: JobOrder, choices: ChoiceRecord?, limits: SimulationLimits,
  _ body: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> Result
) async throws -> Result {
  try await SimulationRun(seed: seed, order.scheduling(seed: seed), limits, choices: choices, body).result()
}

/// Runs `body` inside a simulation whose time it moves by hand, on the thread of the caller.
///
/// For synchronous tests. Code on the main actor, tasks and clocks are virtual in `body` as they are in its tasks,
/// which run while the time is moved.
///
///     @Test @MainActor func ticks() throws {
///       try withSimulation(seed: 7) { simulation in
///         let model = StopwatchModel(clock: simulation.clock)
///         model.startButtonTapped()
///         simulation.advance(by: .seconds(3))
///         #expect(model.seconds == 3)
///         model.stopButtonTapped()
///       }
///     }
///
/// - Parameter exclusive: whether no other simulation of the process goes on meanwhile; the thread waits for its turn.
/// - Throws: what `body` throws, or ``SimulationFailure``.
public func withSimulation<Result>(
  seed: UInt64, order: JobOrder = .shuffled, limits: SimulationLimits = SimulationLimits(), exclusive: Bool = false,
  _ body: (Simulation) throws -> Result
) throws -> Result {
  let isInside = VirtualExecutor.current != nil
  if !isInside { RunThreads.begin(isExclusive: exclusive) }
  defer { if !isInside { RunThreads.end(isExclusive: exclusive) } }
  let executor = VirtualExecutor(order.scheduling(seed: seed), limits: limits, seed: seed)
  SimulationSupport.announce(executor)
  defer { SimulationSupport.ended(executor) }
  SimulationSupport.began(executor)
  defer { SimulationSupport.stopped(executor) }
  executor.isScoped = true
  executor.park()
  let result = Swift.Result<Result, any Error> {
    let simulation = Simulation(SimulationActor(executor))
    return try executor.enter(runsJobs: true) { try body(simulation) }
  }
  let end = executor.table.now
  if executor.failure == nil { executor.drain(.time(end), isLast: false) }
  executor.windDown { false }
  if case .failure(let error) = result, executor.escapes.isEmpty { throw error }
  if let failure = executor.failure(at: end) { throw failure }
  return try result.get()
}

extension VirtualExecutor {
  /// What makes the run one that cannot be trusted, if anything does.
  var reason: SimulationFailure.Reason? {
    let escapes = escapes
    return escapes.isEmpty ? failure : .escaped(escapes)
  }

  /// The same as an error, with what else is to be said.
  func failure(at time: Duration) -> SimulationFailure? {
    reason.map {
      SimulationFailure(
        reason: $0, seed: seed, time: time, ignoredCancellation: ignoredCancellation, outsideTasks: outsideTasks,
        hookCulprit: hookCulprit)
    }
  }

  /// Says why the run was stopped; a caller that cancels it knows.
  func noteStop() {
    guard stop == .realTimeLimit, let limit = limits.realTime else { return }
    let asleep = table.tasks
    let others = unfinished.filter { task in !asleep.contains(ObjectIdentifier(task)) }
    fail(
      .realTimeLimit(
        limit,
        waiting: table.reportedSleepers.map(\.sentence) + others.map { "\($0.title) ran or waited" }
          + waitingOpenTasks.map { words(of: $0, " ran or waited") }))
  }

  /// The executor that stands for the global pool on this thread.
  package static var ofGlobalPool: VirtualExecutor? {
    guard let current, current.support.contains(.globalPool) else { return nil }
    return current
  }

  /// Gives a task to the pool of the process, which is no escape of the job that runs.
  package static func letThrough(_ enqueue: () -> Void) {
    let thread = unsafe determinism_this_thread()
    let runsJob = unsafe thread.pointee.runs_job
    unsafe thread.pointee.runs_job = false
    enqueue()
    unsafe thread.pointee.runs_job = runsJob
  }

  /// The executor whose thread this is.
  package static var current: VirtualExecutor? {
    unsafe determinism_current_executor().map { unsafe Unmanaged<VirtualExecutor>.fromOpaque($0).takeUnretainedValue() }
  }
}
