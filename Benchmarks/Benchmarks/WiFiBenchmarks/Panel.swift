import Benchmark
import Models
import Observing
import Simulator
import Terminal
import WiFi

/// One keystroke in the terminal's panel: from the key through the models to the bytes for the terminal.
func measurePanel() {
  let configuration = Benchmark.Configuration(
    warmupIterations: 3, scalingFactor: .one, maxDuration: .seconds(2), maxIterations: 1000)
  for count in [10, 1000] {
    Benchmark("one keystroke of the panel, \(count) networks", configuration: configuration) { (_: Benchmark, panel: TypedPanel) in
      let before = panel.byteCount
      panel.press()
      precondition(panel.byteCount > before, "the picture did not change")
    } setup: {
      TypedPanel(count: count)
    }
  }
}

/// A panel of 100 by 30 cells with as many networks as are wished for, in which the highlight moves down and up.
final class TypedPanel {
  private let viewer: Viewer
  private let state = PanelState()
  private let presenter = TerminalPresenter()
  private let keys: PanelKeys
  private var encoder = PictureEncoder(Palette(.ansi256))
  private let size = Size(columns: 100, rows: 30)
  private var isDown = false
  /// The bytes so far.
  private(set) var byteCount = 0

  init(count: Int) {
    let silent = SilentAir()
    viewer = Viewer(WiFiSettingsModel(source: silent, joiner: silent, onIssue: { _ in }), now: .seconds(100))
    keys = PanelKeys(
      viewer, state: state, presenter: presenter, size: size, onAttempt: { _, _ in }, onCancelled: { _ in }, onScanNow: {})
    for index in 0..<20 {
      let time = Duration.seconds(100 + 10 * index)
      let scan = Scan.hearing(
        (0..<count).map { number in
          AccessPoint("Network \(number)", bssid: UInt32(number + 1), channel: number % 13 + 1)
            .bss(signalDBm: Double(-30 - (number * 7 + index * 3) % 60), heardAt: time)
        }, at: time)
      viewer.take(scan)
      viewer.settings.apply(scan)
      viewer.update()
    }
    // From here on each key moves the highlight.
    _ = keys.handle(.key(.down))
  }

  /// Presses a key and draws.
  func press() {
    isDown.toggle()
    _ = keys.handle(.key(isDown ? .down : .up))
    byteCount += encoder.encode(PanelPicture.draw(viewer, state, over: presenter.shown, size: size)).count
  }
}

private final class SilentAir: NetworkSource, NetworkJoiner {
  func nextScan() async throws -> Scan? { nil }
  func join(_ network: Network, password: String?) async throws(JoinError) { throw .outOfRange }
}
