public import Determinism
internal import Synchronization

/// A clock that the server of programs sets: the time of a ``SimulatedKernel`` that follows the real time, or jumps.
public final class ProgramClock: Clock, Sendable {
  /// A time on a ``ProgramClock``.
  public typealias Instant = VirtualClock.Instant

  private let time = Mutex(Duration.zero)

  /// A clock at zero.
  public init() {}

  public var now: Instant { Instant(offset: time.withLock { $0 }) }
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Moves on to a time; one that is past changes nothing.
  public func advance(to offset: Duration) { time.withLock { $0 = max($0, offset) } }

  /// No task may sleep on this clock: the kernel is asked when something happens next.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    preconditionFailure("ProgramClock: a task sleeps on the clock of programs")
  }
}
