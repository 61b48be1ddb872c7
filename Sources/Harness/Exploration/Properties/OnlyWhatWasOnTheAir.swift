import Models
import WiFi

/// Nothing is listed of which no BSS was ever heard.
struct OnlyWhatWasOnTheAir: SettingsProperty {
  static let name = "nothing is listed that was never on the air"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard moment.listHasChanged else { return nil }
    for row in moment.rows {
      guard let network = moment.model.foundNetworks[row.id]?.network else { return "“\(row)” is listed and not found" }
      if let member = network.members.first(where: { !moment.log.heard.contains($0.bssid) }) {
        return "“\(row)” has the BSS \(member.bssid), which was never heard"
      }
    }
    return nil
  }
}
