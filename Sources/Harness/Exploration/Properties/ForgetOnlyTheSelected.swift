/// Forget is offered for the selected network and for no other.
struct ForgetOnlyTheSelected: SettingsProperty {
  static let name = "Forget is offered for the selected network only"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard moment.state.destination == "detail" else { return nil }
    let isSelected = moment.state.destinationID == moment.state.selectedID
    return moment.state.canForget == isSelected
      ? nil : "\(moment.state.destinationNetwork ?? "") is \(isSelected ? "" : "not ")selected, and Forget is \(moment.state.canForget ? "" : "not ")offered"
  }
}
