public import WiFi

/// What an audit looks for.
///
/// A rule says what the bytes say and where the standard defines it; it does not say whether there is an attacker.
public enum AuditRule: String, Hashable, Sendable, CaseIterable {
  /// No encryption at all.
  case open
  /// Access points of one name, some open and some secured.
  case openAndSecured = "open-and-secured"
  /// An access point that is secured more weakly than others of its name, or than is known of the name.
  case weakerSecurity = "weaker-security"
  /// An access point whose address another maker was assigned than those of the others of its name.
  case otherMaker = "other-maker"
  /// An access point of a known name that is not among the known ones.
  case unknownAccessPoint = "unknown-access-point"
  /// One address on two channels.
  case twoChannels = "two-channels"
  /// Wired Equivalent Privacy.
  case wep
  /// TKIP as a cipher.
  case tkip
  /// Management frames that are not protected.
  case pmfDisabled = "pmf-disabled"
  /// Management frames that are protected only for stations that ask for it.
  case pmfOptional = "pmf-optional"
  /// Wi-Fi Protected Setup.
  case wps

  /// Where it stands.
  public var clause: String {
    switch self {
    case .open: "IEEE 802.11-2020 9.4.1.4 (Privacy) and 12.2.2 (open system authentication)"
    case .openAndSecured: "IEEE 802.11-2020 9.4.1.4 (Privacy) and 12.6.3 (policy selection)"
    case .weakerSecurity: "IEEE 802.11-2020 12.6.3 (policy selection)"
    case .otherMaker: "IEEE 802-2014 8.2 (assigned addresses)"
    case .unknownAccessPoint, .twoChannels: "IEEE 802.11-2020 9.2.4.3.4 (BSSID)"
    case .wep: "IEEE 802.11-2020 12.3.1 (pre-RSNA methods are obsolete)"
    case .tkip: "IEEE 802.11-2020 12.5.2 (TKIP) and 9.4.2.24.2 (cipher suites)"
    case .pmfDisabled, .pmfOptional: "IEEE 802.11-2020 9.4.2.24.4 (MFPR and MFPC)"
    case .wps: "Wi-Fi Simple Configuration 2.0.8, 8.2 and 12"
    }
  }
}

extension AuditRule {
  /// How much it matters.
  package enum Severity: String, Hashable, Sendable, CaseIterable {
    /// Anyone near can read or change what is sent, or an attack of that kind may be going on.
    case high
    /// A known attack is possible, or something is not as it is elsewhere.
    case medium
    /// Protection that is there need not be used.
    case low
  }

  /// How much it matters.
  package var severity: Severity {
    switch self {
    case .open, .openAndSecured, .wep: .high
    case .weakerSecurity, .otherMaker, .unknownAccessPoint, .twoChannels, .tkip, .pmfDisabled, .wps: .medium
    case .pmfOptional: .low
    }
  }
}

/// Something that a rule found.
public struct AuditFinding: Hashable, Sendable {
  /// The rule.
  public var rule: AuditRule
  /// The name of the network, or `nil` where it is not known.
  public var ssid: SSID?
  /// The access points, in order of their addresses.
  public var bssids: [MACAddress]
  /// What the bytes say, and what may follow from it: a sentence or two.
  public var why: String
}
