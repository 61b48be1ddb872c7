import CDeterminism
import Synchronization

/// What of the runtime and of the system stays inside of a simulation in this program.
///
/// The product `Determinism` brings the hooks of the Swift runtime, `SystemInterposing` clocks, randomness and the
/// names of what leaves. Each feature is looked for when the program starts, and is worth having alone. What is not
/// there leaves, as it does without a simulation, and is reported.
public struct SimulationSupport: OptionSet, Hashable, Sendable, CustomStringConvertible {
  /// The bits of ``linked``.
  public let rawValue: UInt32

  /// Makes a set of its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Code on the main actor runs in the simulation; each simulation has a main actor of its own.
  public static let mainActor = SimulationSupport(rawValue: DETERMINISM_MAIN_ACTOR.rawValue)
  /// `Task { }`, `Task.detached`, default actors, child tasks and streams run in the simulation.
  public static let globalPool = SimulationSupport(rawValue: DETERMINISM_GLOBAL_POOL.rawValue)
  /// `Task.sleep`, `ContinuousClock`, `SuspendingClock`, `Date()` and `clock_gettime` have virtual time.
  public static let clocks = SimulationSupport(rawValue: DETERMINISM_CLOCKS.rawValue)
  /// `Int.random(in:)`, `UUID()` and what else asks the system for random bytes is drawn from the seed.
  public static let randomness = SimulationSupport(rawValue: DETERMINISM_RANDOMNESS.rawValue)
  /// Dispatch queues, threads, sockets and calls that block are reported when they are used.
  public static let escapes = SimulationSupport(rawValue: DETERMINISM_ESCAPES.rawValue)

  /// What is linked into this program and works with its runtime.
  public static var linked: SimulationSupport { SimulationSupport(rawValue: determinism_features()) }

  /// A line for each feature: whether it is there, and what to do where it is not.
  public var description: String {
    let rows: [(SimulationSupport, String, String)] = [
      (.mainActor, "the main actor", "link the product Determinism; this runtime may lack the hook"),
      (.globalPool, "tasks and actors of the global pool", "link the product Determinism; this runtime may lack the hook"),
      (.clocks, "clocks of the standard library and the system", "link the product SystemInterposing (Linux)"),
      (.randomness, "random numbers of the system", "link the product SystemInterposing (Linux)"),
      (.escapes, "names of what leaves", "link the product SystemInterposing (Linux)"),
    ]
    return rows.map { feature, name, remedy in contains(feature) ? "\(name): inside" : "\(name): not inside; \(remedy)" }
      .joined(separator: "\n")
  }

  /// What to do about an escape in this program.
  static var advice: String {
    linked.contains([.mainActor, .globalPool])
      ? linked.contains(.clocks)
        ? "Dispatch, threads and calls that block cannot be simulated: inject what uses them."
        : "Sleep on the simulation's clock, or link SystemInterposing; inject what uses Dispatch, threads or calls that block."
      : "Sleep on the simulation's clock, start tasks with Simulation.task, and do not detach."
  }

  // MARK: The C side

  /// Registers what an executor answers, once.
  static func register() { _ = registered }

