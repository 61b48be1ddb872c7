import Models
import WiFi

/// No network has two rows: not by its identity and, where BSSs are put together, not by its name and security either.
struct NoRowTwice: SettingsProperty {
  static let name = "no row twice"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard moment.listHasChanged else { return nil }
    var seen = Set<PanelRow.ID>(minimumCapacity: moment.rows.count + 2)
    for row in moment.panel.top + moment.panel.networks where !seen.insert(row.id).inserted {
      return "the row “\(row)” is there twice"
    }
    return moment.grouping == .network ? nameTwice(moment) : nil
  }

  private func nameTwice(_ moment: SettingsMoment) -> String? {
    var seen = Set<NetworkID>(minimumCapacity: moment.rows.count)
    for row in moment.rows {
      guard let network = moment.model.foundNetworks[row.id]?.network, !network.isHidden else { continue }
      if !seen.insert(.network(network.ssid, network.security.family)).inserted {
        return "two rows are called “\(row.name)” and are secured alike"
      }
    }
    return nil
  }
}
