/// How a network is protected: what joining it needs and what its frames are encrypted with.
///
/// Derived from the RSN, WPA, WAPI, RSN Extension, OWE Transition Mode and OSEN elements and the Privacy bit of the
/// capabilities (IEEE 802.11-2020 9.4.1.4; Wi-Fi Alliance WPA3 3.x, which says which key managements are WPA3).
public struct Security: Hashable, Sendable {
  /// What joining is like: networks of one name and one family are one network to a user.
  public enum Family: UInt8, Hashable, Sendable, CaseIterable {
    /// Any station may join; nothing is encrypted.
    case open
    /// Any station may join; frames are encrypted (RFC 8110).
    case owe
    /// A shared key of 1999, long broken.
    case wep
    /// One password that all users share.
    case personal
    /// Each user's own credentials; also what cannot be recognised.
    case enterprise

    /// The families that a profile of this one is for: open and OWE are the same there, as they are for iwd.
    package var alike: [Family] { self == .open || self == .owe ? [.open, .owe] : [self] }
  }

  /// The generations of protection.
  public struct Protocols: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Wired Equivalent Privacy.
    public static let wep = Protocols(rawValue: 1)
    /// Wi-Fi Protected Access, of 2003.
    public static let wpa = Protocols(rawValue: 2)
    /// Wi-Fi Protected Access 2, of 2004.
    public static let wpa2 = Protocols(rawValue: 4)
    /// Wi-Fi Protected Access 3, of 2018.
    public static let wpa3 = Protocols(rawValue: 8)
    /// WLAN Authentication and Privacy Infrastructure, of the Chinese standard GB 15629.11.
    public static let wapi = Protocols(rawValue: 16)

