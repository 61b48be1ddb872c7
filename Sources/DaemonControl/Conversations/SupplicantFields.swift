import DaemonProtocols
import WiFi

/// The fields of a network in wpa_supplicant's configuration, as `SET_NETWORK` takes them.
enum SupplicantFields {
  /// One field and its value.
  struct Field: Hashable, Sendable {
    var name: String
    var value: [UInt8]

    init(_ name: String, _ value: [UInt8]) {
      self.name = name
      self.value = value
    }

    init(_ name: String, _ value: String) { self.init(name, Array(value.utf8)) }

    /// The command that sets it.
    func command(_ id: Int) -> ControlCommand { .setNetwork(id, name, value) }
  }

  /// The name, as every version reads it.
  static func ssid(_ ssid: SSID) -> Field { Field("ssid", ControlText.hexadecimal(ssid.bytes)) }

  /// Whether the network is asked for by name.
  static func hidden(_ isHidden: Bool) -> Field { Field("scan_ssid", isHidden ? "1" : "0") }

  /// How keys are agreed on, and whether management frames are protected.
  static func security(_ security: JoinSecurity) -> [Field] {
    switch security {
    case .open: [Field("key_mgmt", "NONE")]
    case .owe: [Field("key_mgmt", "OWE"), Field("ieee80211w", "2")]
    case .psk: [Field("key_mgmt", "WPA-PSK WPA-PSK-SHA256"), Field("ieee80211w", "1")]
    case .sae: [Field("key_mgmt", "SAE"), Field("ieee80211w", "2")]
    case .pskOrSAE: [Field("key_mgmt", "WPA-PSK WPA-PSK-SHA256 SAE"), Field("ieee80211w", "1")]
    case .enterprise, .wep: preconditionFailure("SupplicantFields: \(security) was refused before")
    }
  }

  /// A value that the daemon says a field has, as it can be set.
  ///
  /// It says 3 of `ieee80211w` where that was never set, and takes 0 to 2, of which 1 joins whatever the access point
  /// has.
  static func settable(_ value: [UInt8], _ field: String) -> [UInt8] {
    field == "ieee80211w" && value == Array("3".utf8) ? Array("1".utf8) : value
  }

  /// The password: `psk` serves both WPA2 and WPA3; only SAE takes what is no passphrase.
  static func password(_ bytes: [UInt8], for security: JoinSecurity) -> Field {
    let fitsPSK = Passphrase.isForWPA2(bytes)
    if fitsPSK, bytes.count == Passphrase.keyDigits, security != .sae { return Field("psk", bytes) }
    return Field(
      fitsPSK && bytes.count <= Passphrase.maximumLength ? "psk" : "sae_password", ControlText.quoted(bytes) ?? [])
  }

  /// The four keys of WEP; wpa_supplicant has no other name for it.
  static let wepKeys = ["wep_key0", "wep_key1", "wep_key2", "wep_key3"]

  /// The names in the value of `key_mgmt`, among the values of fields.
  private static func names(_ values: [String: [UInt8]]) -> [Substring] {
    String(decoding: values["key_mgmt"] ?? [], as: UTF8.self).split { $0.isWhitespace }
  }

  /// The fields that say more than `key_mgmt` whether a network is of the kind that is wanted.
  ///
  /// `NONE` is an open network or one of WEP. A network whose file names none has `WPA-PSK WPA-EAP`, and is one of IEEE
  /// 802.1X where it has a method.
  static func kindFields(_ values: [String: [UInt8]], for wanted: JoinSecurity) -> [String] {
    if !wanted.needsPassword { return names(values).contains("NONE") ? wepKeys : [] }
    return names(values).contains { $0.contains("EAP") } ? ["eap"] : []
  }

  /// Whether a network of these values is one of the family that is wanted; an open one and one of OWE are the same
  /// here (``WiFi/KnownNetwork/suits(_:)``).
  ///
  /// - Parameter values: those of `key_mgmt` and of the fields of ``kindFields(_:for:)``, as far as they are set.
  static func suits(_ wanted: JoinSecurity, _ values: [String: [UInt8]]) -> Bool {
    guard !names(values).isEmpty else { return false }
    let security = security(values)
    if !wanted.needsPassword { return !security.needsPassword }
    return security.family == wanted.family && values["eap", default: []].isEmpty
  }

  /// The security that the values of `key_mgmt` and of the keys of WEP mean, as far as they are set.
  static func security(_ values: [String: [UInt8]]) -> JoinSecurity {
    let keyManagement = names(values)
    func has(_ names: Substring...) -> Bool { names.contains { keyManagement.contains($0) } }
    let hasSAE = has("SAE", "FT-SAE", "SAE-EXT-KEY", "FT-SAE-EXT-KEY")
    let hasPSK = has("WPA-PSK", "FT-PSK", "WPA-PSK-SHA256")
    if hasSAE { return hasPSK ? .pskOrSAE : .sae }
    if hasPSK { return .psk }
    if has("OWE") { return .owe }
    if has("NONE") { return wepKeys.contains { !values[$0, default: []].isEmpty } ? .wep : .open }
    return .enterprise
  }
}
