import Models
import WiFi

/// A network is selected by a tap on an open one, by its own sheet while that is there, or because a daemon joined it.
struct NoOutcomeOnAScreenThatIsGone: SettingsProperty {
  static let name = "no outcome reaches a screen that is gone"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard let previous = moment.previous, moment.state.selectedID != previous.selectedID else { return nil }
    guard let selected = moment.state.selectedID else {
      if moment.actions.contains(.tap(.confirmForget)) { return nil }
      return "the selection of \(previous.selected ?? "") was cleared and nobody forgot it"
    }
    if moment.actions.contains(where: { if case .tapNetwork = $0 { true } else { false } }) { return nil }
    if previous.destinationID == selected, previous.destination == "connect",
      previous.isConnecting || moment.actions.contains(.tap(.join))
    {
      return nil
    }
    // The daemon joins by itself, and for other programs.
    switch moment.state.link {
    case .joined(let ssid, _)?, .roamed(let ssid, _, _, _)?: if moment.model.selectedNetwork?.ssid == ssid { return nil }
    case .lost?, nil: break
    }
    return "\(moment.state.selected ?? "") was selected, and its sheet was not there"
  }
}
