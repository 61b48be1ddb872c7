import CRuntimeHooks
package import Determinism
@_spi(ExperimentalScheduling) @_spi(ExperimentalCustomExecutors) import _Concurrency

// Sleeps on the clocks of the standard library are asked of the executor of the task that sleeps. The protocols are not
// public yet (Swift 6.3), so what conforms to them is in this file alone.

extension VirtualExecutor: SchedulingExecutor {
  package func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    enqueue(UnownedJob(job), after: delay as? Duration ?? .zero)
  }
}

/// The default executor of the process: a task on a default actor asks it for sleeps, and a simulation answers on its
/// threads.
final class DefaultExecutor: TaskExecutor, SchedulingExecutor {
  private let platform = PlatformExecutorFactory.defaultExecutor

  func enqueue(_ job: consuming ExecutorJob) {
    // A yield of a task on a default actor comes here directly, and what a simulation lets through to the pool.
    let job = UnownedJob(job)
    if let simulated = VirtualExecutor.ofGlobalPool, simulated.enqueueGlobal(job) { return }
    platform.enqueue(ExecutorJob(job))
  }

  func enqueue<C: Clock>(_ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C) {
    if let simulated = VirtualExecutor.ofGlobalPool {
      simulated.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
    } else if let platform = platform as? any SchedulingExecutor {
      platform.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
    } else {
      fatalError("the default executor of this platform cannot wait")
    }
  }
}

private struct Executors: ExecutorFactory {
  static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
  static let defaultExecutor: any TaskExecutor = DefaultExecutor()
}

/// Called when the program starts, before anything asked for an executor.
@c(runtime_hooks_set_default_executor)
package func setDefaultExecutor() {
  _createExecutors(factory: Executors.self)
  TaskLayoutProbe.learn()
}
