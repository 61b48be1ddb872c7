import Models
import Observing
import Page
import Terminal
import WiFi

/// Which view a run goes through.
public enum ViewKind: String, Hashable, Sendable, CaseIterable {
  /// None: the models are used directly, and what is shown is recorded.
  case headless
  /// The terminal: keys are pressed, and the picture is drawn at each moment of rest.
  case terminal
  /// The page: actions are sent as JSON, and a second state is made of the changes at each moment of rest.
  case page
}

/// What a user does with a view.
///
/// The trace of a run is the same through every view: a view leads each action to the same method of the same model.
protocol FixtureView: AnyObject {
  /// What lies over the list.
  var presenter: any StackPresenter { get }
  var fixture: SettingsFixture? { get }
  /// What is shown beside the models; `nil` where nothing is drawn.
  var viewer: Viewer? { get }
  /// What a page has put together of the changes; `nil` where there is none.
  var page: PageState? { get }
  /// What a terminal shows; `nil` where there is none.
  var picture: Picture? { get }

  /// The fixture opens: what is shown is followed from here on.
  func open(_ fixture: SettingsFixture)
  /// Something was presented or dismissed.
  func presented()
  /// Everything is at rest.
  func rested()

  func tapRow(_ id: NetworkID)
  func tapInfo(_ id: NetworkID)
  func typePassword(_ password: String, on sheet: ConnectToNetworkModel)
  func tapJoin(_ sheet: ConnectToNetworkModel)
  func tapCancel(_ sheet: ConnectToNetworkModel)
  func tapForget(_ page: NetworkDetailModel)
  /// Answers the question on top with the button of a number.
  func answer(_ button: Int)
  func switchWiFi(isOn: Bool)
  /// Closes a page or an alert with its own means.
  func tapClose()
  /// Sets something that the models know nothing of.
  func set(_ setting: ScenarioAction.ViewSetting)

  func tapKnownNetworks()
  func tapKnownRow(_ id: KnownNetwork.ID, in known: KnownNetworksModel)
  /// Taps a button of the list of known networks, or of the form on top.
  func tapKnown(_ button: KnownButton, in known: KnownNetworksModel)
  /// Fills in the form on top.
  func fill(_ fields: KnownNetworkFields, in form: KnownNetworkForm)
}

extension FixtureView {
  var viewer: Viewer? { nil }
  var page: PageState? { nil }
  var picture: Picture? { nil }

  /// Whether a sheet or page is on top: within one turn the models may be ahead of what is shown.
  func isOnTop(_ model: AnyObject) -> Bool { presenter.shown.last.map { ($0.item as AnyObject?) === model } ?? false }

  /// Whether the view lists a row that can be tapped; otherwise, as where it lists it as lost, the tap is late.
  func lists(_ id: NetworkID) -> Bool {
    guard let viewer, presenter.shown.isEmpty else { return false }
    viewer.update()
    return viewer.index(of: id) != nil && (viewer[id]?.isLost != true || viewer[id]?.isJoined == true)
  }

  /// Whether the form of the known networks, if there is one, is on top.
  func hasFormOnTop(_ known: KnownNetworksModel) -> Bool { known.addSheet.map(isOnTop) ?? known.path.last.map(isOnTop) ?? false }

  func joinDirectly(_ sheet: ConnectToNetworkModel) {
    guard let fixture, let top = presenter.shown.last, let attempt = sheet.joinButtonTapped() else { return }
    fixture.start("joins", on: top) { await attempt.run() }
  }

  func cancelDirectly(_ sheet: ConnectToNetworkModel) {
    sheet.cancelButtonTapped()
    if let top = presenter.shown.last { fixture?.cancelTasks(of: top) }
  }
}

extension KnownNetworkForm {
  /// The model that has the fields.
  var model: AnyObject {
    switch subject {
    case .edit(let page): page
    case .add(let sheet): sheet
    }
  }
}

/// A button of the known networks.
enum KnownButton: String {
  case list, add, save, duplicate, forget, cancel
}

/// No view: each action is a method of a model.
final class HeadlessView: FixtureView {
  let presenter: any StackPresenter = TerminalPresenter()
  private(set) weak var fixture: SettingsFixture?

  func open(_ fixture: SettingsFixture) { self.fixture = fixture }
  func presented() {}
  func rested() {}

  func tapRow(_ id: NetworkID) { fixture?.model.networkTapped(id) }
  func tapInfo(_ id: NetworkID) { fixture?.model.infoButtonTapped(id) }
  func typePassword(_ password: String, on sheet: ConnectToNetworkModel) { sheet.password = password }

  func tapJoin(_ sheet: ConnectToNetworkModel) { joinDirectly(sheet) }
  func tapCancel(_ sheet: ConnectToNetworkModel) { cancelDirectly(sheet) }
  func tapForget(_ page: NetworkDetailModel) { page.forgetButtonTapped() }
  func switchWiFi(isOn: Bool) { fixture?.model.wifiToggled(to: isOn) }
  func tapClose() { presenter.dismissTop() }
  func answer(_ button: Int) { presenter.answerTop(button) }
  func set(_ setting: ScenarioAction.ViewSetting) {}

  func tapKnownNetworks() { fixture?.model.knownNetworksButtonTapped() }
  func tapKnownRow(_ id: KnownNetwork.ID, in known: KnownNetworksModel) { known.networkTapped(id) }
  func tapKnown(_ button: KnownButton, in known: KnownNetworksModel) { fixture?.tapKnownDirectly(button, in: known) }
  func fill(_ fields: KnownNetworkFields, in form: KnownNetworkForm) { form.fill(fields) }
}
