import Models
import WiFi

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
