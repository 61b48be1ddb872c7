/// A selector of four bytes, an OUI and a type, that names a cipher or a key management (IEEE 802.11-2020 9.4.2.24.2).
public protocol SuiteSelector: Hashable, Sendable, CustomStringConvertible {
  /// The OUI in the three high bytes, the type in the low one.
  var selector: UInt32 { get }

  /// Makes a suite of its selector, known or not.
  init(selector: UInt32)

  /// The name in the standard, or `nil` where the selector is not known.
  var knownName: StaticString? { get }
}

extension SuiteSelector {
  /// Makes a suite that IEEE 802.11 defines, of OUI 00-0F-AC.
  @inlinable
  public init(ieee80211 type: UInt8) { self.init(selector: 0x000F_AC00 | UInt32(type)) }

  /// The name in the standard, or the selector such as `00-0f-ac:99`.
  public var name: String {
    if let knownName { return "\(knownName)" }
    return "\(ouiText(selector >> 8)):\(selector & 0xFF)"
  }

  /// The ``name``.
  public var description: String { name }
}

/// The text of an OUI, such as `00-50-f2`.
func ouiText(_ oui: UInt32) -> String {
  [16, 8, 0].map { Hex.string([UInt8(truncatingIfNeeded: oui >> $0)]) }.joined(separator: "-")
}

/// The OUIs that define cipher and key management suites, in the three high bytes of a selector.
enum SuiteOUI {
  static let ieee80211: UInt32 = 0x000F_AC00
  static let microsoft: UInt32 = 0x0050_F200
  static let wiFiAlliance: UInt32 = 0x506F_9A00
  static let cisco: UInt32 = 0x0040_9600
  static let wapi: UInt32 = 0x0014_7200
}

/// What protects the frames of a network (IEEE 802.11-2020 table 9-149; Wi-Fi Alliance WPA 3.1; WAPI GB 15629.11).
public struct CipherSuite: SuiteSelector {
  public let selector: UInt32

  @inlinable
  public init(selector: UInt32) { self.selector = selector }

  /// A pairwise cipher that is the group cipher too, 00-0F-AC:0.
  public static let useGroupCipher = CipherSuite(ieee80211: 0)
  /// WEP with a 40-bit key, 00-0F-AC:1.
  public static let wep40 = CipherSuite(ieee80211: 1)
  /// TKIP, 00-0F-AC:2.
  public static let tkip = CipherSuite(ieee80211: 2)
  /// CCMP with a 128-bit key, 00-0F-AC:4.
  public static let ccmp128 = CipherSuite(ieee80211: 4)
  /// WEP with a 104-bit key, 00-0F-AC:5.
  public static let wep104 = CipherSuite(ieee80211: 5)
  /// BIP with CMAC and a 128-bit key, 00-0F-AC:6.
  public static let bipCMAC128 = CipherSuite(ieee80211: 6)
  /// No frames to groups at all, 00-0F-AC:7.
  public static let groupTrafficNotAllowed = CipherSuite(ieee80211: 7)
  /// GCMP with a 128-bit key, 00-0F-AC:8.
  public static let gcmp128 = CipherSuite(ieee80211: 8)
  /// GCMP with a 256-bit key, 00-0F-AC:9.
  public static let gcmp256 = CipherSuite(ieee80211: 9)
  /// CCMP with a 256-bit key, 00-0F-AC:10.
  public static let ccmp256 = CipherSuite(ieee80211: 10)
  /// BIP with GMAC and a 128-bit key, 00-0F-AC:11.
  public static let bipGMAC128 = CipherSuite(ieee80211: 11)
  /// BIP with GMAC and a 256-bit key, 00-0F-AC:12.
  public static let bipGMAC256 = CipherSuite(ieee80211: 12)
  /// BIP with CMAC and a 256-bit key, 00-0F-AC:13.
  public static let bipCMAC256 = CipherSuite(ieee80211: 13)

  public var knownName: StaticString? {
    switch (selector & ~0xFF, Int(selector & 0xFF)) {
    case (SuiteOUI.ieee80211, let type) where type < Self.names.count, (SuiteOUI.microsoft, let type) where type <= 5: Self.names[type]
    case (SuiteOUI.cisco, 0): "CKIP"
    case (SuiteOUI.cisco, 1): "CKIP-CMIC"
    case (SuiteOUI.cisco, 2): "CMIC"
    case (SuiteOUI.wapi, 1): "WPI-SMS4"
    default: nil
    }
  }

  /// The names of the types of IEEE 802.11, from 0 on.
  private static let names: [StaticString?] = [
    "use group cipher", "WEP-40", "TKIP", nil, "CCMP-128", "WEP-104", "BIP-CMAC-128", "group traffic not allowed", "GCMP-128", "GCMP-256",
    "CCMP-256", "BIP-GMAC-128", "BIP-GMAC-256", "BIP-CMAC-256",
  ]

  /// The suite of IEEE 802.11 that means the same as one of WPA's (00-50-F2), or this suite itself.
  public var standardized: CipherSuite {
    switch selector {
    case SuiteOUI.microsoft...SuiteOUI.microsoft | 5: CipherSuite(selector: SuiteOUI.ieee80211 | selector & 0xFF)
    default: self
    }
  }
}
