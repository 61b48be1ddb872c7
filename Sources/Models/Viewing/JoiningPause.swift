public import WiFi

/// Blocks scans while a join runs, as an adapter that is on another channel misses what the access point answers.
///
/// Measured with wpa_supplicant and hwsim: with a scan every two seconds an association took more than 30 s, and of a
/// wrong WPA2 password the access point's own end of the handshake was not heard.
///
/// It stands between the models and both of what they use: the joiner, whose attempts it counts, and the source, whose
/// scans wait for them. The wait ends with the last attempt, or ``limit`` after it began.
public final class JoiningPause: NetworkSource, NetworkJoiner {
  /// The joiner whose attempts scans wait for.
  public let joiner: any NetworkJoiner
  /// The longest that one attempt holds scans back: more than the sessions of ``/DaemonControl`` take with every
  /// deadline.
  public let limit: Duration
  /// Called when a scan begins to wait, and when it ends waiting.
  public var onWaiting: (Bool) -> Void = { _ in }

  private let source: any NetworkSource
  private let sleep: (Duration) async throws -> Void
  private let elapsed: () -> Duration
  private var joins = 0
  private var end: Duration = .zero

  /// How often a wait is looked at.
  static let step: Duration = .milliseconds(100)

  /// Passes on the scans of `source` and the outcomes of `joiner`.
  public init<Time: Clock>(_ joiner: any NetworkJoiner, _ source: any NetworkSource, clock: Time, limit: Duration = .seconds(90))
  where Time.Duration == Duration {
    self.joiner = joiner
    self.source = source
    self.limit = limit
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }

  private var isJoining: Bool { joins > 0 && elapsed() < end }

  /// Waits until no join runs, then for the next scan.
  ///
  /// - Throws: what the source throws, or that the task was cancelled meanwhile.
  public func nextScan() async throws -> Scan? {
    if isJoining {
      onWaiting(true)
      defer { onWaiting(false) }
      while isJoining { try await sleep(Self.step) }
    }
    return try await source.nextScan()
  }

  /// Joins, and holds scans back meanwhile.
  public func join(_ network: Network, password: String?) async throws(JoinError) {
    joins += 1
    end = elapsed() + limit
    defer { joins -= 1 }
    try await joiner.join(network, password: password)
  }
}
