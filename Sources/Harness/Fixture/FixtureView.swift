import Models
public import Observing
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

/// A presenter that a fixture can look at.
public protocol FixturePresenter: Presenter {
  /// What is shown over the list now, the topmost last.
  var shown: [Presentation] { get }
  /// Called for each presentation that begins.
  var onPresent: (Presentation) -> Void { get set }
  /// Called for each presentation that ends.
  var onDismiss: (Presentation) -> Void { get set }

  /// Lets what is on top go away, as a swipe does; `nil` where nothing is shown.
  @discardableResult
  func dismissTop() -> Presentation?
}

extension HeadlessPresenter: FixturePresenter {}
extension TerminalPresenter: FixturePresenter {}
extension PagePresenter: FixturePresenter {}

/// What a user does with a view.
///
/// The trace of a run is the same through every view: a view leads each action to the same method of the same model.
protocol FixtureView: AnyObject {
  /// What lies over the list.
  var presenter: any FixturePresenter { get }

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
  func switchWiFi(isOn: Bool)
  /// Closes a page or an alert with its own means.
  func tapClose()

  func tapKnownNetworks()
  func tapKnownRow(_ id: KnownNetwork.ID, in known: KnownNetworksModel)
  /// Taps a button of the list of known networks, or of the form on top.
  func tapKnown(_ button: KnownButton, in known: KnownNetworksModel)
  /// Fills in the form on top.
  func fill(_ fields: KnownNetworkFields, in form: KnownNetworkForm)
}

/// A button of the known networks.
enum KnownButton {
  case add, save, duplicate, forget, cancel
}

/// No view: each action is a method of a model.
final class HeadlessView: FixtureView {
  let presenter: any FixturePresenter = HeadlessPresenter()
  private weak var fixture: SettingsFixture?

  func open(_ fixture: SettingsFixture) { self.fixture = fixture }
  func presented() {}
  func rested() {}

  func tapRow(_ id: NetworkID) { fixture?.model.networkTapped(id) }
  func tapInfo(_ id: NetworkID) { fixture?.model.infoButtonTapped(id) }
  func typePassword(_ password: String, on sheet: ConnectToNetworkModel) { sheet.password = password }

  func tapJoin(_ sheet: ConnectToNetworkModel) {
    guard let fixture, let top = presenter.shown.last, let attempt = sheet.joinButtonTapped() else { return }
    fixture.start("joins", on: top) { await attempt.run() }
  }

  func tapCancel(_ sheet: ConnectToNetworkModel) {
    sheet.cancelButtonTapped()
    if let top = presenter.shown.last { fixture?.cancelTasks(of: top) }
  }

  func tapForget(_ page: NetworkDetailModel) { page.forgetButtonTapped() }
  func switchWiFi(isOn: Bool) { fixture?.model.wifiToggled(to: isOn) }
  func tapClose() { presenter.dismissTop() }

  func tapKnownNetworks() { fixture?.model.knownNetworksButtonTapped() }
  func tapKnownRow(_ id: KnownNetwork.ID, in known: KnownNetworksModel) { known.networkTapped(id) }
  func tapKnown(_ button: KnownButton, in known: KnownNetworksModel) { fixture?.tapKnownDirectly(button, in: known) }
  func fill(_ fields: KnownNetworkFields, in form: KnownNetworkForm) { form.fill(fields) }
}
