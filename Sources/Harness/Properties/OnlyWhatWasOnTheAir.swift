import Models
import WiFi

/// Nothing is listed of which no BSS was ever heard.
struct OnlyWhatWasOnTheAir: SettingsProperty {
  static let name = "nothing is listed that was never on the air"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard moment.listHasChanged else { return nil }
    var networks = moment.networks[...]
    for row in moment.rows {
      // Both stand in one order, unless something is wrong.
      networks = networks.drop { $0.id != row.id }
      if networks.isEmpty { networks = moment.networks.drop { $0.id != row.id } }
      guard let network = networks.popFirst() else { return "“\(row)” is listed and not found" }
      if let member = network.members.first(where: { !moment.log.heard.contains($0.bssid) }) {
        return "“\(row)” has the BSS \(member.bssid), which was never heard"
      }
    }
    return nil
  }
}
