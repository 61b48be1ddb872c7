import Determinism
public import Models
import Observing
package import WiFi

/// A user of the Wi-Fi settings, who can only touch what is on the screen.
public final class SettingsUser {
  let fixture: SettingsFixture
  private var model: WiFiSettingsModel { fixture.model }
  private var trace: Trace { fixture.simulation.trace }

  /// A user in front of a fixture.
  public init(_ fixture: SettingsFixture) { self.fixture = fixture }

  /// Why an action could not be performed.
  public struct Cannot: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence.
    public var description: String
  }

  // MARK: What is on the screen

  /// What can be tapped now, beside rows.
  public var controls: [ScenarioAction.Control] {
    guard let top = fixture.presenter.shown.last else {
      return model.isOn && fixture.world.knownNetworks != nil ? [.knownNetworks] : []
    }
    if let controls = knownControls(top.name) { return controls }
    switch top.name {
    case "connect": return [.join, .cancel]
    case "detail": return model.destination?.detail?.canForget == true ? [.forget, .back] : [.back]
    case "incorrectPassword": return [.ok]
    case "forget": return [.confirmForget, .cancelForget]
    default: return []
    }
  }

  var sheet: ConnectToNetworkModel? { model.destination?.connect }

  /// Whether a password can be typed in what is on top.
  var hasPasswordField: Bool {
    if let sheet { return sheet.network.isSecured && fixture.view.isOnTop(sheet) }
    guard let known = model.destination?.known, fixture.view.hasFormOnTop(known) else { return false }
    return KnownNetworkForm(item: fixture.presenter.shown.last?.item)?.fields.contains(.password) == true
  }

  /// The rows of networks that can be tapped now, in order.
  public var rows: [NetworkRow] { fixture.presenter.shown.isEmpty ? fixture.networkRows : [] }

  /// The one row that a reference means, among all that the list shows, covered or not.
  public func row(_ reference: NetworkReference) throws(Cannot) -> NetworkRow {
    let named = fixture.rows(of: reference)
    guard let first = named.first else {
      throw Cannot(description: "no row is called \(NetworkReference(name: reference.name)); \(listed).")
    }
    guard let number = reference.number else {
      guard named.count == 1 else {
        throw Cannot(description: "\(named.count) rows are called \(reference); say which with { network: …, number: 1 }.")
      }
      return first
    }
    guard named.indices.contains(number - 1) else {
      throw Cannot(description: "there is no \(reference): \(named.count == 1 ? "one row is" : "\(named.count) rows are") called that.")
    }
    return named[number - 1]
  }

  private var listed: String {
    let names = fixture.networkRows.map(\.shownName)
    if names.isEmpty { return "the list is empty" }
    return "there are \(names.prefix(12).joined(separator: ", "))" + (names.count > 12 ? " and \(names.count - 12) more" : "")
  }

  private func note(_ control: ScenarioAction.Control) {
    let input: UserInput? =
      switch control {
      case .join: .join
      case .cancel: .cancel
      case .forget: .forget
      case .confirmForget: .confirmForget
      case .cancelForget: .keep
      case .knownNetworks: .showKnownNetworks
      case .add: .addKnown
      case .duplicate: .duplicate
      case .save: .save(onSheet: fixture.presenter.shown.last?.name == "add")
      // That the list is read again, the store notes.
      case .ok, .back, .listAgain: nil
      }
    if let input { fixture.log?.add(.input(input)) } else if control != .listAgain { noteClose() }
  }

  /// Within one turn the models may be ahead of the screen: then what goes away is not what they show.
  private func noteClose() {
    guard let top = fixture.presenter.shown.last, let lowest = fixture.presenter.shown.first else { return }
    let current: AnyObject? = model.destination?.connect ?? model.destination?.detail ?? model.destination?.known
    let isCurrent = current != nil && lowest.item as AnyObject? === current
    fixture.log?.add(.input(.close(top.name, isCurrent: isCurrent, over: fixture.presenter.shown.count - 1)))
  }

  private func require(_ control: ScenarioAction.Control) throws(Cannot) {
    guard !controls.contains(control) else { return }
    let there = controls.map(\.rawValue)
    throw Cannot(
      description: "there is no “\(control.rawValue)” on the screen; "
        + (fixture.presenter.shown.isEmpty ? "nothing lies over the list." : "there is \(there.joined(separator: ", "))."))
  }

  // MARK: What a user does

  /// Taps a control.
  ///
  /// - Throws: ``Cannot`` where it is not on the screen.
  public func tap(_ control: ScenarioAction.Control) throws(Cannot) {
    try require(control)
    trace.record("user taps \(control.rawValue)", in: .user)
    note(control)
    if tapKnown(control) { return }
    switch control {
    case .join: if let sheet { fixture.view.tapJoin(sheet) }
    case .cancel: if let sheet { fixture.view.tapCancel(sheet) }
    case .forget: if let page = model.destination?.detail { fixture.view.tapForget(page) }
    case .confirmForget: answer(forgets: true)
    case .cancelForget: answer(forgets: false)
    case .ok, .back: fixture.view.tapClose()
    case .knownNetworks, .listAgain, .add, .save, .duplicate: break
    }
  }

  private func answer(forgets: Bool) {
    let buttons = fixture.presenter.shown.last?.question?.buttons ?? []
    if let button = buttons.firstIndex(where: { ($0.role == .destructive) == forgets }) { fixture.view.answer(button) }
  }

  /// Taps the row of a network.
  ///
  /// - Throws: ``Cannot`` where there is no such row, or something lies over the list.
  public func tap(_ reference: NetworkReference) throws(Cannot) {
    if let known = model.destination?.known, fixture.presenter.shown.last?.name == "known" {
      return try tapKnownRow(reference, in: known)
    }
    let row = try uncovered(reference)
    trace.record("user taps \(row.title)", in: .user)
    fixture.log?.add(.input(.tapRow(row.id)))
    fixture.view.tapRow(row.id)
  }

  /// Taps the info button of a row.
  ///
  /// - Throws: ``Cannot`` where there is no such row, or something lies over the list.
  package func tapInfo(_ reference: NetworkReference) throws(Cannot) {
    let row = try uncovered(reference)
    trace.record("user taps info of \(row.title)", in: .user)
    fixture.log?.add(.input(.tapInfo(row.id)))
    fixture.view.tapInfo(row.id)
  }

  /// Taps a row that a slow screen still shows and the list has no more.
  package func tapStale(_ id: NetworkID, called reference: NetworkReference, isInfo: Bool) {
    trace.record("a late tap\(isInfo ? " on info of" : " on") \(reference), \(id)", in: .user)
    fixture.log?.add(.input(isInfo ? .tapInfo(id) : .tapRow(id)))
    if isInfo { model.infoButtonTapped(id) } else { model.networkTapped(id) }
  }

  private func uncovered(_ reference: NetworkReference) throws(Cannot) -> NetworkRow {
    if let top = fixture.presenter.shown.last {
      throw Cannot(description: "\(reference) cannot be tapped: \(top) lies over the list.")
    }
    return try row(reference)
  }

  /// Makes the password field hold a text, key by key.
  ///
  /// - Throws: ``Cannot`` where there is no field, or something lies over it.
  public func type(password: String) throws(Cannot) {
    if model.destination?.known != nil {
      var fields = KnownNetworkFields()
      fields.password = password
      return try fill(fields)
    }
    guard let sheet, fixture.presenter.shown.last?.name == "connect" else {
      throw Cannot(description: "there is no password field on the screen.")
    }
    trace.record("user types a password of \(password.count.counted("character"))", in: .user)
    fixture.log?.add(.input(.type(password)))
    fixture.view.typePassword(password, on: sheet)
  }

  /// Moves the switch.
  package func switchWiFi(isOn: Bool) throws(Cannot) {
    trace.record("user turns Wi-Fi \(isOn.onOrOff)", in: .user)
    fixture.log?.add(.input(.switchWiFi(isOn: isOn)))
    fixture.view.switchWiFi(isOn: isOn)
  }

  /// Sets something of the view.
  ///
  /// - Throws: ``Cannot`` where it is not on the screen.
  package func set(_ setting: ScenarioAction.ViewSetting) throws(Cannot) {
    switch setting {
    case .filter, .sort:
      guard fixture.presenter.shown.isEmpty, model.isOn else { throw Cannot(description: "the list is not on the screen.") }
    case .showsPassword:
      guard hasPasswordField else { throw Cannot(description: "there is no password field on the screen.") }
    }
    trace.record("user sets the view: \(ScenarioAction.view(setting).words)", in: .user)
    fixture.log?.add(.input(.view(setting)))
    fixture.view.set(setting)
  }

  /// Lets what is on top go away.
  ///
  /// - Throws: ``Cannot`` where nothing lies over the list.
  public func dismissTop() throws(Cannot) {
    guard let top = fixture.presenter.shown.last else {
      throw Cannot(description: "nothing lies over the list that could be dismissed.")
    }
    trace.record("user dismisses \(top)", in: .user)
    noteClose()
    fixture.presenter.dismissTop()
  }
}

extension SettingsFixture {
  /// The rows of networks that the list shows, the selected one first.
  var networkRows: [NetworkRow] { (panel.top + panel.networks).compactMap(\.networkRow) }

  /// Those of a name, in the order of the list.
  func rows(of reference: NetworkReference) -> [NetworkRow] {
    let name = reference.rowName
    return networkRows.filter { $0.name == name }
  }
}
