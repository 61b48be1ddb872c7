import CRuntimeHooks

#if os(Linux)
  package import Determinism
  @_spi(ExperimentalScheduling) @_spi(ExperimentalCustomExecutors) import _Concurrency
#endif

// Sleeps on the clocks of the standard library are asked of the executor of the task that sleeps. The protocols are not
// public yet (Swift 6.3), so what conforms to them is in this file alone, and on Linux alone: the SDKs of other systems
// do not show them. Elsewhere such a sleep is real.

#if os(Linux)
  extension VirtualExecutor: SchedulingExecutor {
    package func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      enqueue(UnownedJob(job), after: delay as? Duration ?? .zero)
    }
  }

  /// The default executor of the process: what is for the global pool comes here, and sleeps; a simulation answers on
  /// its threads.
  ///
  /// The hook of the runtime for that is left to others, such as `withMainSerialExecutor` of swift-concurrency-extras,
  /// which knows by it whether it is in force.
  final class DefaultExecutor: TaskExecutor, SchedulingExecutor {
    private let platform = PlatformExecutorFactory.defaultExecutor

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      if unsafe runtime_hooks_take(unsafeBitCast(job, to: UnsafeMutableRawPointer.self)) { return }
      VirtualExecutor.letThrough { platform.enqueue(ExecutorJob(job)) }
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
#endif

/// Called when the program starts, before anything asked for an executor; whether the default executor is this one now.
@c(runtime_hooks_set_default_executor)
package func setDefaultExecutor() -> Bool {
  #if os(Linux)
    _createExecutors(factory: Executors.self)
    TaskLayoutProbe.learn()
    return Task.defaultExecutor is DefaultExecutor
  #else
    TaskLayoutProbe.learn()
    return false
  #endif
}
