/// Forget is offered for the selected network and for no other.
struct ForgetOnlyTheSelected: SettingsProperty {
  static let name = "Forget is offered for the selected network only"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard moment.state.destination == "detail" else { return nil }
    let isSelected = moment.state.destinationID == moment.state.selectedID
    guard moment.state.canForget != isSelected else { return nil }
    let name = moment.state.destinationNetwork ?? ""
    return isSelected ? "\(name) is selected, and Forget is not offered" : "\(name) is not selected, and Forget is offered"
  }
}
