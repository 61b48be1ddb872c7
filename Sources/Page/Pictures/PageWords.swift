import Models
import WiFi

/// Words for a network that fit a column.
enum PageWords {
  /// The name, or `(hidden)` or `(unknown)`.
  static func name(_ network: Network) -> String {
    network.ssid.isHidden ? (network.isSSIDKnown ? "(hidden)" : "(unknown)") : DisplayName.of(network.ssid)
  }

  /// The protection in a word, such as `WPA2/3` or `WPA3 Enterprise`.
  static func security(_ security: Security) -> String {
    switch security.family {
    case .open: return security.isOWETransition ? "Open/OWE" : "Open"
    case .owe: return "OWE"
    case .wep: return "WEP"
    case .personal, .enterprise: break
    }
    let numbers: [(Security.Protocols, String)] = [(.wpa, "1"), (.wpa2, "2"), (.wpa3, "3")]
    let there = numbers.filter { security.protocols.contains($0.0) }.map(\.1)
    if there.isEmpty, security.protocols.contains(.wapi) { return security.family == .enterprise ? "WAPI" + " Ent" : "WAPI" }
    guard let first = there.first else { return security.family == .enterprise ? "Enterprise" : security.summary }
    let text = "WPA" + (there.count == 1 && first == "1" ? "" : there.joined(separator: "/"))
    return text + (security.family == .enterprise ? " Ent" : "")
  }

  /// A signal in 1/100 dBm, such as `−59 dBm`.
  static func signal(_ signalMBm: Int32) -> String {
    let signal = signalMBm.wholeDBm
    return "\(signal < 0 ? "−" : "")\(signal.magnitude) dBm"
  }

  /// Whether the protection is broken or absent.
  static func isWeak(_ security: Security) -> Bool {
    security.family == .open || !security.protocols.isDisjoint(with: [.wep, .wpa])
  }

  /// The bands, such as `2.4/5`.
  static func bands(_ network: Network) -> String {
    network.bands.map { $0.rawValue.replacing("GHz", with: "") }.joined(separator: "/")
  }
}
