import Synchronization

/// The task-locals of a registration, in which an observer is run later.
///
/// A task copies the task-locals of where it is made. This one is its own executor: it holds the task's job, and runs
/// it synchronously inside the flush, isolated to the owner. Between two runs the task is enqueued here and held again.
final class RegistrationContext: TaskExecutor {
  private struct State: @unchecked Sendable {
    /// The job of the task; `nil` while it runs, and after its end.
    var job: UnownedJob?
    var work: (() -> Void)?
    var isEnded = false
  }

  private let state = Mutex(State())

  /// Keeps the task-locals of the caller.
  ///
  /// Must be ended, or the task stays forever.
  init() {
    _ = Task(name: "observe", executorPreference: self) { [self] in await perform() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.job = job }
  }

  /// Runs work with the task-locals of the registration, before this returns.
  ///
  /// - Precondition: called in the isolation of the executor; the work is not run by itself again.
  func run(isolatedTo executor: UnownedSerialExecutor, _ work: @escaping () -> Void) {
    var next = begin(work)
    // The first job of the task only leaves the isolation for this executor; the next does the work.
    while let job = next {
      unsafe job.runSynchronously(isolatedTo: executor, taskExecutor: asUnownedTaskExecutor())
      next = proceed()
    }
  }

  /// Gives the task its work and takes its job, in one step: it may be ended from another thread at any time.
  private func begin(_ work: @escaping () -> Void) -> UnownedJob? {
    nonisolated(unsafe) let work = work
    return state.withLock { state in
      if state.isEnded { return nil }
      guard let job = state.job else { fatalError("observe: an observer was run inside its own run") }
      state.job = nil
      unsafe state.work = work
      return job
    }
  }

  /// The job that has still to do the work, or to end.
  private func proceed() -> UnownedJob? {
    state.withLock { state in
      guard state.isEnded || state.work != nil else { return nil }
      defer { state.job = nil }
      return state.job
    }
  }

  /// Ends the task, at the latest when the run that is under way returns.
  func end() {
    state.withLock { $0.isEnded = true }
    while let job = takeJob() { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func takeJob() -> UnownedJob? {
    state.withLock { state in
      defer { state.job = nil }
      return state.job
    }
  }

  private nonisolated func perform() async {
    // It is resumed at once, and has then to go back from the owner to this executor: that is the enqueueing.
    while performOnce() { unsafe await withUnsafeContinuation { unsafe $0.resume() } }
  }

  private func performOnce() -> Bool {
    let (work, isEnded) = state.withLock { state in
      defer { state.work = nil }
      return (state.work, state.isEnded)
    }
    if isEnded { return false }
    work?()
    return true
  }
}
