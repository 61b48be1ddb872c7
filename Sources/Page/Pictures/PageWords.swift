import Models
import WiFi

/// Words for a network that fit a column.
enum PageWords {
  /// The protection in a word, such as `WPA2/3` or `WPA3 Ent`.
  static func security(_ security: Security) -> String {
    let isUnknown = security.protocols.isDisjoint(with: [.wpa, .wpa2, .wpa3, .wapi])
    return security.family == .enterprise && isUnknown ? "Enterprise" : ShortWords.security(security, open: "Open", enterprise: " Ent")
  }

  /// A signal in 1/100 dBm, such as `−59 dBm`.
  static func signal(_ signalMBm: Int32) -> String {
    let signal = signalMBm.wholeDBm
    return "\(signal < 0 ? "−" : "")\(signal.magnitude) dBm"
  }
}
