import Determinism
import Models
import Simulator
import WiFi

/// What a run of the settings reached: how often each state met each action under each fault, and what happened at all.
struct SettingsCoverage {
  /// Counts by state, action and fault, such as `connect · tap join · busy`, and of what must happen sometimes, such as
  /// `a network was joined`.
  private(set) var coverage = Coverage()

  /// The states that the settings can be in, in the words of the tables.
  static let states = statesOfNetworks + statesOfKnownNetworks
  static let statesOfNetworks = [
    "off", "empty list", "list", "connect", "connecting", "connect failed", "wrong password", "detail", "forget alert",
  ]
  static let statesOfKnownNetworks = ["known networks", "known form", "saving", "forget known"]
  /// The actions, in the words of the table.
  static let actions = [
    "tap row", "info", "type", "join", "cancel", "ok", "forget", "confirm forget", "cancel forget", "back", "dismiss",
    "switch", "set view", "wait", "show known", "list again", "add", "fill", "duplicate", "save", "world loses",
    "world answers joins", "world finds", "world changes known", "world changes link", "world moves radio", "several at once",
  ]
  static let sometimesNames = [
    "a network was found", "a network was lost", "a network was joined", "a password was wrong", "a join timed out",
    "a join was out of range", "a join was rejected", "a join was cancelled", "the selected network was lost",
    "the network of a sheet was lost", "a network was forgotten", "Wi-Fi was off", "a scan was partial",
    "an action during other events",
  ]

  /// What a count is of.
  enum Reached {
    /// An action in a state, under a fault, or `none`.
    case step(state: String, action: String, fault: String)
    /// A change from one state to another.
    case change(from: String, to: String)

    var key: String {
      switch self {
      case .step(let state, let action, let fault): "\(state) · \(action) · \(fault)"
      case .change(let before, let now): "\(before) → \(now)"
      }
    }

    /// What the count of a key is of; `nil` where no key is so.
    init?(_ key: String) {
      let step = key.split(separator: " · ").map(String.init)
      let change = key.split(separator: " → ").map(String.init)
      switch (step.count, change.count) {
      case (3, 1): self = .step(state: step[0], action: step[1], fault: step[2])
      case (1, 2): self = .change(from: change[0], to: change[1])
      default: return nil
      }
    }
  }

  static func name(_ state: SettingsState, isEmpty: Bool) -> String {
    if !state.isOn { return "off" }
    if state.alert == .incorrectPassword { return "wrong password" }
    if state.alert == .forget { return "forget alert" }
    switch state.destination {
    case "connect": return state.isConnecting ? "connecting" : state.failure != nil ? "connect failed" : "connect"
    case "detail": return "detail"
    case "known":
      if state.known?.asksToForget == true { return "forget known" }
      return state.known?.isSaving == true ? "saving" : state.known?.form == "none" ? "known networks" : "known form"
    default: return isEmpty ? "empty list" : "list"
    }
  }

  static func name(_ action: ScenarioAction) -> String {
    switch action {
    case .tap(.join): "join"
    case .tap(.cancel): "cancel"
    case .tap(.ok): "ok"
    case .tap(.forget): "forget"
    case .tap(.confirmForget): "confirm forget"
    case .tap(.cancelForget): "cancel forget"
    case .tap(.back): "back"
    case .tap(.knownNetworks): "show known"
    case .tap(.listAgain): "list again"
    case .tap(.add): "add"
    case .fill: "fill"
    case .tap(.duplicate): "duplicate"
    case .tap(.save): "save"
    case .tapNetwork, .stale(_, isInfo: false): "tap row"
    case .info, .stale(_, isInfo: true): "info"
    case .typePassword: "type"
    case .switchWiFi: "switch"
    case .dismiss: "dismiss"
    case .view: "set view"
    case .advance, .wait, .expect: "wait"
    case .world(.lose): "world loses"
    case .world(.find): "world finds"
    case .world(.join): "world answers joins"
    case .world(.known): "world changes known"
    case .world(.link): "world changes link"
    case .world(.radio): "world moves radio"
    case .atOnce: "several at once"
    }
  }

  private mutating func note(_ reached: Reached) { coverage.reached[reached.key, default: 0] += 1 }

  private var listIsEmpty = true
  private var rowCount = 0

  mutating func take(
    _ action: ScenarioAction, in state: SettingsState, _ source: ScenarioSource.SimulatedSource, at time: Duration
  ) {
    let (state, action) = (Self.name(state, isEmpty: listIsEmpty), Self.name(action))
    let faults = source.faultsUntil.map { time < $0 } ?? true ? source.faults.map(\.name) : []
    for fault in faults.isEmpty ? ["none"] : faults { note(.step(state: state, action: action, fault: fault)) }
  }

  mutating func take(_ moment: SettingsMoment) {
    let wasEmpty = listIsEmpty
    listIsEmpty = moment.panel.networks.isEmpty
    let count = moment.model.foundNetworks.count
    defer { rowCount = count }
    guard let previous = moment.previous else { return }
    let state = moment.state
    let (before, now) = (Self.name(previous, isEmpty: wasEmpty), Self.name(state, isEmpty: listIsEmpty))
    if before != now { self.note(.change(from: before, to: now)) }
    func note(_ name: String) { coverage.sometimes[name, default: 0] += 1 }
    if count > rowCount { note("a network was found") }
    if count < rowCount { note("a network was lost") }
    if !state.isOn, previous.isOn { note("Wi-Fi was off") }
    if state.isOutOfRange, !previous.isOutOfRange { note("the selected network was lost") }
    if state.isLost, !previous.isLost { note("the network of a sheet was lost") }
    if state.selectedID == nil, previous.selectedID != nil { note("a network was forgotten") }
    if moment.actions.count > 1, case .advance = moment.actions[0] { note("an action during other events") }
    if previous.isConnecting, state.selectedID != nil, state.selectedID != previous.selectedID { note("a network was joined") }
  }

  mutating func take(_ log: WorldLog) {
    func note(_ name: String, _ count: Int) { if count > 0 { coverage.sometimes[name, default: 0] += count } }
    note("a password was wrong", log.attempts.count { $0.error == .wrongPassword })
    note("a join timed out", log.attempts.count { $0.error == .timedOut })
    note("a join was out of range", log.attempts.count { $0.error == .outOfRange })
    note("a join was rejected", log.attempts.count { if case .rejected = $0.error { true } else { false } })
    note("a join was cancelled", log.attempts.count { $0.error == .cancelled })
    note("a scan was partial", log.scans.count { if case .partial = $0.completion { true } else { false } })
  }
}
