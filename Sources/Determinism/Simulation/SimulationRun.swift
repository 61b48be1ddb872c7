import Synchronization

/// One run of an asynchronous body, from its beginning to its end.
final class SimulationRun<Result: Sendable>: @unchecked Sendable {
  private var actor: SimulationActor
  private let executor: VirtualExecutor
  private let isExclusive: Bool
  private let root = SimulatedTask(name: SimulatedTask.bodyName)
  private let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
  private let body: nonisolated(nonsending) @Sendable (Simulation) async throws -> Result
  /// The task that waits for the end; taken by the first to report the end.
  private let waiter = Mutex<CheckedContinuation<Void, Never>?>(nil)
  private var end = Duration.zero
  /// Whether the body had not ended when the run was stopped: what it returns after that counts for nothing.
  private var isCutShort = false

  init(
    seed: UInt64, _ scheduling: Scheduling, _ limits: SimulationLimits, isExclusive: Bool = false, choices: ChoiceRecord? = nil,
    _ body: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> Result
  ) {
    executor = VirtualExecutor(scheduling, limits: limits, seed: seed, choices: choices)
    actor = SimulationActor(executor)
    self.isExclusive = isExclusive
    self.body = body
  }

  /// Runs the body to its end.
  func result() async throws -> Result {
    try Task.checkCancellation()
    SimulationSupport.announce(executor)
    defer { SimulationSupport.ended(executor) }
    begin()
    await withTaskCancellationHandler {
      if executor.limits.pace == .real {
        SimulationSupport.began(executor)
        await executor.drainInRealTime(toTheEndOf: root)
        finish()
      } else if VirtualExecutor.current != nil {
        // Inside of another, whose thread this is: that one must not see it leave.
        drain()
      } else {
        await drainOnThread()
      }
    } onCancel: {
      executor.requestStop(.cancelled)
    }
    return try await whatBecameOfIt()
  }

  /// Starts the first task, which has the task-locals of the caller.
  private func begin() {
    executor.started(root)
    SimulatedTask.$current.withValue(root) {
      root.attach(
        Task(name: root.name, executorPreference: executor) { [self, actor] in
          await actor.perform(root) {
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await actor.perform(body)) } catch { result = .failure(error) }
            outcome.withLock { $0 = result }
            executor.beginLeftovers()
          }
        })
    }
  }

  private func drain() {
    SimulationSupport.began(executor)
    executor.drain(toTheEndOf: root)
    finish()
  }

  private func finish() {
    end = executor.table.now
    isCutShort = !root.isFinished
    executor.noteStop()
    executor.windDown { [self] in !isKnownUniquelyReferenced(&actor) }
    SimulationSupport.stopped(executor)
  }

  private func drainOnThread() async {
    await withCheckedContinuation { continuation in
      waiter.withLock { $0 = continuation }
      RunThreads.run(isExclusive: isExclusive) { [self] in
        // Its real time begins with its turn.
        let entry = Watchdog.Entry(executor) { [self] in giveUp() }
        Watchdog.add(entry)
        drain()
        Watchdog.remove(entry)
        let continuation = takeWaiter()
        continuation?.resume()
        return continuation != nil
      }
    }
  }

  /// Ends the wait for a run that does not end itself; nothing happens where it has ended meanwhile.
  func giveUp() {
    guard let continuation = takeWaiter() else { return }
    executor.keepPlace()
    executor.requestStop(.abandoned)
    SimulationSupport.stopped(executor)
    RunThreads.giveUp(isExclusive: isExclusive)
    continuation.resume()
  }

  /// What lets the waiting side go on, for the first that asks.
  private func takeWaiter() -> CheckedContinuation<Void, Never>? {
    waiter.withLock { waiter in
      defer { waiter = nil }
      return waiter
    }
  }

  private func whatBecameOfIt() async throws -> Result {
    if executor.stop == .abandoned {
      if executor.wasCancelled.load(ordering: .acquiring) { throw CancellationError() }
      throw SimulationFailure(reason: reasonToGiveUp, seed: executor.seed, time: executor.table.now)
    }
    let reason = executor.reason
    switch outcome.withLock({ $0 }) {
    case .failure(let error)?:
      // A limit cancels the body, whose error says nothing then.
      if error is CancellationError, reason != nil { break }
      guard case .escaped? = reason else { throw error }
    case .success(let result)?:
      if reason == nil { if isCutShort { throw CancellationError() } else { return result } }
    case nil:
      if reason == nil { throw CancellationError() }
    }
    throw executor.failure(at: end) ?? SimulationFailure(reason: .stalled(waiting: []), seed: executor.seed, time: end)
  }

  /// Why the job that runs is no longer waited for.
  private var reasonToGiveUp: SimulationFailure.Reason {
    // What blocks by a call that is known has said so.
    let escapes = executor.escapes
    if !escapes.isEmpty { return .escaped(escapes) }
    let task = executor.observedTask
    if executor.spins.load(ordering: .acquiring), let limit = executor.limits.realTime {
      return .realTimeLimit(limit, waiting: ["\(task) runs on, cancelled or not"])
    }
    let place = executor.stuckPlace.withLock { $0 }.map { " in \($0)" } ?? ""
    return .blocked(task: task + place, jobs: executor.jobCount)
  }
}
