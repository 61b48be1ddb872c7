import Synchronization

/// Where a test runs: `observe` must do the same on each.
enum Ground: String, CaseIterable, Sendable {
  case mainActor
  case customActor
  case executorDrainedByHand

  /// Runs a body there to its end.
  func run(_ body: @escaping @Sendable (isolated any Actor) async -> Void) async {
    switch self {
    case .mainActor: await body(MainActor.shared)
    case .customActor: await body(Plain())
    case .executorDrainedByHand: HandExecutor().run(body)
    }
  }
}

/// Ends the turn: returns after everything that was enqueued here has run.
func endTurn(isolation: isolated (any Actor)? = #isolation) async {
  await Task { _ = isolation }.value
}

actor Plain {}

/// An executor that runs jobs only when it is told to, on the thread that tells it.
final class HandExecutor: SerialExecutor, TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// The jobs that wait.
  var count: Int { jobs.withLock { $0.count } }

  /// Runs the oldest job; `false` where there is none.
  func runNext() -> Bool {
    let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let job else { return false }
    unsafe job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    return true
  }

  /// Runs a body on an actor of this executor, and all that comes of it, before it returns.
  func run(_ body: @escaping @Sendable (isolated any Actor) async -> Void) {
    let owner = HandActor(self)
    Task(executorPreference: self) { await owner.perform(body) }
    while runNext() {}
  }
}

/// An actor that runs where its executor says.
actor HandActor {
  let executor: HandExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ executor: HandExecutor) { self.executor = executor }

  func perform(_ body: @Sendable (isolated any Actor) async -> Void) async { await body(self) }
}
