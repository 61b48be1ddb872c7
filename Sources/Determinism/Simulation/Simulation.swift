import CDeterminism
import Synchronization

/// One run: a seed, a virtual clock, an executor on which all of it happens, and a trace of what happened.
///
/// Everything that is random is drawn from the ``seed``, time is the ``clock``'s, and tasks are started with
/// ``task(_:atEnd:fileID:line:_:)``, so the same seed gives the same run. Give the parts that you need to what you
/// test: each can be used without the others.
///
///     let simulation = Simulation(seed: 7)
///     let poller = Poller(clock: simulation.clock)
///     simulation.task("poll") { await poller.poll() }
///     simulation.advance(by: .seconds(3))
///     #expect(poller.count == 3)
///
/// Used by hand as above, the jobs of the simulation run on the thread that calls `advance(by:)`, `advance(to:)`,
/// `settle()` or `run()`, and only there. For a test that is itself a task of the simulation see
/// ``simulate(seed:order:limits:exclusive:_:)``. It is `Sendable` so that code on any actor of its run can be given
/// it; it belongs to the run anyway, and a use from outside is reported.
public final class Simulation: @unchecked Sendable {
  /// What everything random is drawn from.
  public var seed: UInt64 {
    noteDraw()
    return executor.seed
  }
  /// The time of the run.
  public let clock: VirtualClock
  /// What happened, in order.
  public let trace: Trace

  let executor: VirtualExecutor
  let actor: SimulationActor
  private let draws = Atomic(false)

  /// A run that has not begun.
  public convenience init(
    seed: UInt64, order: JobOrder = .shuffled, limits: SimulationLimits = SimulationLimits()
  ) {
    self.init(SimulationActor(VirtualExecutor(order.scheduling(seed: seed), limits: limits, seed: seed)))
  }

  init(_ actor: SimulationActor) {
    self.actor = actor
    executor = actor.executor
    clock = VirtualClock(executor: executor)
    trace = Trace(clock: clock)
    executor.simulation = self
  }

  /// The simulation whose code runs now; `nil` outside of any.
  ///
  /// For code that is not given one, such as a test that the trait `.simulated(seed:)` runs.
  public static var current: Simulation? { VirtualExecutor.current?.simulation }

  /// The same where there must be one, so that a test without its trait does not pass by doing nothing.
  ///
  /// - Throws: an error that says what to do, outside of any.
  public static var required: Simulation {
    get throws {
      guard let current else { throw NoSimulation() }
      return current
    }
  }

  private struct NoSimulation: Error, CustomStringConvertible {
    var description: String {
      "Simulation.required is outside of a simulation: give the test the trait .simulated(seed: 7), or run it in simulate(seed: 7)"
    }
  }

  /// The random stream of one named part of the run.
  public func stream(_ name: String) -> RandomStream { RandomStream(seed: seed, name: name) }

  /// Whether anything was drawn from the seed, but for the order of tasks; where nothing was, all seeds are one run.
  var hasDrawn: Bool { draws.load(ordering: .relaxed) }

  /// Something is drawn from the seed.
  func noteDraw() { draws.store(true, ordering: .relaxed) }

  /// Starts a task that runs in the simulation, isolated to it.
  ///
  /// `body` may use what belongs to the maker of the simulation: nothing of the simulation runs but on the thread
  /// that moves its time. An error that it throws, other than a cancellation, fails the run. Reports give the name, and
  /// where the task was started.
  ///
  /// - Parameter atEnd: what is to become of the task where the body of the run ends first; by default the run fails.
  @discardableResult
  public func task(
    _ name: String, atEnd: SimulatedTask.AtEnd = .fail, fileID: String = #fileID, line: Int = #line,
    _ body: nonisolated(nonsending) @escaping () async throws -> Void
  ) -> SimulatedTask {
    let task = SimulatedTask(name: name, at: (fileID, line), isCancelledAtEnd: atEnd == .cancel)
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

  /// Calls `body` whenever everything is at rest, before time moves on; `nil` ends that.
  ///
  /// For observers that change nothing: a change that it makes is seen only when something runs next.
  public func onRest(_ body: (() -> Void)?) { executor.onRest = body }

  /// Asks something of the run while everything rests: it may ask the actors of the run, too.
  func whileAtRest(_ body: () -> Void) {
    let thread = unsafe determinism_this_thread()
    let rested = unsafe thread.pointee.rests
    unsafe thread.pointee.rests = true
    defer { unsafe thread.pointee.rests = rested }
    body()
  }

  /// Called where an order that is given lets one task go on before another, in words.
  package func onOvertaking(_ body: ((String) -> Void)?) { executor.onOvertaking = body }

  /// Records the choices of a run that has just begun.
  package func record(choices: ChoiceRecord) { executor.record(choices) }

  // MARK: Time, from outside

  /// Runs everything until it is at rest, without moving the time.
  public func settle() { executor.advance(to: clock.now.offset) }

  /// Moves the time on by `duration`, running everything until it is at rest at each deadline on the way, the last
  /// included.
  public func advance(by duration: Duration) { executor.advance(to: clock.now.offset.adding(duration)) }

  /// Moves the time on to `instant`, running everything until it is at rest at each deadline on the way, the last
  /// included.
  package func advance(to instant: VirtualClock.Instant) { executor.advance(to: instant.offset) }

  /// Moves the time on until no task sleeps any more.
  public func run() { executor.run() }

  // MARK: Time, from inside

  /// Waits until everything else is at rest, without moving the time.
  public func settle() async { await rest(at: clock.now.offset) }

  /// Waits while the time moves on by `duration`, and until everything else is at rest then.
  ///
  /// Returns early where the caller's task is cancelled. A duration that is negative fails the run.
  public func advance(by duration: Duration) async { await rest(at: clock.now.offset.adding(duration)) }

  /// Waits while the time moves on to `instant`, and until everything else is at rest then.
  package func advance(to instant: VirtualClock.Instant) async { await rest(at: instant.offset) }

  /// Waits until no other task sleeps any more.
  public func run() async { await rest(at: nil) }

  private func rest(at time: Duration?) async {
    if executor.isDraining {
      if let time, time < clock.now.offset { return executor.advance(to: time) }
      await executor.rest(at: time)
    } else if let time {
      executor.advance(to: time)
    } else {
      executor.run()
    }
  }

  // MARK: The end

  /// Parks this thread if the run was abandoned: no caller waits for it, and what this thread would return to may be
  /// gone.
  package func stayIfGivenUp() { if executor.stop == .abandoned { determinism_park_thread() } }

  /// What makes the run one that cannot be trusted, if anything does.
  public var failure: SimulationFailure? { executor.failure(at: clock.now.offset) }

  /// The first hundred tasks made outside of the run that it woke, such as a logger's or another run's, in words: by
  /// what they are called, and where they waited.
  ///
  /// They go on where they were, on the pool in real time or in their run, and this one neither waits for them nor ends
  /// them. What of them comes back into the run is an ``Escape``. Empty where time is moved by hand from outside.
  public var outsideTasks: [String] { executor.outsideTasks }

  /// Whether nothing but the task that runs now has run since the time moved, or could: what it does now comes neither
  /// before nor after anything else.
  package var isAlone: Bool { executor.isAlone }

  /// The tasks that have not ended, by name.
  public var unfinishedTasks: [SimulatedTask] { executor.unfinished }
}
