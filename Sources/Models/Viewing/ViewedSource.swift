public import WiFi

/// The scans of another source on their way to the models of a viewer: at its interval, and not while it is paused.
///
/// The models take in a scan before they ask for the next one, so each question brings the viewer up to date.
public final class ViewedSource: NetworkSource {
  private let source: any NetworkSource
  private let sleep: (Duration) async throws -> Void
  private let elapsed: () -> Duration
  private let isPaced: Bool
  private weak var viewer: Viewer?
  private var lastEnd: Duration?
  /// What of a scan counts; without it all does.
  public var selected: (Scan) -> Scan = { $0 }
  /// Whether the pause between scans is over before its time.
  private var isWanted = true

  /// How often a pause is looked at.
  static let step: Duration = .milliseconds(200)

  /// Passes on what `source` brings; a source that paces itself, such as a simulated one that lists changes, is asked
  /// at once.
  ///
  /// - Parameters:
  ///   - isPaced: whether the interval of the viewer lies between two scans.
  public init<Time: Clock>(_ source: any NetworkSource, clock: Time, isPaced: Bool = true) where Time.Duration == Duration {
    self.source = source
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
    self.isPaced = isPaced
  }

  /// The viewer that is brought up to date.
  public func attach(_ viewer: Viewer) { self.viewer = viewer }

  /// Ends the pause between two scans.
  public func scanNow() { isWanted = true }

  /// Waits for the next scan.
  ///
  /// - Throws: what the source throws; the caller passes it to ``Viewer/sourceFailed(_:hasAdapter:)``.
  public func nextScan() async throws -> Scan? {
    viewer?.update()
    try await wait()
    viewer?.scanBegins()
    let scan: Scan?
    do {
      scan = try await source.nextScan().map(selected)
    } catch {
      isWanted = true
      throw error
    }
    lastEnd = elapsed()
    isWanted = false
    while viewer?.isPaused == true { try await sleep(Self.step) }
    if let scan { viewer?.take(scan) } else { viewer?.status.phase = .ended }
    return scan
  }

  /// Waits until the interval is over and nothing pauses the scans.
  private func wait() async throws {
    while let viewer {
      let left = isPaced && !isWanted ? (lastEnd.map { $0 + viewer.interval - elapsed() } ?? .zero) : .zero
      if !viewer.isPaused, left <= .zero { return }
      try await sleep(viewer.isPaused ? Self.step : min(left, Self.step))
    }
  }
}

extension Viewer {
  /// A scan begins.
  func scanBegins() { if status.count > 0 { status.phase = .scanning } }

  /// A scan waits for a join (``JoiningPause``), or waits no more.
  public func scanWaits(_ isWaiting: Bool) {
    status.phase = isWaiting ? .joining : status.count > 0 ? .scanning : .starting
  }

  /// The source failed, and is tried again.
  ///
  /// - Parameter hasAdapter: whether there is an adapter at all.
  public func sourceFailed(_ sentence: String, hasAdapter: Bool = true) {
    status.phase = hasAdapter ? .failing : .absent
    status.problem = sentence
  }
}