  private static let registered: Void = {
    var callbacks = determinism_callbacks()
    unsafe callbacks.enqueue_global = { executor, job, task in
      unsafe withExecutor(executor) { unsafe $0.enqueueGlobal(unsafeBitCast(job, to: UnownedJob.self), task: task) }
    }
    unsafe callbacks.adopt = { job, task in
      let job = unsafe unsafeBitCast(job, to: UnownedJob.self)
      if running.withLock({ $0.executors }).contains(where: { $0.adopt(job, task: task) }) { return true }
      if task != 0 { running.withLock { _ = $0.outside.add(task) } }
      return false
    }
    unsafe callbacks.may_run = { task in
      let task = UInt(bitPattern: task)
      return running.withLock { $0.executors }.contains { $0.mayRun(task) }
    }
    unsafe callbacks.made_stream = { executor, storage in
      let storage = UInt(bitPattern: storage)
      unsafe withExecutor(executor) { $0.streams.withLock { $0.add(storage) } }
    }
    unsafe callbacks.gives = { storage, caller in
      let (storage, current) = (UInt(bitPattern: storage), VirtualExecutor.current)
      let owner = running.withLock { $0.executors }.first { $0.streams.withLock { $0.contains(storage) } }
      guard let owner, current?.isInside(owner) != true else { return }
      unsafe owner.noteGiven(by: caller)
    }
    unsafe callbacks.made_task = { executor, task, function, place in
      let origin = unsafe (place ?? function).map { unsafe String(cString: $0) }
      unsafe withExecutor(executor) { $0.keepOrigin(origin, of: UInt(bitPattern: task)) }
    }
    unsafe callbacks.now = { executor in
      let attoseconds = unsafe withExecutor(executor) { $0.table.now.attoseconds }
      return Int64(clamping: attoseconds / 1_000_000_000)
    }
    unsafe callbacks.random = { executor, bytes, count in
      unsafe withExecutor(executor) { unsafe $0.fill(UnsafeMutableRawBufferPointer(start: bytes, count: count)) }
    }
    unsafe callbacks.escape = { executor, action, function, place in
      unsafe withExecutor(executor) {
        unsafe $0.noteEscape(
          String(cString: action), in: function.map { unsafe String(cString: $0) }, at: place.map { unsafe String(cString: $0) })
      }
    }
    unsafe callbacks.expect = { executor in unsafe withExecutor(executor) { $0.expectJob() } }
    unsafe callbacks.is_to_end = { executor in unsafe withExecutor(executor) { $0.stop != .none } }
    unsafe callbacks.is_given_up = { executor in unsafe withExecutor(executor) { $0.stop == .abandoned } }
    determinism_register(callbacks)
    determinism_catch_traps()
  }()

  /// Asks the executor at an address, which lives while its run does: it is not retained, for each job asks.
  private static func withExecutor<Result>(_ pointer: UnsafeMutableRawPointer, _ body: (VirtualExecutor) -> Result) -> Result {
    unsafe Unmanaged<VirtualExecutor>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
  }

  private struct Running {
    /// The executors of runs whose turn it is, which know tasks that come back to no executor.
    var executors: [VirtualExecutor] = []
    /// The tasks that were made runnable on threads of no run since the first of the runs that have not ended was asked
    /// for, and are of none.
    var outside = RecentTasks()
  }

  private static let running = Mutex(Running())

  /// The owner of a task.
  enum TaskOwner {
    case outside
    case run(VirtualExecutor)
  }

  /// The owner of a task that a run sees for the first time; `nil` where the run has just made it.
  static func owner(of task: UInt64, besides run: VirtualExecutor) -> TaskOwner? {
    let (isOutside, executors) = running.withLock { ($0.outside.contains(task), $0.executors) }
    if isOutside { return .outside }
    return executors.first { $0 !== run && $0.owns(task) }.map(TaskOwner.run)
  }

  /// Distinguishes the tasks that are there from those that the run will make.
  static func announce(_ executor: VirtualExecutor) {
    executor.announceRun()
    determinism_add_running(1)
  }

  /// Lets a run be found that has its turn, until it ends.
  static func began(_ executor: VirtualExecutor) {
    executor.beginRun()
    running.withLock { $0.executors.append(executor) }
  }

  /// Ends that, for a run that returned or was given up.
  static func stopped(_ executor: VirtualExecutor) {
    running.withLock { $0.executors.removeAll { $0 === executor } }
  }

  /// Forgets a run that was announced.
  static func ended(_ executor: VirtualExecutor) {
    determinism_add_running(-1)
    running.withLock { if !determinism_is_running() { $0.outside = RecentTasks() } }
    executor.retire()
  }
}
