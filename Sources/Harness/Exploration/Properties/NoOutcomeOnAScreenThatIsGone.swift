/// A network is selected by a tap on an open one, or by its own sheet while that is there.
struct NoOutcomeOnAScreenThatIsGone: SettingsProperty {
  static let name = "no outcome reaches a screen that is gone"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard let previous = moment.previous, moment.state.selectedID != previous.selectedID else { return nil }
    guard let selected = moment.state.selectedID else {
      if moment.isAfterAction, moment.action == .tap(.confirmForget) { return nil }
      return "the selection of \(previous.selected ?? "") was cleared and nobody forgot it"
    }
    if moment.isAfterAction, case .tapNetwork = moment.action { return nil }
    if previous.destinationID == selected, previous.destination == "connect",
      previous.isConnecting || moment.isAfterAction && moment.action == .tap(.join)
    {
      return nil
    }
    return "\(moment.state.selected ?? "") was selected, and its sheet was not there"
  }
}
