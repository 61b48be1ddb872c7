import Synchronization

/// Where a test runs: `observe` must do the same on each.
public enum Ground: String, CaseIterable, Sendable {
  /// The main actor.
  case mainActor
  /// An actor on the global pool.
  case customActor
  /// An actor whose executor runs jobs when it is drained.
  case executorDrainedByHand

  /// Runs a body there to its end.
  public func run(_ body: @escaping @Sendable (isolated any Actor) async -> Void) async {
    switch self {
    case .mainActor: await body(MainActor.shared)
    case .customActor: await body(Plain())
    case .executorDrainedByHand: HandExecutor().run(body)
    }
  }
}

/// Ends the turn: returns after everything that was enqueued here has run.
public func endTurn(isolation: isolated (any Actor)? = #isolation) async {
  await Task { _ = isolation }.value
}

/// An actor with nothing in it.
public actor Plain {
  /// Makes one.
  public init() {}
}

/// An executor that runs jobs only when it is drained, on the thread that drains it.
public final class HandExecutor: SerialExecutor, TaskExecutor {
  /// An executor without jobs.
  public init() {}

  private let jobs = Mutex<[UnownedJob]>([])

  /// Keeps a job until it is run.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// The jobs that wait.
  public var count: Int { jobs.withLock { $0.count } }

  /// Runs the oldest job; `false` where there is none.
  public func runNext() -> Bool {
    let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let job else { return false }
    unsafe job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    return true
  }

  /// Runs a body on an actor of this executor, and all that comes of it, before it returns.
  public func run(_ body: @escaping @Sendable (isolated any Actor) async -> Void) {
    let owner = HandActor(self)
    Task(executorPreference: self) { await owner.perform(body) }
    while runNext() {}
  }
}

/// An actor that runs where its executor says.
public actor HandActor {
  let executor: HandExecutor
  /// Its executor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// An actor of an executor.
  public init(_ executor: HandExecutor) { self.executor = executor }

  /// Runs a body on the actor.
  public func perform(_ body: @Sendable (isolated any Actor) async -> Void) async { await body(self) }
}
