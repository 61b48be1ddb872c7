import Synchronization

/// A clock whose sleeps take no time: each returns at once, with the time moved on to its deadline.
///
/// For a test or a preview that only has to come past the sleeps of a model, with no simulation around it:
///
///     let model = SearchModel(clock: ImmediateClock())
///     await model.search()
///
/// The time never goes back: where two tasks sleep, the later of their deadlines stands, so the clock does not say
/// which of two things comes first. For that take a ``VirtualClock`` or a simulation. A sleep gives other tasks a turn,
/// and throws `CancellationError` where its task is cancelled, so a loop that sleeps again and again can be ended.
public final class ImmediateClock: Clock, Sendable {
  public typealias Instant = VirtualClock.Instant

  private let time = Mutex(Duration.zero)

  /// A clock of its own, at time zero.
  public init() {}

  /// The time now: the latest deadline of a sleep so far.
  public var now: Instant { Instant(offset: time.withLock { $0 }) }

  /// The smallest step: one attosecond, the smallest that `Duration` has.
  public var minimumResolution: Duration { Duration(secondsComponent: 0, attosecondsComponent: 1) }

  /// Moves the time on to `deadline`, where it is not later already, and gives other tasks a turn; the tolerance is not
  /// used.
  ///
  /// - Throws: `CancellationError` where the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline.offset) }
    await Task.yield()
    try Task.checkCancellation()
  }

  /// Moves the time on by `duration`; without leaving the caller's executor, as the method of `Clock` would.
  public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    try await sleep(until: Instant(offset: now.offset.adding(duration)))
  }
}
