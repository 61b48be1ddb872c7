import Synchronization

/// A clock whose time stands still until it is moved, or until nothing can run any more.
///
/// A simulation has one and moves it by itself; it can also be used alone, in place of a test clock, and be moved by
/// hand with ``advance(by:)`` and ``run()``.
///
/// Deadlines are inclusive and are reached in order, equal ones in the order of registration; ``now`` is set at each
/// of them. A deadline that is not after ``now`` returns at once. A cancelled sleep throws `CancellationError` and
/// leaves nothing behind. Registering and reaching a deadline cost time in proportion to the logarithm of the number
/// of sleepers.
public final class VirtualClock: Clock, Sendable {
  /// A time of the clock: how long after its start.
  public struct Instant: InstantProtocol {
    /// The time since the clock's start.
    public var offset: Duration

    /// The time `offset` after the clock's start.
    public init(offset: Duration = .zero) { self.offset = offset }

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let table: SleeperTable
  /// The executor that all sleepers must be on, for a clock of a simulation.
  private let executor: VirtualExecutor?

  /// A clock of its own, at time zero, that is moved by hand.
  public init() {
    table = SleeperTable()
    executor = nil
  }

  init(executor: VirtualExecutor) {
    table = executor.table
    self.executor = executor
  }

  /// The time now.
  public var now: Instant { Instant(offset: table.now) }

  /// The smallest step: one attosecond, the smallest that `Duration` has.
  public var minimumResolution: Duration { Duration(secondsComponent: 0, attosecondsComponent: 1) }

  /// Waits until the clock reaches `deadline`; the tolerance is not used.
  ///
  /// - Throws: `CancellationError` where the task is cancelled first.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    if Task.isCancelled {
      await executor?.sleptCancelled()
      throw CancellationError()
    }
    executor?.checkCaller("slept on the virtual clock")
    executor?.noteSleep(until: deadline.offset)
    let who = SleeperHeap.Who.current
    guard let id = table.heap.withLock({ $0.reserve(deadline.offset) }) else { return }
    try await withTaskCancellationHandler {
      try await Suspension.suspend { suspension in
        switch table.heap.withLock({ $0.register(id, until: deadline.offset, who, suspension) }) {
        case .asleep: meet()
        case .cancelled: suspension.cancel()
        case .due: suspension.resume()
        }
      }
    } onCancel: {
      if case .continuation(let suspension)? = table.heap.withLock({ $0.cancel(id) }) { suspension.cancel() }
    }
  }

  /// Waits for `duration`; without leaving the caller's executor, as the method of `Clock` would.
  public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    try await sleep(until: Instant(offset: now.offset.adding(duration)))
  }

  // MARK: Sleepers

  /// One that waits for the clock.
  public struct Sleeper: Hashable, Sendable, CustomStringConvertible {
    /// The name of the task, or `nil` where it has none.
    package var task: String?
    /// The line of source that started the task, or the one that it is a child of, where that is known.
    package var origin: String?
    /// The function in which the task sleeps; in the report of a failure only, where it is known.
    package var function: String?
    /// When it wakes.
    public var deadline: Instant

    init(_ asleep: (who: SleeperHeap.Who, deadline: Duration)) {
      (task, origin, deadline) = (asleep.who.name, asleep.who.task?.origin, Instant(offset: asleep.deadline))
    }

    /// The same for a report; the task must not run.
    init(reported asleep: (who: SleeperHeap.Who, deadline: Duration)) {
      self.init(asleep)
      function = TaskLayout.function(of: asleep.who.pointer)
    }

    /// Such as `poll sleeps until 3 s`.
    public var description: String { "\(task ?? Escape.unnamedTask) sleeps until \(VirtualTime.text(deadline.offset))" }
    /// The same, where the task was started, and in which function it sleeps.
    var sentence: String { description + SimulatedTask.started(origin) + (function.map { ", in \($0)" } ?? "") }
  }

  /// The tasks that sleep now, in the order in which they will wake.
  package var sleepers: [Sleeper] { table.sleepers }

  /// When the next sleeper wakes; `nil` where no task sleeps.
  package var nextDeadline: Instant? { table.nextDeadline.map(Instant.init) }

  /// The number of those who sleep now.
  package var sleeperCount: Int { table.heap.withLock { $0.count } }

  private func step() {
    var woken: [SleeperHeap.Waiter] = []
    table.step(&woken)
    for case .continuation(let suspension) in woken { suspension.resume() }
  }

  // MARK: By hand

  /// A wait for so many sleepers.
  private struct Meeting {
    var number: Int
    var count: Int
    var suspension: Suspension
  }

  private let meetings = Mutex<[Meeting]>([])
  private let lastMeeting = Atomic(0)
  private let hasMeetings = Atomic(false)

  /// Waits until at least `count` tasks sleep on the clock.
  ///
  /// This is how a test that cannot own the executor, such as one of a model bound to the main actor, knows that the
  /// model has come to its next sleep: nothing is guessed by yielding. Returns early where its task is cancelled.
  public func waitForSleepers(_ count: Int) async {
    if Task.isCancelled { return }
    let number = lastMeeting.add(1, ordering: .relaxed).newValue
    await withTaskCancellationHandler {
      try? await Suspension.suspend { suspension in
        meetings.withLock { $0.append(Meeting(number: number, count: count, suspension: suspension)) }
        hasMeetings.store(true, ordering: .sequentiallyConsistent)
        meet()
        // Cancelled before it was there to be found.
        if Task.isCancelled { leave(number) }
      }
    } onCancel: {
      leave(number)
    }
  }

  private func leave(_ number: Int) {
    let left = meetings.withLock { meetings in
      meetings.firstIndex { $0.number == number }.map { meetings.remove(at: $0) }
    }
    left?.suspension.resume()
  }

  /// Lets those go on that waited for as many sleepers as there are now.
  private func meet() {
    guard hasMeetings.load(ordering: .sequentiallyConsistent) else { return }
    let now = sleeperCount
    let met = meetings.withLock { meetings in
      let met = meetings.filter { $0.count <= now }
      meetings.removeAll { $0.count <= now }
      hasMeetings.store(!meetings.isEmpty, ordering: .sequentiallyConsistent)
      return met
    }
    for meeting in met { meeting.suspension.resume() }
  }

  /// Moves the time on by `duration`, waking those that sleep until then on the way, the last deadline included.
  ///
  /// A clock of a simulation lets everything settle at each step. A clock alone wakes the sleepers and cannot know
  /// when they are at rest: between two steps use ``waitForSleepers(_:)``.
  ///
  /// - Precondition: the duration is not negative.
  public func advance(by duration: Duration) {
    advance(to: Instant(offset: now.offset.adding(duration)))
  }

  /// Moves the time on to `instant`, waking those that sleep until then on the way, the last deadline included.
  package func advance(to instant: Instant) {
    if let executor { return executor.advance(to: instant.offset) }
    guard instant >= now else {
      fatalError("VirtualClock: \(VirtualTime.text(instant.offset)) is before the time now, \(VirtualTime.text(now.offset))")
    }
    repeat {
      while let next = table.nextDeadline, next <= instant.offset { step() }
    } while !table.advance(to: instant.offset)
  }

  /// Moves the time on until no task sleeps any more.
  ///
  /// A task that sleeps again and again forever makes this endless; a simulation has a limit.
  public func run() {
    if let executor { executor.run() } else { while table.nextDeadline != nil { step() } }
  }
}
