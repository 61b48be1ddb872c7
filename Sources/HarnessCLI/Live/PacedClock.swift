import Synchronization

/// The clock of a simulated world at the pace of the real one: its time goes from one moment that is slept for to the
/// next, so that what happens in between takes none, and one seed gives the same again.
///
/// Where nothing was slept for in a while, as before a user acts, or where the machine is too slow, it is as late as
/// the real one.
final class PacedClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  /// How far it stays behind the real one.
  private static let mostDelay: Duration = .seconds(2)

  private let start = ContinuousClock.now
  private let reached = Mutex(Duration.zero)

  var minimumResolution: Duration { .zero }

  var now: Instant {
    let real = start.duration(to: .now)
    return reached.withLock { reached in
      if real - reached > Self.mostDelay { reached = real }
      return Instant(offset: reached)
    }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await ContinuousClock().sleep(until: start + deadline.offset)
    reached.withLock { $0 = max($0, deadline.offset) }
  }
}
