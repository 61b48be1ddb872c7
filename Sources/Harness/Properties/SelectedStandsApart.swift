import Models
import WiFi

/// The selected network has its row at the top and none among the rest.
struct SelectedStandsApart: SettingsProperty {
  static let name = "the selected network is not among the rest"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard moment.state.isOn, moment.listHasChanged else { return nil }
    if let selected = moment.model.selectedNetworkID {
      if let row = moment.rows.first(where: { $0.id == selected }) { return "“\(row)” is selected and among the rest" }
      if moment.model.selectedNetwork != nil, moment.selectedRow?.id != selected {
        return "the selected network \(selected) has no row at the top"
      }
    } else if let row = moment.selectedRow {
      return "“\(row)” stands at the top and is not selected"
    }
    if let row = moment.rows.first(where: { $0.isSelected }) { return "“\(row)” is marked as selected among the rest" }
    return nil
  }
}
