import Models
import WiFi

/// A BSS that is listed by its name is not listed without a name as well.
struct NamedIsNotHidden: SettingsProperty {
  static let name = "a named network is not hidden as well"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard moment.listHasChanged else { return nil }
    let networks = moment.networks
    var hidden: Set<MACAddress> = []
    for network in networks where network.ssid.isHidden { hidden.formUnion(network.members.map(\.bssid)) }
    if hidden.isEmpty { return nil }
    for network in networks where !network.ssid.isHidden {
      if let member = network.members.first(where: { hidden.contains($0.bssid) }) {
        return "\(member.bssid) is listed as “\(network.ssid)” and as a hidden network"
      }
    }
    return nil
  }
}