    /// The names, the oldest first.
    public var names: [String] {
      let all: [(Protocols, String)] = [(.wep, "WEP"), (.wpa, "WPA"), (.wpa2, "WPA2"), (.wpa3, "WPA3"), (.wapi, "WAPI")]
      return all.filter { contains($0.0) }.map(\.1)
    }
  }

  /// Whether management frames are protected (IEEE 802.11-2020 12.6.3).
  public enum ManagementFrameProtection: String, Hashable, Sendable {
    /// Not at all.
    case disabled
    /// For stations that can.
    case optional
    /// Stations that cannot are refused.
    case required

    init(_ capabilities: RSNCapabilities) {
      self =
        !capabilities.supportsManagementFrameProtection
        ? .disabled : capabilities.requiresManagementFrameProtection ? .required : .optional
    }
  }

  /// What joining is like.
  public private(set) var family = Family.open
  /// The generations of protection that a station may choose from; none for open and OWE.
  public private(set) var protocols: Protocols = []
  /// What protects frames to groups, or `nil` where nothing does or it is unknown.
  public private(set) var groupCipher: CipherSuite?
  /// What can protect frames to one station; selectors of WPA as the ones of IEEE 802.11 that mean the same.
  public private(set) var pairwiseCiphers: SuiteList<CipherSuite> = []
  /// How a station can prove who it is; selectors of WPA as the ones of IEEE 802.11 that mean the same.
  public private(set) var akms: SuiteList<AKMSuite> = []
  /// Whether management frames are protected.
  public private(set) var pmf = ManagementFrameProtection.disabled
  /// Whether the network is one half of an open network that can also encrypt.
  public private(set) var isOWETransition = false
  /// Whether SAE may derive its element by hashing.
  public private(set) var supportsSAEHashToElement = false
  /// Whether SAE may use a password that is bound to the network's public key.
  public private(set) var supportsSAEPublicKey = false
  private var personalProtocols: Protocols = []
  private var enterpriseProtocols: Protocols = []
  private var kinds: Kinds = []

  /// What key managements there are, for the summary.
  private struct Kinds: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let personal = Kinds(rawValue: 1)
    static let enterprise = Kinds(rawValue: 2)
    static let enterprise192 = Kinds(rawValue: 4)
    static let owe = Kinds(rawValue: 8)
    static let dpp = Kinds(rawValue: 16)
    static let osen = Kinds(rawValue: 32)
    static let unknown = Kinds(rawValue: 64)
  }

  /// The Privacy bit of the Capability Information field, B4.
  private static let privacyBit: UInt16 = 0x10

  /// Derives the facts from what a BSS sends; `capabilities` is its Capability Information field.
  ///
  /// `rsnOverrides` are what stations that know them use instead of `rsn`.
  public init(
    rsn: RSN?, wpa: WPA?, wapi: WAPI? = nil, rsnx: RSNX? = nil, capabilities: UInt16, oweTransition: OWETransition? = nil,
    osen: OSEN? = nil,
    rsnOverrides: [RSNOverride] = []
  ) {
    isOWETransition = oweTransition != nil
    supportsSAEHashToElement = rsnx?.supportsSAEHashToElement ?? false
    supportsSAEPublicKey = rsnx?.supportsSAEPublicKey ?? false
    if let rsn {
      pmf = ManagementFrameProtection(rsn.capabilities)
      add(rsn)
      let akms = rsn.akms
      for akm in akms { add(rsn: akm, beside: akms, pmf) }
    }
    for override in rsnOverrides {
      let own = ManagementFrameProtection(override.capabilities)
      if rsn == nil { pmf = own } else if own != pmf { pmf = .optional }
      add(override)
      let akms = override.akms
      for akm in akms { add(rsn: akm, beside: akms, own) }
    }
    if let wpa {
      add(wpa)
      for akm in wpa.akms { add(wpa: akm) }
    }
    if let wapi { add(wapi) }
    if let osen {
      if rsn == nil { pmf = ManagementFrameProtection(osen.capabilities) }
      add(osen)
      kinds.insert(.osen)
    }
    // The Privacy bit alone, as of a BSS without any element, means WEP: an RSN announces its element in each beacon
    // and probe response (IEEE 802.11-2020 9.3.3.2, 9.4.1.4). NetworkManager and wpa_supplicant call it WEP, too; iw
    // prints the bit.
    if groupCipher == nil, capabilities & Self.privacyBit != 0 { protocols = .wep }
    protocols.formUnion(personalProtocols.union(enterpriseProtocols))
    family = decideFamily()
  }

  /// A network whose element says that it is protected, but not readably how.
  private init(unreadable: Void) {
    kinds = .unknown
    family = .enterprise
  }

  /// The value for a network whose protection is unknown: it is never shown as open.
  static let unknown = Security(unreadable: ())

  /// What the BSSs of one network offer together, the same in any order of them; as it is where all are secured alike.
  ///
  /// A station may choose from every protocol, cipher and key management that one of them has. What only some of them
  /// protect is not promised: of several group ciphers the weakest counts, and management frames are protected for
  /// stations that can wherever the BSSs differ.
  package init(union securities: some Collection<Security>) {
    self = securities.first ?? .unknown
    if securities.allSatisfy({ $0 == self }) { return }
    var ciphers: Set<CipherSuite> = []
    var keys: Set<AKMSuite> = []
    for other in securities {
      protocols.formUnion(other.protocols)
      personalProtocols.formUnion(other.personalProtocols)
      enterpriseProtocols.formUnion(other.enterpriseProtocols)
      kinds.formUnion(other.kinds)
      ciphers.formUnion(other.pairwiseCiphers)
      keys.formUnion(other.akms)
      if other.pmf != pmf { pmf = .optional }
      isOWETransition = isOWETransition && other.isOWETransition
      supportsSAEHashToElement = supportsSAEHashToElement || other.supportsSAEHashToElement
      supportsSAEPublicKey = supportsSAEPublicKey || other.supportsSAEPublicKey
    }
    pairwiseCiphers = SuiteList(ciphers.sorted { $0.selector < $1.selector })
    akms = SuiteList(keys.sorted { $0.selector < $1.selector })
    groupCipher = securities.compactMap(\.groupCipher).min { Self.strength($0) < Self.strength($1) }
    family = decideFamily()
  }

  /// WEP and TKIP, which the standard calls obsolete (IEEE 802.11-2020 12.1), before all others; those by number.
  private static func strength(_ cipher: CipherSuite) -> (Int, UInt32) {
    ([.wep40, .wep104, .tkip].contains(cipher) ? 0 : 1, cipher.selector)
  }

  /// Derives the facts from the elements of a BSS and its Capability Information field.
  public init(elements: ElementList, capabilities: UInt16) {
    var rsn: RSN?
    var wpa: WPA?
    var wapi: WAPI?
    var rsnx: RSNX?
    var oweTransition: OWETransition?
    var osen: OSEN?
    var rsnOverrides: [RSNOverride] = []
    var isUnreadable = false
    // By index and number first: an element that does not matter here is not copied out of the list.
    for index in elements.elements.indices {
      switch elements.elements[index].id {
      case RSN.elementID, RSNX.elementID, WPA.elementID, WAPI.elementID: break
      default: continue
      }
      switch elements.elements[index].value {
      case .rsn(let body): rsn = rsn ?? body
      case .wpa(let body): wpa = wpa ?? body
      case .wapi(let body): wapi = wapi ?? body
      case .rsnx(let body): rsnx = rsnx ?? body
      case .oweTransition(let body): oweTransition = oweTransition ?? body
      case .osen(let body): osen = osen ?? body
      case .rsnOverride(let body): rsnOverrides.append(body)
      case .malformed(RSN.elementID, _, _), .malformed(WAPI.elementID, _, _): isUnreadable = true
      case .malformed(WPA.elementID, let bytes, _) where bytes.starts(with: [0x00, 0x50, 0xF2, 0x01]): isUnreadable = true
      default: break
      }
    }
    // An element that was cut off is not readable either.
    if elements.trailing.first == RSN.elementID.id || elements.trailing.first == WAPI.elementID.id
      || elements.trailing.starts(with: [221]) && elements.trailing.dropFirst(2).starts(with: [0x00, 0x50, 0xF2, 0x01])
    {
      isUnreadable = true
    }
    // What of a protected network is cut off may be the element that says how.
    if capabilities & Self.privacyBit != 0, !elements.trailing.isEmpty { isUnreadable = true }
    if isUnreadable, rsn == nil, wpa == nil, wapi == nil, osen == nil {
      self.init(unreadable: ())
    } else {
      self.init(
        rsn: rsn, wpa: wpa, wapi: wapi, rsnx: rsnx, capabilities: capabilities, oweTransition: oweTransition, osen: osen,
        rsnOverrides: rsnOverrides)
    }
  }

  private mutating func add(_ element: some SecurityElement) {
    if groupCipher == nil { groupCipher = element.groupCipher.standardized }
    for cipher in element.pairwiseCiphers { pairwiseCiphers.appendIfNew(cipher.standardized) }
    for akm in element.akms { akms.appendIfNew(akm.standardized) }
  }

  private mutating func add(_ wapi: WAPI) {
    if groupCipher == nil { groupCipher = wapi.groupCipher }
    for cipher in wapi.pairwiseCiphers { pairwiseCiphers.appendIfNew(cipher) }
    for akm in wapi.akms {
      akms.appendIfNew(akm)
      switch akm.selector {
      case SuiteOUI.wapi | 1:
        kinds.insert(.enterprise)
        enterpriseProtocols.insert(.wapi)
      case SuiteOUI.wapi | 2:
        kinds.insert(.personal)
        personalProtocols.insert(.wapi)
      default: kinds.insert(.unknown)
      }
    }
  }

  /// Which protocol a key management of an RSN element is.
  private mutating func add(rsn akm: AKMSuite, beside all: SuiteList<AKMSuite>, _ pmf: ManagementFrameProtection) {
    switch akm.selector {
    case SuiteOUI.ieee80211 | 2, SuiteOUI.ieee80211 | 4, SuiteOUI.ieee80211 | 6, SuiteOUI.ieee80211 | 19,
      SuiteOUI.ieee80211 | 20, SuiteOUI.wapi | 2:
      kinds.insert(.personal)
      personalProtocols.insert(.wpa2)
    case SuiteOUI.ieee80211 | 8, SuiteOUI.ieee80211 | 9, SuiteOUI.ieee80211 | 24, SuiteOUI.ieee80211 | 25:
      kinds.insert(.personal)
      personalProtocols.insert(.wpa3)
    case SuiteOUI.ieee80211 | 12, SuiteOUI.ieee80211 | 13:
      kinds.insert(.enterprise192)
      enterpriseProtocols.insert(.wpa3)
    case SuiteOUI.ieee80211 | 22, SuiteOUI.ieee80211 | 23:
      kinds.insert(.enterprise)
      enterpriseProtocols.insert(.wpa3)
    case SuiteOUI.ieee80211 | 5:
      // WPA3-Enterprise is this with protected management frames: required, or optional beside plain 802.1X.
      let isTransition = pmf == .optional && all.contains(.ieee8021X)
      kinds.insert(.enterprise)
      enterpriseProtocols.insert(pmf == .required || isTransition ? .wpa3 : .wpa2)
    case SuiteOUI.ieee80211 | 3 where pmf == .required && all.contains(.ieee8021XSHA256) && !all.contains(.ieee8021X):
      break  // Fast transition to the same WPA3-Enterprise.
    case SuiteOUI.ieee80211 | 14...SuiteOUI.ieee80211 | 17:
      kinds.insert(.enterprise)
      enterpriseProtocols.insert(pmf == .required ? .wpa3 : .wpa2)
    case SuiteOUI.ieee80211 | 1, SuiteOUI.ieee80211 | 3, SuiteOUI.ieee80211 | 11, SuiteOUI.cisco | 0, SuiteOUI.wapi | 1:
      kinds.insert(.enterprise)
      enterpriseProtocols.insert(.wpa2)
    case SuiteOUI.ieee80211 | 18: kinds.insert(.owe)
    case AKMSuite.dpp.selector: kinds.insert(.dpp)
    case AKMSuite.osen.selector: kinds.insert(.osen)
    case SuiteOUI.ieee80211 | 7, SuiteOUI.ieee80211 | 10, SuiteOUI.ieee80211 | 21:
      break  // Between stations, and before association: no way to join.
    default: kinds.insert(.unknown)
    }
  }

  private mutating func add(wpa akm: AKMSuite) {
    switch akm.standardized {
    case .psk:
      kinds.insert(.personal)
      personalProtocols.insert(.wpa)
    case .ieee8021X, AKMSuite(selector: SuiteOUI.cisco):
      kinds.insert(.enterprise)
      enterpriseProtocols.insert(.wpa)
    default: kinds.insert(.unknown)
    }
  }

  private func decideFamily() -> Family {
    if protocols.contains(.wep) { return .wep }
    if !kinds.isDisjoint(with: [.personal, .dpp]) { return .personal }
    if !kinds.isDisjoint(with: [.enterprise, .enterprise192, .osen]) { return .enterprise }
    if kinds.contains(.owe) { return .owe }
    return kinds.isEmpty && groupCipher == nil ? .open : .enterprise
  }

  /// Whether frames with data are encrypted.
  public var isEncrypted: Bool { family != .open }

  /// Whether joining needs a secret: the lock in a list.
  public var isSecured: Bool { family != .open && family != .owe }

  /// The protection in a few words, such as `Open`, `WPA2/WPA3-Personal` or `WPA3-Enterprise 192-bit`.
  public var summary: String {
    switch family {
    case .open: return isOWETransition ? "OWE transition" : "Open"
    case .owe: return "OWE"
    case .wep: return "WEP"
    case .personal, .enterprise: break
    }
    var parts: [String] = []
    if !personalProtocols.isEmpty { parts.append(personalProtocols.names.joined(separator: "/") + "-Personal") }
    if !enterpriseProtocols.isEmpty {
      let suffix = kinds.contains(.enterprise192) && !kinds.contains(.enterprise) ? " 192-bit" : ""
      parts.append(enterpriseProtocols.names.joined(separator: "/") + "-Enterprise" + suffix)
    }
    if kinds.contains(.dpp) { parts.append("DPP") }
    if kinds.contains(.osen) { parts.append("OSEN") }
    if kinds.contains(.owe) { parts.append("OWE") }
    if parts.isEmpty { parts = akms.isEmpty ? ["Unknown"] : akms.names }
    return parts.joined(separator: " + ")
  }
}

