public import WiFi

/// Which networks a viewer lists.
///
/// A value: two equal filters list the same networks. A condition that is at its default lets every network pass.
public struct NetworkFilter: Hashable, Sendable {
  /// The bands, where not every band is wanted.
  public struct Bands: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The 2.4 GHz band.
    public static let ghz2_4 = Bands(rawValue: 1)
    /// The 5 GHz band.
    public static let ghz5 = Bands(rawValue: 2)
    /// The 6 GHz band.
    public static let ghz6 = Bands(rawValue: 4)

    /// The set with one band; empty for a band that a filter does not name.
    public init(_ band: Band) {
      switch band {
      case .ghz2_4: self = .ghz2_4
      case .ghz5: self = .ghz5
      case .ghz6: self = .ghz6
      case .ghz60, .s1g: self = []
      }
    }
  }

  /// How a network has to be secured.
  public enum Protection: String, Hashable, Sendable, CaseIterable {
    /// In any way, or not at all.
    case any
    /// Joining needs no secret.
    case open
    /// Joining needs a secret.
    case secured
    /// Its protection is broken or absent: open, WEP, or WPA of 2003.
    case weak
    /// It offers WPA3 or OWE.
    case modern

    /// Whether a network is secured so.
    func accepts(_ security: Security) -> Bool {
      switch self {
      case .any: true
      case .open: !security.isSecured
      case .secured: security.isSecured
      case .weak: security.isWeak
      case .modern: security.family == .owe || security.protocols.contains(.wpa3)
      }
    }
  }

  /// The limits of ``minimumSignalDBm``.
  public static let signalRange = -100 ... -30

  /// Text that the name, or the address of a BSS, contains; upper and lower case are the same.
  ///
  /// Empty for all.
  public var text: String
  /// The bands of which the network has to be on one; empty for all.
  public var bands: Bands
  /// The least signal of the strongest BSS on ``bands`` in whole dBm, as lists show it; `nil` for all.
  public var minimumSignalDBm: Int?
  /// How it has to be secured.
  public var protection: Protection
  /// The least generation of Wi-Fi, 4 to 7; `nil` for all.
  public var minimumGeneration: Int?

  /// Makes a filter of its conditions; without any it lists every network.
  public init(
    text: String = "", bands: Bands = [], minimumSignalDBm: Int? = nil, protection: Protection = .any,
    minimumGeneration: Int? = nil
  ) {
    self.text = text
    self.bands = bands
    self.minimumSignalDBm = minimumSignalDBm
    self.protection = protection
    self.minimumGeneration = minimumGeneration
  }

  /// Whether every network passes.
  public var isEmpty: Bool { self == NetworkFilter() }

  /// What is listed of a network: its BSSs on ``bands``, and their signal; the whole network where none of them is.
  func listed(_ network: Network) -> Network {
    if bands.isEmpty { return network }
    let members = network.members.filter { $0.channel.band.map(names) ?? false }
    guard members.count < network.members.count, let strongest = members.first else { return network }
    var listed = network
    listed.members = members
    listed.bands = network.bands.filter(names)
    listed.signalMBm = strongest.signalMBm
    // Where the driver gives no dBm, only the strength of the whole is known.
    if let signal = strongest.signalMBm { listed.connectivity = Network.connectivity(signalMBm: signal) }
    return listed
  }

  /// Whether ``bands`` name a band.
  private func names(_ band: Band) -> Bool { !bands.isDisjoint(with: Bands(band)) }

  /// Whether a network passes, apart from ``text``.
  ///
  /// - Parameter listed: what is listed of it; see ``listed(_:)``.
  func acceptsFacts(of network: Network, listed: Network) -> Bool {
    if !bands.isEmpty, !network.bands.contains(where: names) { return false }
    if let minimumSignalDBm, listed.strengthMBm.wholeDBm < minimumSignalDBm { return false }
    if let minimumGeneration, (network.generation?.number ?? 0) < minimumGeneration { return false }
    return protection.accepts(network.security)
  }

  /// Whether a network passes.
  public func accepts(_ network: Network) -> Bool {
    acceptsFacts(of: network, listed: listed(network)) && (text.isEmpty || SearchText(network).contains(Array(text.lowercased().utf8)))
  }
}

/// What the text of a filter is looked for in, computed once for each network.
struct SearchText: Hashable, Sendable {
  private let text: [UInt8]

  init(_ network: Network) {
    var parts = network.ssid.isHidden ? NetworkRow(network).shownName : network.ssid.description
    for member in network.members { parts += "\n\(member.bssid)" }
    text = Array(parts.lowercased().utf8)
  }

  /// Whether the bytes of a text in lower case occur; no bytes occur everywhere.
  func contains(_ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    guard text.count >= wanted.count else { return false }
    var start = 0
    while start <= text.count - wanted.count {
      if text[start] == first {
        var matched = 1
        while matched < wanted.count, text[start + matched] == wanted[matched] { matched += 1 }
        if matched == wanted.count { return true }
      }
      start += 1
    }
    return false
  }
}
