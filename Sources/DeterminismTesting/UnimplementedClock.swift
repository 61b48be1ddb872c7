public import Determinism
import Synchronization
public import Testing

/// A clock that fails the test when it is used, as one that is not expected to be.
///
///     let model = SearchModel(clock: UnimplementedClock("the delay of a search"))
///     model.cancelButtonTapped()
///
/// The first use is recorded as an issue where the clock was made. Whatever uses it goes on as with an
/// ``ImmediateClock``, so that nothing hangs.
public final class UnimplementedClock: Clock, Sendable {
  public typealias Instant = VirtualClock.Instant

  private let clock = ImmediateClock()
  private let name: String
  private let sourceLocation: SourceLocation
  private let isUsed = Atomic(false)

  /// A clock that is not to be used.
  ///
  /// - Parameter name: what the issue calls it.
  public init(_ name: String = "a clock", sourceLocation: SourceLocation = #_sourceLocation) {
    self.name = name
    self.sourceLocation = sourceLocation
  }

  /// The time, which is not to be read.
  public var now: Instant {
    report()
    return clock.now
  }

  /// The smallest step, which may be read.
  public var minimumResolution: Duration { clock.minimumResolution }

  /// Returns at once, and is not to be called.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    report()
    try await clock.sleep(until: deadline)
  }

  /// The same for a duration.
  public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    report()
    try await clock.sleep(for: duration)
  }

  private func report() {
    if isUsed.exchange(true, ordering: .relaxed) { return }
    Issue.record("\(name) was used, and this test expects that it is not.", sourceLocation: sourceLocation)
  }
}
