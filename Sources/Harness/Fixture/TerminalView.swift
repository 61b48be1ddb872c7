import Determinism
import Models
import Observing
import Terminal
import WiFi

/// The terminal without a terminal: keys in, pictures out.
///
/// What no key of the panel does, such as to move the switch under a sheet, is done with the models, as headless.
final class TerminalView: FixtureView {
  /// Given each picture that differs from the one before.
  var onPicture: ((Picture) -> Void)?

  let presenter: any StackPresenter
  private let terminalPresenter = TerminalPresenter()
  private let state = PanelState()
  private let limits: ViewLimits
  private var shown: FixtureViewer?
  var viewer: Viewer? { shown?.viewer }
  private var keys: PanelKeys?
  private(set) weak var fixture: SettingsFixture?
  private(set) var picture: Picture?

  init(_ limits: ViewLimits) {
    self.limits = limits
    presenter = terminalPresenter
  }

  func open(_ fixture: SettingsFixture) {
    self.fixture = fixture
    let shown = FixtureViewer(fixture, limits)
    self.shown = shown
    keys = PanelKeys(
      shown.viewer, state: state, presenter: terminalPresenter, size: limits.size,
      onAttempt: { [weak fixture] in fixture?.start($0, on: $1) },
      onCancelled: { [weak fixture] in fixture?.cancelTasks(of: $0) }, onScanNow: {})
  }

  func presented() { keys?.presented() }

  func rested() {
    guard let shown else { return }
    shown.update()
    let picture = PanelPicture.draw(shown.viewer, state, over: terminalPresenter.shown, size: limits.size)
    if picture != self.picture { onPicture?(picture) }
    self.picture = picture
  }

  private func press(_ key: Key) { _ = keys?.handle(.key(key)) }

  /// Highlights a row as arrow keys would; `false` where a tap on it is late.
  private func highlight(_ id: NetworkID) -> Bool {
    guard lists(id), let viewer, let keys else { return false }
    viewer.show(id, height: keys.listHeight)
    return true
  }

  /// Whether the filter hides the row that is highlighted.
  private var hidesHighlighted: Bool {
    guard let viewer, let id = viewer.cursor else { return false }
    return viewer[id] != nil && viewer.index(of: id) == nil
  }

  func tapRow(_ id: NetworkID) {
    if highlight(id) { return press(.enter) }
    guard let fixture else { return }
    let selected = fixture.model.selectedNetworkID
    if presenter.shown.isEmpty, fixture.model.destination == nil, viewer?.cursor == id, hidesHighlighted {
      press(.enter)
      let isDone = fixture.model.destination != nil || fixture.model.selectedNetworkID != selected
      if isDone { fixture.blunder = "enter tapped \(id), of which the filter hides the row" }
    }
    fixture.model.networkTapped(id)
  }
  func tapInfo(_ id: NetworkID) { if highlight(id) { press(.character("i")) } else { fixture?.model.infoButtonTapped(id) } }

  func typePassword(_ password: String, on sheet: ConnectToNetworkModel) {
    guard isOnTop(sheet) else { return sheet.password = password }
    keys?.focus(.password)
    state.fieldIsSelected = true
    // Of what is typed each character is a key; a line feed would be another.
    if password.isEmpty || password.contains(where: \.isNewline) { return _ = keys?.handle(.paste(password)) }
    for character in password { press(.character(character)) }
  }

  func tapJoin(_ sheet: ConnectToNetworkModel) {
    guard isOnTop(sheet) else { return joinDirectly(sheet) }
    // Enter in the field joins, too.
    if state.focus != .password { keys?.focus(.join) }
    press(.enter)
  }

  func tapCancel(_ sheet: ConnectToNetworkModel) {
    guard isOnTop(sheet) else { return cancelDirectly(sheet) }
    keys?.focus(.cancel)
    press(.enter)
  }

  func tapForget(_ page: NetworkDetailModel) {
    if isOnTop(page), page.canForget { press(.character("x")) } else { page.forgetButtonTapped() }
  }

