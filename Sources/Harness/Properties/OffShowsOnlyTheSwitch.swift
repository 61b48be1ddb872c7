import Models

/// While Wi-Fi is off there is the switch and nothing else.
struct OffShowsOnlyTheSwitch: SettingsProperty {
  static let name = "Wi-Fi off shows only the switch"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard !moment.state.isOn else { return nil }
    if moment.panel.top.count != 1 || !moment.panel.networks.isEmpty {
      return "Wi-Fi is off and \(moment.panel.top.count + moment.panel.networks.count) rows are shown"
    }
    if !moment.shown.isEmpty { return "Wi-Fi is off and \(moment.shown) lies over the list" }
    if moment.state.isConnecting { return "Wi-Fi is off and a join runs" }
    return nil
  }
}
