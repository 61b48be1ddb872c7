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
    // Where each is known by its name and security, those are twice where the row is.
    if moment.networks.allSatisfy({ $0.ssid.isHidden || $0.id == .network($0.ssid, $0.security.family) }) { return nil }
    var seen: Set<NetworkID> = []
    for row in moment.rows {
      guard let network = moment.model.foundNetworks[row.id]?.network, !network.ssid.isHidden else { continue }
      if !seen.insert(.network(network.ssid, network.security.family)).inserted {
        return "two rows are called “\(row.name)” and are secured alike"
      }
    }
    return nil
  }
}
