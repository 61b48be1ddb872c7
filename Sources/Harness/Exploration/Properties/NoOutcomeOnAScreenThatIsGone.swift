/// A network is selected by a tap on an open one, or by its own sheet while that is there.
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
    return "\(moment.state.selected ?? "") was selected, and its sheet was not there"
  }
}
