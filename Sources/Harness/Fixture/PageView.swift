import Determinism
import Models
import Observing
import Page
import WiFi

/// The page without a browser: actions as JSON in, changes out, which make up a second state as a browser does.
///
/// What the page has no control for at that moment, such as to move the switch under a sheet, is done with the models,
/// as headless.
final class PageView: FixtureView {
  /// Given the first state, and each change that makes the next one of it, as JSON.
  var onChange: ((String) -> Void)?

  let presenter: any StackPresenter
  private let pagePresenter = PagePresenter()
  private let limits: ViewLimits
  private var shown: FixtureViewer?
  var viewer: Viewer? { shown?.viewer }
  private var feed: PageFeed?
  private var user: PageUser?
  private(set) weak var fixture: SettingsFixture?
  /// The state that a page has put together of the changes.
  private(set) var page: PageState?

  init(_ limits: ViewLimits) {
    self.limits = limits
    presenter = pagePresenter
  }

  func open(_ fixture: SettingsFixture) {
    self.fixture = fixture
    let shown = FixtureViewer(fixture, limits)
    self.shown = shown
    let viewer = shown.viewer
    feed = PageFeed(viewer, pagePresenter)
    user = PageUser(
      viewer, pagePresenter, onAttempt: { [weak fixture] in fixture?.start($0, on: $1) },
      onCancelled: { [weak fixture] in fixture?.cancelTasks(of: $0) }, onScanNow: {})
  }

  func presented() {}

  func rested() {
    guard let shown, let feed else { return }
    shown.update()
    let state = feed.look()
    guard var page else {
      onChange?(Self.json(state))
      return page = state
    }
    let change = PageChange(from: page, to: state)
    if let onChange, !change.isEmpty { onChange(Self.json(change)) }
    change.apply(to: &page)
    precondition(page.shows(theSameAs: state), "PageView: a page that followed the changes shows something else than the state")
    self.page = page
  }

  private static func json(_ value: some Describable) -> String {
    var fields = FieldWriter()
    fields.object { value.describe(into: &$0) }
    return fields.text
  }

  /// Does what the page sends, which has to be an action, to what lies on top or to the list.
  private func send(_ name: String, onTop: Bool = true, _ body: (inout FieldWriter) -> Void = { _ in }) {
    var fields = FieldWriter()
    fields.object { fields in
      fields.field("do", name)
      if onTop { fields.field("over", pagePresenter.entries.last?.number ?? 0) }
      body(&fields)
    }
    guard let action = PageAction(json: Array(fields.text.utf8)) else { preconditionFailure("PageView: \(fields.text) is no action") }
    _ = user?.perform(action)
  }

  func tapRow(_ id: NetworkID) {
    guard lists(id) else { return fixture?.model.networkTapped(id) ?? () }
    send("tap", onTop: false) { $0.field("network", PageKey(id).text) }
  }

  func tapInfo(_ id: NetworkID) {
    guard lists(id) else { return fixture?.model.infoButtonTapped(id) ?? () }
    send("info", onTop: false) { $0.field("network", PageKey(id).text) }
  }

  func typePassword(_ password: String, on sheet: ConnectToNetworkModel) {
    guard isOnTop(sheet), password.utf8.count <= PageAction.maximumPasswordLength else { return sheet.password = password }
    send("password") { $0.field("value", password) }
  }

  func tapJoin(_ sheet: ConnectToNetworkModel) {
    if isOnTop(sheet) { send("join") } else { joinDirectly(sheet) }
  }

  func tapCancel(_ sheet: ConnectToNetworkModel) {
    if isOnTop(sheet) { send("cancel") } else { cancelDirectly(sheet) }
  }

  func tapForget(_ page: NetworkDetailModel) {
    if isOnTop(page), page.canForget { send("forget") } else { page.forgetButtonTapped() }
  }

  func switchWiFi(isOn: Bool) {
    guard let fixture, isOn != fixture.model.isOn else { return }
    guard presenter.shown.isEmpty else { return fixture.model.wifiToggled(to: isOn) }
    send("wifi", onTop: false) { $0.field("value", isOn) }
  }

  func tapClose() { send("back") }

  func answer(_ button: Int) { send("answer") { $0.field("value", button) } }

  func set(_ setting: ScenarioAction.ViewSetting) {
    switch setting {
    case .filter(let text): send("filter", onTop: false) { $0.field("value", text) }
    case .sort(let criterion): send("sort", onTop: false) { $0.field("value", criterion.rawValue) }
    // A page shows it without asking.
    case .showsPassword: break
    }
  }

  func tapKnownNetworks() {
    guard presenter.shown.isEmpty else { return fixture?.model.knownNetworksButtonTapped() ?? () }
    send("known", onTop: false)
  }

  func tapKnownRow(_ id: KnownNetwork.ID, in known: KnownNetworksModel) {
    guard isOnTop(known), known.networks.contains(where: { $0.id == id }) else { return known.networkTapped(id) }
    send("edit") { $0.field("known", PageKnownKey(id).text) }
  }

  func tapKnown(_ button: KnownButton, in known: KnownNetworksModel) {
    let isThere = [.list, .add].contains(button) ? isOnTop(known) : hasFormOnTop(known)
    if isThere { send(button.rawValue) } else { fixture?.tapKnownDirectly(button, in: known) }
  }

  func fill(_ fields: KnownNetworkFields, in form: KnownNetworkForm) {
    guard isOnTop(form.model) else { return form.fill(fields) }
    var direct = form.leftover(of: fields)
    if let name = fields.name, name.utf8.count > PageAction.maximumTextLength { direct.name = name }
    if let password = fields.password, password.utf8.count > PageAction.maximumPasswordLength { direct.password = password }
    form.fill(direct)
    if direct.security == nil, let chosen = fields.security { send("security") { $0.field("value", chosen.rawValue) } }
    if direct.name == nil, let text = fields.name { send("name") { $0.field("value", text) } }
    if direct.password == nil, let text = fields.password { send("password") { $0.field("value", text) } }
    if direct.priority == nil, let number = fields.priority { send("priority") { $0.field("value", number) } }
    if direct.joinsAutomatically == nil, let isOn = fields.joinsAutomatically { send("autoconnect") { $0.field("value", isOn) } }
    if direct.isHidden == nil, let isOn = fields.isHidden { send("hidden") { $0.field("value", isOn) } }
  }
}