extension Security: CustomStringConvertible {
  /// The ``summary``.
  public var description: String { summary }
}

extension Security: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("summary", summary)
    fields.field("isSecured", isSecured)
    fields.field("isEncrypted", isEncrypted)
    fields.field("protocols", protocols.names)
    if let groupCipher { fields.field("groupCipher", groupCipher.name) } else { fields.fieldNull("groupCipher") }
    fields.field("pairwiseCiphers", pairwiseCiphers.names)
    fields.field("akms", akms.names)
    fields.field("pmf", pmf.rawValue)
  }
}

extension Security {
  /// The ``summary`` and what stands behind it, such as `WPA2-Personal (PSK, CCMP-128, PMF disabled)`.
  package var details: String {
    let parts =
      [akms.names.joined(separator: "+"), pairwiseCiphers.names.joined(separator: "+"), "PMF \(pmf.rawValue)"]
      + (supportsSAEHashToElement ? ["H2E"] : []) + (supportsSAEPublicKey ? ["SAE-PK"] : []) + (isOWETransition ? ["OWE transition"] : [])
    return "\(summary) (\(parts.filter { !$0.isEmpty }.joined(separator: ", ")))"
  }

  /// Whether the protection is broken or absent: open, WEP, or WPA of 2003.
  package var isWeak: Bool { family == .open || !protocols.isDisjoint(with: [.wep, .wpa]) }

  /// From the weakest protection to the strongest, by the weakest that a station may choose; of two with the same
  /// weakest the one that also has a stronger is behind the other.
  ///
  /// What ``isWeak`` is comes first. A protection that is not known is behind those of its family that are.
  package var rank: Int {
    switch family {
    case .open: return 0
    case .wep: return 10
    case .owe: return 40
    case .personal, .enterprise:
      let isPersonal = family == .personal
      let weakest =
        protocols.contains(.wpa)
        ? isPersonal ? 20 : 30 : (protocols.isDisjoint(with: [.wpa2, .wapi]) ? 60 : 50) + (isPersonal ? 0 : 20)
      return weakest + (protocols.contains(.wpa3) ? 2 : protocols.isDisjoint(with: [.wpa2, .wapi]) ? 0 : 1)
        + (protocols.isEmpty ? 3 : 0)
    }
  }

  /// Whether joining is known to take credentials of each user; the family ``Family/enterprise`` is also that of what
  /// cannot be recognised.
  package var isEnterprise: Bool { family == .enterprise && !kinds.isDisjoint(with: [.enterprise, .enterprise192, .osen]) }
}
