/// How a station proves who it is and where its keys come from: authentication and key management
/// (IEEE 802.11-2020 table 9-151, IEEE 802.11-2024 table 9-190; Wi-Fi Alliance WPA 3.1, DPP and Hotspot 2.0; WAPI).
public struct AKMSuite: SuiteSelector {
  public let selector: UInt32

  @inlinable
  public init(selector: UInt32) { self.selector = selector }

  /// IEEE 802.1X, 00-0F-AC:1.
  public static let ieee8021X = AKMSuite(ieee80211: 1)
  /// Pre-shared key, 00-0F-AC:2.
  public static let psk = AKMSuite(ieee80211: 2)
  /// Fast transition with IEEE 802.1X, 00-0F-AC:3.
  public static let ftIEEE8021X = AKMSuite(ieee80211: 3)
  /// Fast transition with a pre-shared key, 00-0F-AC:4.
  public static let ftPSK = AKMSuite(ieee80211: 4)
  /// IEEE 802.1X with SHA-256, 00-0F-AC:5.
  public static let ieee8021XSHA256 = AKMSuite(ieee80211: 5)
  /// Pre-shared key with SHA-256, 00-0F-AC:6.
  public static let pskSHA256 = AKMSuite(ieee80211: 6)
  /// Simultaneous authentication of equals, 00-0F-AC:8.
  public static let sae = AKMSuite(ieee80211: 8)
  /// Fast transition with SAE, 00-0F-AC:9.
  public static let ftSAE = AKMSuite(ieee80211: 9)
  /// IEEE 802.1X with a 192-bit Suite B method, 00-0F-AC:12.
  public static let ieee8021XSuiteB192 = AKMSuite(ieee80211: 12)
  /// Opportunistic wireless encryption, 00-0F-AC:18.
  public static let owe = AKMSuite(ieee80211: 18)
  /// SAE with a group-dependent hash, 00-0F-AC:24.
  public static let saeExtendedKey = AKMSuite(ieee80211: 24)
  /// Fast transition with SAE and a group-dependent hash, 00-0F-AC:25.
  public static let ftSAEExtendedKey = AKMSuite(ieee80211: 25)
  /// Device provisioning protocol, 50-6F-9A:2.
  public static let dpp = AKMSuite(selector: SuiteOUI.wiFiAlliance | 2)
  /// Online sign-up with server-only authentication, 50-6F-9A:1.
  public static let osen = AKMSuite(selector: SuiteOUI.wiFiAlliance | 1)

  public var knownName: StaticString? {
    switch (selector & ~0xFF, Int(selector & 0xFF)) {
    case (SuiteOUI.ieee80211, let type) where type < Self.names.count, (SuiteOUI.microsoft, let type) where 1...2 ~= type: Self.names[type]
    case (SuiteOUI.microsoft, 0): "none"
    case (SuiteOUI.wiFiAlliance, 1): "OSEN"
    case (SuiteOUI.wiFiAlliance, 2): "DPP"
    case (SuiteOUI.cisco, 0): "CCKM"
    case (SuiteOUI.wapi, 1): "WAPI-certificate"
    case (SuiteOUI.wapi, 2): "WAPI-PSK"
    default: nil
    }
  }

  /// The names of the types of IEEE 802.11, from 0 on.
  private static let names: [StaticString?] = [
    nil, "802.1X", "PSK", "FT-802.1X", "FT-PSK", "802.1X-SHA256", "PSK-SHA256", "TDLS", "SAE", "FT-SAE", "AP-PeerKey", "802.1X-Suite-B",
    "802.1X-Suite-B-192", "FT-802.1X-SHA384", "FILS-SHA256", "FILS-SHA384", "FT-FILS-SHA256", "FT-FILS-SHA384", "OWE", "FT-PSK-SHA384",
    "PSK-SHA384", "PASN", "FT-802.1X-SHA384-unrestricted", "802.1X-SHA384", "SAE-EXT-KEY", "FT-SAE-EXT-KEY",
  ]

  /// The suite of IEEE 802.11 that means the same as one of WPA's (00-50-F2), or this suite itself.
  public var standardized: AKMSuite {
    switch selector {
    case SuiteOUI.microsoft | 1, SuiteOUI.microsoft | 2: AKMSuite(selector: SuiteOUI.ieee80211 | selector & 0xFF)
    default: self
    }
  }
}
