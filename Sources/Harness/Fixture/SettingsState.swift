public import Models
public import WiFi

/// The state of the Wi-Fi settings except for the rows: what a trace records and an expectation checks.
public struct SettingsState: Hashable, Sendable {
  /// Whether Wi-Fi is on.
  public var isOn = true
  /// The identity of the selected network.
  public var selectedID: NetworkID?
  /// The selected network, as its row is called.
  public var selected: String?
  /// Whether the selected network is out of range.
  public var isOutOfRange = false
  /// Where a user is: `none`, `connect`, `detail` or `known`.
  public var destination = "none"
  /// The identity of the network of the sheet or page.
  package var destinationID: NetworkID?
  /// The network of the sheet or page, as its row is called.
  package var destinationNetwork: String?
  /// Whether the network of the sheet or page is lost.
  public var isLost = false
  /// The number of characters in the password field: a trace holds no secret.
  public var passwordCount = 0
  /// Whether an attempt to join runs.
  public var isConnecting = false
  /// Which alert is there: `none`, `incorrectPassword`, `forget` or `forgetKnown`.
  public var alert = Expectations.Alert.none
  /// Why the last attempt failed.
  public var failure: ExpectedFailure?
  /// Whether Forget is offered.
  public var canForget = false
  /// What happened last to the link, where it is watched.
  public var link: AssociationEvent?
  /// Why the radio does not stand as the user wanted it, by name.
  public var radioProblem: String?
  /// The page of known networks, where that is shown.
  public var known: KnownState?

  /// The state of a model now.
  public init(_ model: WiFiSettingsModel) {
    isOn = model.isOn
    selectedID = model.selectedNetworkID
    let selectedNetwork = model.selectedNetwork
    selected = model.selectedNetworkID.map { id in selectedNetwork.map { NetworkRow($0).title } ?? "\(id)" }
    isOutOfRange = model.selectedNetworkIsOutOfRange
    link = model.associationEvent
    radioProblem = model.radioProblem?.name
    let connect = model.destination?.connect
    let detail = model.destination?.detail
    known = model.destination?.known.map { KnownState($0) }
    destination = connect != nil ? "connect" : detail != nil ? "detail" : known != nil ? "known" : "none"
    destinationID = connect?.network.id ?? detail?.network.id
    destinationNetwork = (connect?.network ?? detail?.network).map { NetworkRow($0).title }
    isLost = connect?.networkIsLost ?? detail?.networkIsLost ?? false
    passwordCount = connect?.password.count ?? 0
    isConnecting = connect?.isConnecting ?? false
    alert =
      connect?.incorrectPasswordAlertIsPresented == true
      ? .incorrectPassword : detail?.forgetAlertIsPresented == true ? .forget : known?.asksToForget == true ? .forgetKnown : .none
    failure = connect?.failure.map(ExpectedFailure.init)
    canForget = detail?.canForget ?? false
  }

  /// What this state means to lie over the list, the topmost last.
  public var shown: [String] { if let known { known.shown } else { layers } }

  private var layers: [String] { (destination == "none" ? [] : [destination]) + (alert == .none ? [] : [alert.rawValue]) }

  /// What changed since an earlier state, one phrase each, such as `connecting: off → on`.
  ///
  /// A sheet or page that opens is compared with an empty one, and one that closes takes its contents with it.
  func changes(since earlier: SettingsState) -> [Change] {
    let old = earlier.place == place ? earlier : earlier.withEmptySheet
    let new = place == "none" ? withEmptySheet : self
    return new.differences(from: old) + (new.known?.changes(since: old.known) ?? [])
  }

  /// The same with nothing typed, asked or shown on the sheet or page.
  private var withEmptySheet: SettingsState {
    var state = self
    state.isLost = false
    state.passwordCount = 0
    state.isConnecting = false
    state.alert = .none
    state.failure = nil
    state.canForget = false
    return state
  }

  /// A field that changed.
  public struct Change: Hashable, Sendable, CustomStringConvertible {
    /// The field, such as `connecting`.
    public var name: String
    /// What it was.
    public var before: String
    /// What it is.
    public var after: String

    /// Such as `connecting: off → on`.
    public var description: String { "\(name): \(before) → \(after)" }
  }

  private func differences(from old: SettingsState) -> [Change] {
    var changes: [Change] = []
    changes.note("wifi", old.isOn, isOn, \.onOrOff)
    changes.note("selected", old.selected, selected) { $0 ?? "none" }
    changes.note("outOfRange", old.isOutOfRange, isOutOfRange, \.onOrOff)
    changes.note("link", old.link, link) { $0?.description ?? "none" }
    changes.note("radio", old.radioProblem, radioProblem) { $0 ?? "none" }
    changes.note("destination", old.place, place) { $0 }
    changes.note("lost", old.isLost, isLost, \.onOrOff)
    changes.note("password", old.passwordCount, passwordCount) { $0.counted("character") }
    changes.note("connecting", old.isConnecting, isConnecting, \.onOrOff)
    changes.note("alert", old.alert, alert, \.rawValue)
    changes.note("failure", old.failure, failure) { $0?.rawValue ?? "none" }
    changes.note("canForget", old.canForget, canForget, \.onOrOff)
    return changes
  }

  /// Where a user is, with the network.
  private var place: String { destinationNetwork.map { "\(destination) \($0)" } ?? destination }
}

extension [SettingsState.Change] {
  /// Notes what a field was and is, where that is not the same.
  mutating func note<Value: Equatable>(_ name: String, _ before: Value, _ after: Value, _ text: (Value) -> String) {
    if before != after { append(.init(name: name, before: text(before), after: text(after))) }
  }
}

extension ExpectedFailure {
  init(_ failure: ConnectToNetworkModel.Failure) {
    self =
      switch failure {
      case .timedOut: .timedOut
      case .outOfRange: .outOfRange
      case .rejected: .rejected
      }
  }
}

extension PanelRow {
  /// The row of a network; `nil` of the switch.
  var networkRow: NetworkRow? { if case .network(let row) = self { row } else { nil } }

  /// What the row is called.
  var title: String {
    switch self {
    case .wifi: "Wi-Fi"
    case .network(let row): row.title
    }
  }
}

extension NetworkRow {
  /// What the row is called: its name, with the address where each BSS is a row of its own.
  var title: String {
    if case .bss(let bssid) = id { return "\(shownName) \(bssid)" }
    return shownName
  }
}
