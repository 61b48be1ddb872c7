package import WiFi

/// Words for a network that fit a narrow column.
package enum ShortWords {
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
}
