import Models

/// The selected network is out of range while, and only while, it is not found.
struct SelectedKnowsWhetherItIsThere: SettingsProperty {
  static let name = "the selected network knows whether it is there"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard let selected = moment.state.selectedID else {
      return moment.state.isOutOfRange ? "nothing is selected, and it is out of range" : nil
    }
    let isThere = moment.model.foundNetworks[selected] != nil
    guard moment.state.isOutOfRange == isThere else { return nil }
    return "\(moment.state.selected ?? "\(selected)") is \(isThere ? "there" : "not there"), and its row says otherwise"
  }
}
