public import WiFi

/// Which BSSs of a scan are wanted.
///
/// Conditions of different kinds must all hold; of one kind, one must, and nothing of what is excluded. Without any
/// every BSS is wanted.
public struct BSSQuery: Hashable, Sendable {
  /// How a BSS is secured, in the words of options.
  public enum Protection: String, Hashable, Sendable, CaseIterable {
    /// Frames are not encrypted.
    case open
    /// Encrypted without a secret (RFC 8110).
    case owe
    /// The broken key of 1999.
    case wep
    /// Offers WPA of 2003.
    case wpa
    /// Offers WPA2.
    case wpa2
    /// Offers WPA3.
    case wpa3
    /// One password for all.
    case personal
    /// Credentials of each user.
    case enterprise
    /// Joining needs a secret.
    case secured
    /// Open, WEP, or WPA of 2003.
    case weak

    /// Whether a BSS is secured so.
    public func accepts(_ security: Security) -> Bool {
      switch self {
      case .open: security.family == .open
      case .owe: security.family == .owe
      case .wep: security.protocols.contains(.wep)
      case .wpa: security.protocols.contains(.wpa)
      case .wpa2: security.protocols.contains(.wpa2)
      case .wpa3: security.protocols.contains(.wpa3)
      case .personal: security.family == .personal
      case .enterprise: security.isEnterprise
      case .secured: security.isSecured
      case .weak: security.isWeak
      }
    }
  }

  /// Patterns for the name.
  public var names: [NamePattern]
  /// The bands of the primary channel.
  public var bands: [Band]
  /// The primary channels.
  public var channels: [ChannelSelection]
  /// The least signal in whole dBm, as tables show it.
  public var minimumSignalDBm: Int?
  /// Ways of being secured.
  public var protections: [Protection]
  /// Addresses, or how they begin.
  public var addresses: [AddressPattern] = []
  /// Patterns for names that are not wanted.
  public var excludedNames: [NamePattern] = []
  /// Bands that are not wanted.
  public var excludedBands: [Band] = []
  /// Ways of being secured that are not wanted.
  public var excludedProtections: [Protection] = []

  /// Makes a query of its conditions.
  public init(
    names: [NamePattern] = [], bands: [Band] = [], channels: [ChannelSelection] = [], minimumSignalDBm: Int? = nil,
    protections: [Protection] = []
  ) {
    self.names = names
    self.bands = bands
    self.channels = channels
    self.minimumSignalDBm = minimumSignalDBm
    self.protections = protections
  }

  /// Whether every BSS is wanted.
  public var isEmpty: Bool { self == BSSQuery() }

  /// Whether it names bands or channels, so that a scan need not visit others.
  public var namesChannels: Bool { !bands.isEmpty || !channels.isEmpty || !excludedBands.isEmpty }

  /// Whether a primary channel is wanted.
  public func accepts(frequencyKHz: Int) -> Bool {
    let band = Band(frequencyKHz: frequencyKHz)
    return (bands.isEmpty || band.map(bands.contains) ?? false) && !(band.map(excludedBands.contains) ?? false)
      && (channels.isEmpty || channels.contains { $0.contains(frequencyKHz: frequencyKHz) })
  }

  /// Whether a BSS is wanted.
  public func accepts(_ facts: BSSFacts) -> Bool { isStrongEnough(facts.bss) && acceptsAtAnyStrength(facts) }

  /// Whether the signal of a BSS is as strong as is wanted.
  func isStrongEnough(_ bss: BSS) -> Bool { minimumSignalDBm.map { bss.strengthMBm.wholeDBm >= $0 } ?? true }

  /// Whether a BSS is wanted, its signal left aside: nothing that differs from scan to scan, as the answer is kept.
  package func acceptsAtAnyStrength(_ facts: BSSFacts) -> Bool {
    if namesChannels, !accepts(frequencyKHz: facts.channel.primaryKHz) { return false }
    if !protections.isEmpty, !protections.contains(where: { $0.accepts(facts.security) }) { return false }
    if excludedProtections.contains(where: { $0.accepts(facts.security) }) { return false }
    if !addresses.isEmpty, !addresses.contains(where: { $0.matches(facts.bss.bssid) }) { return false }
    if excludedNames.contains(where: { $0.matches(facts.ssid) }) { return false }
    return names.isEmpty || names.contains { $0.matches(facts.ssid) }
  }

  /// A scan with those of its BSSs that are wanted, and apart from them those that would be with a better signal.
  public func selected(_ scan: Scan) -> Scan {
    if isEmpty { return scan }
    var selected = scan
    selected.bss = []
    for bss in scan.bss {
      let facts = BSSFacts(bss)
      guard acceptsAtAnyStrength(facts) else { continue }
      if isStrongEnough(facts.bss) { selected.bss.append(bss) } else { selected.tooWeak.append(bss) }
    }
    return selected
  }
}
