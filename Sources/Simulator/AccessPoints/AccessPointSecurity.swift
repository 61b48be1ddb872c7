public import WiFi

/// How a simulated access point is secured.
public enum AccessPointSecurity: Hashable, Sendable {
  /// Any station may join; nothing is encrypted.
  case open
  /// Opportunistic Wireless Encryption (RFC 8110).
  case owe
  /// The open half of a pair: where the hidden half that encrypts is.
  case oweTransition(bssid: MACAddress, ssid: SSID)
  /// The shared key of 1999, announced by the Privacy bit alone.
  case wep
  /// Wi-Fi Protected Access with TKIP.
  case wpaPersonal
  /// WPA and WPA2 at once, TKIP for groups.
  case wpaWPA2Personal
  /// WPA2 with a passphrase.
  case wpa2Personal
  /// WPA2 and WPA3 at once: PSK and SAE, management frame protection optional.
  case wpa2WPA3Personal
  /// WPA3 with SAE, management frame protection required.
  case wpa3Personal
  /// WPA2 with IEEE 802.1X.
  case wpa2Enterprise
  /// WPA3 with IEEE 802.1X and SHA-256, management frame protection required.
  case wpa3Enterprise
  /// WPA3 with the 192-bit suite.
  case wpa3Enterprise192

  /// Whether the Privacy bit of the Capability Information field is set.
  public var isEncrypted: Bool {
    switch self {
    case .open, .oweTransition: false
    default: true
    }
  }

  /// Whether joining needs a secret.
  public var isSecured: Bool {
    switch self {
    case .open, .owe, .oweTransition: false
    default: true
    }
  }

  /// The RSN element, where there is one.
  var rsn: RSN? {
    switch self {
    case .open, .oweTransition, .wep, .wpaPersonal: nil
    case .owe: Self.rsn([.owe], capabilities: 0xCC)
    case .wpaWPA2Personal: Self.rsn([.psk], group: .tkip, capabilities: 0x0C)
    case .wpa2Personal: Self.rsn([.psk], capabilities: 0x0C)
    case .wpa2WPA3Personal: Self.rsn([.psk, .sae], capabilities: 0x8C)
    case .wpa3Personal: Self.rsn([.sae], capabilities: 0xCC)
    case .wpa2Enterprise: Self.rsn([.ieee8021X], capabilities: 0x0C)
    case .wpa3Enterprise: Self.rsn([.ieee8021XSHA256], capabilities: 0xCC)
    case .wpa3Enterprise192:
      RSN(
        groupCipher: .gcmp256, pairwiseCiphers: [.gcmp256], akms: [.ieee8021XSuiteB192],
        capabilities: RSNCapabilities(rawValue: 0xCC), groupManagementCipher: .bipGMAC256)
    }
  }

  private static func rsn(_ akms: SuiteList<AKMSuite>, group: CipherSuite = .ccmp128, capabilities: UInt16) -> RSN {
    RSN(
      groupCipher: group, pairwiseCiphers: [.ccmp128], akms: akms,
      capabilities: RSNCapabilities(rawValue: capabilities))
  }

  /// The WPA element, where there is one; its selectors are Microsoft's.
  var wpa: WPA? {
    switch self {
    case .wpaPersonal, .wpaWPA2Personal:
      WPA(
        groupCipher: CipherSuite(selector: 0x0050_F202), pairwiseCiphers: [CipherSuite(selector: 0x0050_F202)],
        akms: [AKMSuite(selector: 0x0050_F202)])
    default: nil
    }
  }

  /// The RSN Extension element, where there is one: SAE by hashing to an element.
  var rsnx: RSNX? {
    switch self {
    case .wpa3Personal, .wpa2WPA3Personal: RSNX(bytes: [0x20])
    default: nil
    }
  }
}
