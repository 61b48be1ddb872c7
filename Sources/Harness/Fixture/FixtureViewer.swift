import Models
import Terminal
import WiFi

/// How much a view shows and keeps.
struct ViewLimits: Sendable {
  /// The cells of the terminal.
  var size = Size(columns: 80, rows: 24)
  /// The scans of the history.
  var scanCount = 720
  /// The access points of the history.
  var accessPointCount = 2048

  /// Limits that a run of a minute reaches.
  static let small = ViewLimits(size: Size(columns: 40, rows: 15), scanCount: 4, accessPointCount: 8)
  /// A terminal that has room for all parts.
  static let large = ViewLimits(size: Size(columns: 100, rows: 32))
}

/// What the views show beside the models, brought up to date at each moment of rest.
final class FixtureViewer {
  let viewer: Viewer
  private let log: WorldLog?
  private var takenCount = 0

  init(_ fixture: SettingsFixture, _ limits: ViewLimits) {
    // The picture shows the run's own time, which begins at zero.
    let start = fixture.world.initialScan?.end ?? .seconds(100)
    viewer = Viewer(
      fixture.model, status: ScanStatus(interface: "wlan0"),
      history: SignalHistory(capacity: limits.scanCount, maximumCount: limits.accessPointCount),
      now: start, timeStyle: TimeStyle(since: start))
    log = fixture.log
  }

  func update() {
    let scans = log?.scans ?? []
    for scan in scans.dropFirst(takenCount) { viewer.take(scan) }
    takenCount = scans.count
    viewer.update()
  }
}