  func switchWiFi(isOn: Bool) {
    guard let fixture, isOn != fixture.model.isOn else { return }
    guard presenter.shown.isEmpty else { return fixture.model.wifiToggled(to: isOn) }
    let joined = isOn ? nil : fixture.model.selectedNetwork
    press(.character("w"))
    guard fixture.model.isOn == isOn else { return press(.character("w")) }
    if let joined { fixture.blunder = "the key w turned Wi-Fi off without a question, and \(joined.ssid) is joined" }
  }

  func tapClose() { press(.escape) }

  func answer(_ button: Int) {
    for _ in presenter.shown.last?.question?.buttons ?? [] { press(.left) }
    for _ in 0..<button { press(.right) }
    press(.enter)
  }

  func set(_ setting: ScenarioAction.ViewSetting) {
    switch setting {
    case .filter(let text):
      press(.character("/"))
      press(.control("u"))
      _ = keys?.handle(.paste(text))
      // Enter would highlight a row that is listed.
      press(hidesHighlighted ? .backTab : .enter)
    case .sort(let criterion):
      for _ in NetworkSort.Criterion.allCases where viewer?.sort.criterion != criterion { press(.character("s")) }
    case .showsPassword(let isShown):
      guard state.showsPassword != isShown else { return }
      keys?.focus(.show)
      press(.character(" "))
    }
  }

  func tapKnownNetworks() {
    if presenter.shown.isEmpty { press(.character("k")) } else { fixture?.model.knownNetworksButtonTapped() }
  }

  func tapKnownRow(_ id: KnownNetwork.ID, in known: KnownNetworksModel) {
    guard isOnTop(known), known.rows.contains(where: { $0.id == id }) else { return known.networkTapped(id) }
    viewer?.highlightKnown(id)
    press(.enter)
  }

  func tapKnown(_ button: KnownButton, in known: KnownNetworksModel) {
    let control: Focus? =
      switch button {
      case .list, .add: nil
      case .save: .save
      case .duplicate: .duplicate
      case .forget: .forget
      case .cancel: .cancel
      }
    guard let control else {
      guard isOnTop(known) else { return fixture?.tapKnownDirectly(button, in: known) ?? () }
      return press(.character(button == .list ? "r" : "a"))
    }
    guard hasFormOnTop(known), let keys else { return fixture?.tapKnownDirectly(button, in: known) ?? () }
    // Enter in a text saves, too.
    if control != .save || ![.name, .password].contains(state.focus) { keys.focus(control) }
    press(.enter)
  }

  func fill(_ fields: KnownNetworkFields, in form: KnownNetworkForm) {
    guard isOnTop(form.model), let keys else { return form.fill(fields) }
    form.fill(form.leftover(of: fields))
    if let chosen = fields.security, form.fields.contains(.security), form.securityChoices.contains(chosen) {
      keys.focus(.security)
      for _ in form.securityChoices { press(.left) }
      while form.security.wrappedValue != chosen { press(.right) }
    }
    for (field, focus, text) in [(KnownNetworkForm.Field.name, Focus.name, fields.name), (.password, .password, fields.password)] {
      guard let text else { continue }
      guard form.fields.contains(field) else {
        // It was filled in before the security that has none was chosen.
        if field == .password { form.password.wrappedValue = text }
        continue
      }
      keys.focus(focus)
      state.fieldIsSelected = true
      _ = keys.handle(.paste(text))
    }
    if let number = fields.priority, form.fields.contains(.priority), KnownNetwork.priorities.contains(number) {
      keys.focus(.priority)
      press(.control("u"))
      for digit in "\(number.magnitude)" { press(.character(digit)) }
      if number < 0 { press(.character("-")) }
    }
    for (field, focus, wanted, now) in [
      (KnownNetworkForm.Field.autoconnect, Focus.autoconnect, fields.joinsAutomatically, form.autoconnect),
      (.hidden, .hidden, fields.isHidden, form.hidden),
    ] {
      guard let wanted, form.fields.contains(field), now.wrappedValue != wanted else { continue }
      keys.focus(focus)
      press(.character(" "))
    }
  }
}
