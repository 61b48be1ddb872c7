import Models
import Observing
import Simulator
import Terminal
import WiFi

/// A panel in a test: models over scans that the test gives, keys, and pictures; no terminal.
final class PanelStage {
  let viewer: Viewer
  let state = PanelState()
  let presenter = TerminalPresenter()
  let turn = ObservationTurn(isolation: nil)
  /// The known networks, which answer at once.
  let known: SimulatedKnownNetworks
  private(set) var attempts: [ViewerAttempt] = []
  private(set) var cancelled = 0
  private(set) var scansAskedFor = 0
  private(set) var issues: [ModelIssue] = []
  private var navigation: Navigation?
  private var time: Duration = .seconds(100)
  var size: Size { didSet { keys.size = size } }
  private(set) var keys: PanelKeys

  init(size: Size = Size(columns: 100, rows: 30), isOn: Bool = true, known drafts: [KnownNetworkDraft]? = []) {
    self.size = size
    known = SimulatedKnownNetworks(clock: ContinuousClock(), networks: drafts ?? [], duration: .zero)
    var onIssue: (ModelIssue) -> Void = { _ in }
    let settings = WiFiSettingsModel(
      isOn: isOn, source: NoScans(), joiner: NoJoins(), knownNetworks: drafts == nil ? nil : known, onIssue: { onIssue($0) })
    viewer = Viewer(settings, status: ScanStatus(interface: "wlan0", country: "DE"), now: time, timeStyle: TimeStyle(since: time))
    var onAttempt: (ViewerAttempt) -> Void = { _ in }
    var onCancelled: () -> Void = {}
    var onScanNow: () -> Void = {}
    keys = PanelKeys(
      viewer, state: state, presenter: presenter, size: size, onAttempt: { attempt, _ in onAttempt(attempt) },
      onCancelled: { _ in onCancelled() }, onScanNow: { onScanNow() })
    onIssue = { [weak self] in self?.issues.append($0) }
    onAttempt = { [weak self] in self?.attempts.append($0) }
    onCancelled = { [weak self] in self?.cancelled += 1 }
    onScanNow = { [weak self] in self?.scansAskedFor += 1 }
    presenter.onPresent = { [weak keys] _ in keys?.presented() }
    presenter.onDismiss = { [weak keys] _ in keys?.presented() }
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

  /// Presses keys, each in a turn of its own.
  @discardableResult
  func press(_ keys: Key...) -> PanelKeys.Effect? {
    var effect: PanelKeys.Effect?
    for key in keys { effect = send(.key(key)) }
    return effect
  }

  /// Types text, character by character.
  func type(_ text: String) { for character in text { press(.character(character)) } }

  @discardableResult
  func send(_ event: InputEvent) -> PanelKeys.Effect? {
    turn {
      defer { viewer.update() }
      return keys.handle(event)
    }
  }

  var picture: Picture { PanelPicture.draw(viewer, state, over: presenter.shown, size: size) }

  /// The line of the picture that has a text, or `nil`.
  func line(_ text: String) -> String? { picture.lines.first { $0.contains(text) } }

  /// Whether any line of the picture has a text.
  func shows(_ text: String) -> Bool { line(text) != nil }

  /// Runs the last attempt that a key began.
  func runAttempt() async {
    await attempts.last?.run()
    turn.end()
  }

  /// Opens the known networks, lists them, and shows what came.
  func openKnown() async {
    press(.character("k"))
    await viewer.settings.destination?.known?.load()
    turn.end()
  }

  var sheet: ConnectToNetworkModel? { viewer.settings.destination?.connect }
}

private final class NoScans: NetworkSource {
  func nextScan() async throws -> Scan? { nil }
}

private final class NoJoins: NetworkJoiner {
  func join(_ network: Network, password: String?) async throws(JoinError) { throw .wrongPassword }
}

/// Known networks that a panel has to get right.
enum SampleKnown {
  static let drafts: [KnownNetworkDraft] = [
    ("Blob House", JoinSecurity.sae, 3, true, false), ("Cabin", .psk, 0, true, true), ("Old Printer", .open, -1, false, false),
    ("日本語の無線", .pskOrSAE, 12, true, false),
  ].compactMap { name, security, priority, joins, isHidden in
    SSID(typed: name).map {
      KnownNetworkDraft(
        ssid: $0, security: security, password: security.needsPassword ? Secret("blob blob") : nil, priority: priority,
        joinsAutomatically: joins, isHidden: isHidden)
    }
  }
}

/// Access points that a panel has to get right.
enum SampleAir {
  /// A home: an own network on two bands, neighbours, one without protection.
  static let home: [(AccessPoint, Double)] = [
    (AccessPoint("Blob House", bssid: 1, band: .ghz5, channel: 36, security: .wpa3Personal), -48),
    (AccessPoint("Blob House", bssid: 2, channel: 6, security: .wpa3Personal), -52),
    (AccessPoint("Nacho Wi-Fi", bssid: 3, channel: 1), -71), (AccessPoint("Old Printer", bssid: 4, channel: 11, security: .open), -88),
    (AccessPoint("Attic 6E", bssid: 5, band: .ghz6, channel: 37, security: .wpa3Personal), -63),
  ]

  /// Names that want to do something to a terminal, or take other columns than characters.
  static let hostile: [(AccessPoint, Double)] = [
    (AccessPoint("\u{1B}[31mred\r\n\u{7}\u{1B}]0;title\u{7}", bssid: 1, security: .open), -50),
    (AccessPoint("日本語の無線", bssid: 2), -51), (AccessPoint("🌈 Blob 🏳️\u{200D}🌈", bssid: 3), -52),
    (AccessPoint("\u{202E}gnp.exe", bssid: 4), -53), (AccessPoint("e\u{301}\u{302}\u{303}\u{304} zalgo", bssid: 5), -54),
    (AccessPoint("", bssid: 6), -55), (AccessPoint(" space ", bssid: 7), -56), (AccessPoint("\u{301}lone mark", bssid: 8), -57),
    (AccessPoint("ＦＵＬＬＷＩＤＴＨ", bssid: 9), -58), (AccessPoint("\\x1b not an escape", bssid: 10), -59),
    (AccessPoint("\u{9B}31m C1", bssid: 11), -60), (AccessPoint("اسم عربي", bssid: 12), -61),
  ]

  /// As many as are asked for.
  static func many(_ count: Int) -> [(AccessPoint, Double)] {
    (0..<count).map { index in
      (AccessPoint("Network \(index)", bssid: UInt32(index + 1), channel: index % 13 + 1), Double(-30 - index % 65))
    }
  }
}
