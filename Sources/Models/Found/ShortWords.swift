package import WiFi

/// Words for a network that all views have, most of them for a narrow column.
package enum ShortWords {
  /// Why a network that is lost is not joined.
  package static let isLostToJoin = "This network is lost; it can be joined when it is heard again."
  /// Why a network that is lost has no details.
  package static let isLostToShow = "This network is lost; its details come back when it is heard again."

  /// The name, or `(hidden)` or `(unknown)`.
  package static func name(_ network: Network) -> String {
    network.ssid.isHidden ? (network.isSSIDKnown ? "(hidden)" : "(unknown)") : DisplayName.of(network.ssid)
  }

  /// The protection, such as `WPA2/3` or `WPA3-E`: with the default words in at most nine columns.
  package static func security(_ security: Security, open: String = "open", enterprise: String = "-E") -> String {
    let suffix = security.family == .enterprise ? enterprise : ""
    switch security.family {
    case .open: return security.isOWETransition ? open + "/OWE" : open
    case .owe: return "OWE"
    case .wep: return "WEP"
    case .personal, .enterprise: break
    }
    let numbers: [(Security.Protocols, String)] = [(.wpa, "1"), (.wpa2, "2"), (.wpa3, "3")]
    let there = numbers.filter { security.protocols.contains($0.0) }.map(\.1)
    if there.isEmpty, security.protocols.contains(.wapi) { return "WAPI" + suffix }
    guard let first = there.first else { return security.summary }
    return "WPA" + (there.count == 1 && first == "1" ? "" : there.joined(separator: "/")) + suffix
  }

  /// The bands, such as `2.4/5`.
  package static func bands(_ network: Network) -> String {
    network.bands.map { $0.rawValue.hasSuffix("GHz") ? $0.rawValue.dropLast(3) : $0.rawValue[...] }.joined(separator: "/")
  }

  /// Generation, width and bands, as far as they are known, such as `Wi-Fi 6, 80 MHz, 2.4/5 GHz`.
  package static func radio(_ network: Network) -> String {
    var radio = network.generation.map { [$0.summary] } ?? []
    if let width = network.members.map(\.channel.width.megahertz).max() { radio.append("\(width) MHz") }
    if !network.bands.isEmpty { radio.append(bands(network) + " GHz") }
    return radio.joined(separator: ", ")
  }

  /// How busy an access point says that it is, such as `3 stations, busy 40 %`.
  package static func load(_ load: BSSLoad) -> String {
    "\(Int(load.stationCount).counted("station")), busy \(Int(load.channelUtilization) * 100 / 255) %"
  }
}
