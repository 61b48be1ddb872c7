import Models
import Observing
import Simulator
import WiFi

@testable import Page

/// A page in a test: models over scans that the test gives, actions, states and events; no server.
final class PageStage {
  let viewer: Viewer
  let presenter = PagePresenter()
  let turn = ObservationTurn(isolation: nil)
  let feed: PageFeed
  /// The known networks, which answer at once.
  let known: SimulatedKnownNetworks
  private(set) var attempts: [ViewerAttempt] = []
  private(set) var cancelled = 0
  private(set) var scansAskedFor = 0
  private var navigation: Navigation?
  private var time: Duration = .seconds(100)
  private(set) var user: PageUser

  init(isOn: Bool = true, known drafts: [KnownNetworkDraft] = []) {
    known = SimulatedKnownNetworks(clock: ContinuousClock(), networks: drafts, duration: .zero)
    let settings = WiFiSettingsModel(isOn: isOn, source: NoScans(), joiner: NoJoins(), knownNetworks: known, onIssue: { _ in })
    viewer = Viewer(settings, status: ScanStatus(interface: "wlan0", country: "DE"), now: time, timeStyle: TimeStyle(since: time))
    feed = PageFeed(viewer, presenter)
    var onAttempt: (ViewerAttempt) -> Void = { _ in }
    var onCancelled: () -> Void = {}
    var onScanNow: () -> Void = {}
    user = PageUser(
      viewer, presenter, onAttempt: { attempt, _ in onAttempt(attempt) }, onCancelled: { _ in onCancelled() }, onScanNow: { onScanNow() })
    onAttempt = { [weak self] in self?.attempts.append($0) }
    onCancelled = { [weak self] in self?.cancelled += 1 }
    onScanNow = { [weak self] in self?.scansAskedFor += 1 }
    navigation = Navigation(presenter, in: turn) { [weak self] scope in
      settings.declareNavigation(in: scope) { self?.attempts.append(ViewerAttempt($0, "forgets a known network")) }
    }
  }

  /// What a scan hears `seconds` later.
  func hear(_ accessPoints: [(AccessPoint, Double)], after seconds: Int = 10) {
    time += .seconds(seconds)
    let scan = Scan.hearing(accessPoints.map { $0.0.bss(signalDBm: $0.1, heardAt: time) }, at: time)
    turn {
      viewer.take(scan)
      viewer.settings.apply(scan)
      viewer.update()
    }
  }

  /// Does what an action means, in a turn of its own.
  @discardableResult
  func act(_ action: PageAction) -> String? { turn { user.perform(action) } }

  /// Does something to what lies on top.
  func top(_ action: PageAction.TopAction) { act(.top(presenter.entries.last?.number ?? 0, action)) }

  var state: PageState { feed.look() }

  func id(_ name: String) -> NetworkID? { viewer.networks.first { $0.ssid.description == name }?.id }

  var sheet: ConnectToNetworkModel? { viewer.settings.destination?.connect }
}

private final class NoScans: NetworkSource {
  func nextScan() async throws -> Scan? { nil }
}

private final class NoJoins: NetworkJoiner {
  func join(_ network: Network, password: String?) async throws(JoinError) { throw .wrongPassword }
}

/// Access points that a page has to get right.
enum SampleAir {
  static let home: [(AccessPoint, Double)] = [
    (AccessPoint("Blob House", bssid: 1, band: .ghz5, channel: 36, security: .wpa3Personal), -48),
    (AccessPoint("Blob House", bssid: 2, channel: 6, security: .wpa3Personal), -52),
    (AccessPoint("Nacho Wi-Fi", bssid: 3, channel: 1), -71), (AccessPoint("Old Printer", bssid: 4, channel: 11, security: .open), -88),
    (AccessPoint("Attic 6E", bssid: 5, band: .ghz6, channel: 37, security: .wpa3Personal), -63),
  ]

  /// Names that want to be markup, a script, the end of an event, or text in another direction.
  static let hostile: [(AccessPoint, Double)] = [
    (AccessPoint("<script>alert(1)</script>", bssid: 1, security: .open), -50), (AccessPoint("\"><img src=x onerror=a()>", bssid: 2), -51),
    (AccessPoint("a\n\nevent: hello\ndata: {}", bssid: 3), -52), (AccessPoint("\u{202E}gnp.exe", bssid: 4), -53),
    (AccessPoint("\u{1B}[31mred\r\u{7}", bssid: 5), -54), (AccessPoint("\\u0000\",\"isJoined\":true", bssid: 6), -55),
    (AccessPoint("\u{2028}line", bssid: 7), -56), (AccessPoint("\u{0}\u{1}\u{7F}", bssid: 8), -57), (AccessPoint(" space ", bssid: 9), -58),
    (AccessPoint("日本語 🌈", bssid: 10), -59), (AccessPoint("", bssid: 11), -60), (AccessPoint("&lt;b&gt;", bssid: 12), -61),
  ]

  static func many(_ count: Int) -> [(AccessPoint, Double)] {
    (0..<count).map { (AccessPoint("Network \($0)", bssid: UInt32($0 + 1), channel: $0 % 13 + 1), Double(-30 - $0 % 65)) }
  }
}
