import Models
import Observing
import Simulator
import Terminal
import ViewFixture
import WiFi

/// A panel in a test: keys and pictures; no terminal.
final class PanelFixture: ViewFixture {
  let state = PanelState()
  let presenter = TerminalPresenter()
  var size: Size { didSet { keys.size = size } }
  private(set) var keys: PanelKeys

  init(
    size: Size = Size(columns: 100, rows: 30), isOn: Bool = true, known drafts: [KnownNetworkDraft]? = [],
    hearing heard: [(AccessPoint, Double)]? = nil
  ) {
    self.size = size
    var onAttempt: (ViewerAttempt) -> Void = { _ in }
    var onCancelled: () -> Void = {}
    var onScanNow: () -> Void = {}
    let models = FixtureModels(isOn: isOn, known: drafts)
    keys = PanelKeys(
      models.viewer, state: state, presenter: presenter, size: size, onAttempt: { attempt, _ in onAttempt(attempt) },
      onCancelled: { _ in onCancelled() }, onScanNow: { onScanNow() })
    super.init(models)
    onAttempt = { [weak self] in self?.began($0) }
    onCancelled = { [weak self] in self?.cancel() }
    onScanNow = { [weak self] in self?.askForScan() }
    presenter.onPresent = { [weak keys] _ in keys?.presented() }
    presenter.onDismiss = { [weak keys] _ in keys?.presented() }
    present(over: presenter)
    if let heard { hear(heard) }
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

extension SampleAir {
  /// Names that want to do something to a terminal, or take other columns than characters.
  static let hostile: [(AccessPoint, Double)] = [
    (AccessPoint("\u{1B}[31mred\r\n\u{7}\u{1B}]0;title\u{7}", bssid: 1, security: .open), -50),
    (AccessPoint("日本語の無線", bssid: 2), -51), (AccessPoint("🌈 Blob 🏳️\u{200D}🌈", bssid: 3), -52),
    (AccessPoint("\u{202E}gnp.exe", bssid: 4), -53), (AccessPoint("e\u{301}\u{302}\u{303}\u{304} zalgo", bssid: 5), -54),
    (AccessPoint("", bssid: 6), -55), (AccessPoint(" space ", bssid: 7), -56), (AccessPoint("\u{301}lone mark", bssid: 8), -57),
    (AccessPoint("ＦＵＬＬＷＩＤＴＨ", bssid: 9), -58), (AccessPoint("\\x1b not an escape", bssid: 10), -59),
    (AccessPoint("\u{9B}31m C1", bssid: 11), -60), (AccessPoint("اسم عربي", bssid: 12), -61),
  ]
}
