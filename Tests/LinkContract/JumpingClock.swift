import Synchronization

/// A clock that jumps to whatever is waited for: for tests with one task, where nothing else can happen meanwhile.
package final class JumpingClock: Clock {
  package struct Instant: InstantProtocol {
    package var time: Duration
    package func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
    package func duration(to other: Instant) -> Duration { other.time - time }
    package static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
  }

  private let time = Mutex(Duration.zero)

  package init() {}

  package var now: Instant { Instant(time: time.withLock(\.self)) }
  package var minimumResolution: Duration { .nanoseconds(1) }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline.time) }
  }
}
