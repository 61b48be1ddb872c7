import Benchmark
import Models
import Observing
import Page
import Simulator
import Terminal
import WiFi

/// One keystroke in the terminal's panel, and one change of the page's filter: from the key through the models to the bytes for the terminal.
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
    Benchmark("one letter of the panel's filter, \(count) networks", configuration: configuration) { (_: Benchmark, panel: TypedPanel) in
      let before = panel.byteCount
      panel.type()
      precondition(panel.byteCount > before, "the picture did not change")
    } setup: {
      TypedPanel(count: count)
    }
    Benchmark("one change of the page's filter, \(count) networks", configuration: configuration) { (_: Benchmark, page: FilteredPage) in
      let before = page.byteCount
      page.type()
      precondition(page.byteCount > before, "no change was written")
    } setup: {
      FilteredPage(count: count)
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
    viewer.hear(count)
    // From here on each key moves the highlight.
    _ = keys.handle(.key(.down))
  }

  /// Types a letter into the filter, or takes it back, and draws.
  func type() {
    isDown.toggle()
    if isDown {
      _ = keys.handle(.key(.character("/")))
      _ = keys.handle(.key(.character("7")))
    } else {
      _ = keys.handle(.key(.backspace))
      _ = keys.handle(.key(.enter))
    }
    byteCount += encoder.encode(PanelPicture.draw(viewer, state, over: presenter.shown, size: size)).count
  }

  /// Presses a key and draws.
  func press() {
    isDown.toggle()
    _ = keys.handle(.key(isDown ? .down : .up))
    byteCount += encoder.encode(PanelPicture.draw(viewer, state, over: presenter.shown, size: size)).count
  }
}

/// A page with as many networks as are wished for, whose filter is typed and cleared: from the action to the bytes for the browser.
final class FilteredPage {
  private let viewer: Viewer
  private let user: PageUser
  private let feed: PageFeed
  private var isFiltered = false
  /// The bytes so far.
  private(set) var byteCount = 0

  init(count: Int) {
    let silent = SilentAir()
    viewer = Viewer(WiFiSettingsModel(source: silent, joiner: silent, onIssue: { _ in }), now: .seconds(100))
    let presenter = PagePresenter()
    user = PageUser(viewer, presenter, onAttempt: { _, _ in }, onCancelled: { _ in }, onScanNow: {})
    feed = PageFeed(viewer, presenter)
    viewer.hear(count)
    byteCount += feed.hello(mayAct: true).bytes.count
  }

  /// Types a letter, or clears the field, and writes what changed.
  func type() {
    isFiltered.toggle()
    _ = user.perform(.filter(isFiltered ? "7" : ""))
    byteCount += feed.event(of: feed.look(), Transaction(animation: .default))?.bytes.count ?? 0
  }
}

extension Viewer {
  /// Twenty scans that hear as many networks as are wished for.
  fileprivate func hear(_ count: Int) {
    for index in 0..<20 {
      let time = Duration.seconds(100 + 10 * index)
      let scan = Scan.hearing(
        (0..<count).map { number in
          AccessPoint("Network \(number)", bssid: UInt32(number + 1), channel: number % 13 + 1)
            .bss(signalDBm: Double(-30 - (number * 7 + index * 3) % 60), heardAt: time)
        }, at: time)
      take(scan)
      settings.apply(scan)
      update()
    }
  }
}

private final class SilentAir: NetworkSource, NetworkJoiner {
  func nextScan() async throws -> Scan? { nil }
  func join(_ network: Network, password: String?) async throws(JoinError) { throw .outOfRange }
}
