/// What makes a network the same network: its content, never an invented number.
public enum NetworkID: Hashable, Sendable {
  /// A name and a family of security: one row that a user would recognise.
  case network(SSID, Security.Family)
  /// One BSS: each has its own row. A hidden BSS is such a row until a probe response names it.
  case bss(MACAddress)
}

extension NetworkID: Comparable {
  /// Orders networks before single BSSs, by name, family and address.
  public static func < (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.network(let leftSSID, let leftFamily), .network(let rightSSID, let rightFamily)):
      (leftSSID, leftFamily.rawValue) < (rightSSID, rightFamily.rawValue)
    case (.bss(let left), .bss(let right)): left < right
    case (.network, .bss): true
    case (.bss, .network): false
    }
  }
}

extension NetworkID: CustomStringConvertible {
  /// Such as `Home personal` or `02:00:00:00:00:01`.
  public var description: String {
    switch self {
    case .network(let ssid, let family): "\(ssid) \(family)"
    case .bss(let bssid): bssid.description
    }
  }
}

/// What makes BSSs one network.
public enum Grouping: String, Hashable, Sendable, CaseIterable {
  /// By name and family of security, as a user sees it.
  case network
  /// Not at all: each BSS is its own row.
  case bss
}

/// One row that a user would recognise: the BSSs of one name and one family of security.
public struct Network: Hashable, Sendable {
  /// Its identity, from its content.
  public var id: NetworkID
  /// Its name, of no bytes where it is hidden or not known.
  public var ssid: SSID
  /// Whether the name could be read: `false` where what carries it is cut off or malformed.
  public var isSSIDKnown = true
  /// How its BSSs are secured, all together: what a station may choose from, whichever of them is the strongest.
  public var security: Security
  /// How each of its BSSs is secured, where they differ: the most common first; empty where all are secured alike.
  public var securityShares: [SecurityShare] = []
  /// Strength of its strongest BSS in 1/100 dBm, where the driver gives dBm.
  public var signalMBm: Int32?
  /// Strength of its strongest BSS from 0 to 1: −100 dBm is 0, −40 dBm is 1.
  public var connectivity: Double
  /// The newest generation among its BSSs.
  public var generation: Generation?
  /// The bands it is on, lowest first.
  public var bands: [Band]
  /// Its BSSs, strongest first, equally strong by address.
  public var members: [Member]

  /// One BSS of a network.
  public struct Member: Hashable, Sendable {
    /// Its address.
    public var bssid: MACAddress
    /// Its channel.
    public var channel: Channel
    /// Its strength in 1/100 dBm.
    public var signalMBm: Int32?

    /// Makes a member from its parts.
    public init(bssid: MACAddress, channel: Channel, signalMBm: Int32?) {
      self.bssid = bssid
      self.channel = channel
      self.signalMBm = signalMBm
    }
  }

  /// Those BSSs of a network that are secured alike.
  public struct SecurityShare: Hashable, Sendable {
    /// How they are secured.
    public var security: Security
    /// Their addresses, in order.
    public var bssids: [MACAddress]

    /// The shares of BSSs, the most common first, then the weakest; none where all are secured alike.
    static func shares(of facts: [BSSFacts]) -> [SecurityShare] {
      guard let first = facts.first?.security, facts.contains(where: { $0.security != first }) else { return [] }
      var shares: [SecurityShare] = []
      for fact in facts {
        if let place = shares.firstIndex(where: { $0.security == fact.security }) {
          shares[place].bssids.append(fact.bss.bssid)
        } else {
          shares.append(SecurityShare(security: fact.security, bssids: [fact.bss.bssid]))
        }
      }
      for place in shares.indices { shares[place].bssids.sort() }
      return shares.sorted {
        ($1.bssids.count, $0.security.rank, $0.bssids[0]) < ($0.bssids.count, $1.security.rank, $1.bssids[0])
      }
    }
  }

  /// Makes a network from its parts.
  public init(
    id: NetworkID, ssid: SSID, security: Security, signalMBm: Int32?, connectivity: Double, generation: Generation?,
    bands: [Band], members: [Member]
  ) {
    self.id = id
    self.ssid = ssid
    self.security = security
    self.signalMBm = signalMBm
    self.connectivity = connectivity
    self.generation = generation
    self.bands = bands
    self.members = members
  }

  /// Puts together the BSSs of one network.
  ///
  /// - Precondition: there is at least one.
  public init(id: NetworkID, of facts: [BSSFacts]) {
    precondition(!facts.isEmpty, "Network: no BSS for \(id)")
    self.init(id: id, ofStrongestFirst: facts.count == 1 ? facts : facts.sorted(by: BSSFacts.isStronger))
  }

  init(id: NetworkID, ofStrongestFirst sorted: [BSSFacts]) {
    let strongest = sorted[0]
    let shares = SecurityShare.shares(of: sorted)
    self.init(
      id: id, ssid: strongest.ssid, security: shares.isEmpty ? strongest.security : Security(union: shares.map(\.security)),
      signalMBm: strongest.bss.signalMBm,
      connectivity: strongest.connectivity, generation: sorted.compactMap(\.generation).max(by: Generation.isOlder),
      bands: sorted.count == 1
        ? strongest.channel.band.map { [$0] } ?? [] : Band.allCases.filter { band in sorted.contains { $0.channel.band == band } },
      members: sorted.map {
        Member(bssid: $0.bss.bssid, channel: $0.channel, signalMBm: $0.bss.signalMBm)
      })
    isSSIDKnown = strongest.isSSIDKnown
    securityShares = shares
  }

  /// Whether it hides its name; a name that could not be read is not known to be hidden.
  public var isHidden: Bool { isSSIDKnown && ssid.isHidden }

  /// The words for its security, marked where its BSSs differ in them, such as `WPA2/WPA3-Personal (mixed)`.
  package var securityText: String {
    securityShares.contains { $0.security.summary != securityShares[0].security.summary } ? "\(security.summary) (mixed)" : security.summary
  }

  /// What differs between its BSSs, the most common first, such as
  /// `8 of 12 APs: WPA2-Personal (PSK, CCMP-128, PMF disabled)`.
  package var securityDifferences: [(count: String, details: String)] {
    let total = securityShares.reduce(0) { $0 + $1.bssids.count }
    return securityShares.map { ("\($0.bssids.count) of \(total) APs", $0.security.details) }
  }

  /// Whether joining needs a secret.
  public var isSecured: Bool { security.isSecured }

  /// Strength in bars, 0 to 4, as desktop panels draw it: above 80, 55, 30 and 5 percent.
  public var bars: Int { Self.bars(connectivity: connectivity) }

  /// Strength in percent.
  package var percent: Int { Int((connectivity * 100).rounded()) }

  /// A strength from 0 to 1 of one in 1/100 dBm: −100 dBm is 0, −40 dBm is 1.
  package static func connectivity(signalMBm: Int32) -> Double { min(max((Double(signalMBm) + 10_000) / 6_000, 0), 1) }

  /// The bars of a strength from 0 to 1.
  package static func bars(connectivity: Double) -> Int {
    switch connectivity {
    case 0.80...: 4
    case 0.55..<0.80: 3
    case 0.30..<0.55: 2
    case 0.05..<0.30: 1
    default: 0
    }
  }

  /// The networks that BSSs form, in the order of each one's first BSS.
  public static func networks(of facts: [BSSFacts], grouping: Grouping = .network) -> [Network] {
    var order: [NetworkID] = []
    var groups: [NetworkID: [BSSFacts]] = [:]
    for fact in facts {
      let id = fact.networkID(grouping)
      if groups[id] == nil { order.append(id) }
      groups[id, default: []].append(fact)
    }
    return order.compactMap { id in groups[id].map { Network(id: id, of: $0) } }
  }
}

extension [Network] {
  /// Whether the network at one place equals that at a place of another list.
  ///
  /// Field by field, and so without a copy of either.
  package func equals(at place: Int, _ other: [Network], at otherPlace: Int) -> Bool {
    self[place].members == other[otherPlace].members && self[place].signalMBm == other[otherPlace].signalMBm
      && self[place].connectivity == other[otherPlace].connectivity && self[place].id == other[otherPlace].id
      && self[place].ssid == other[otherPlace].ssid
      && self[place].isSSIDKnown == other[otherPlace].isSSIDKnown && self[place].security == other[otherPlace].security
      && self[place].securityShares == other[otherPlace].securityShares
      && self[place].generation == other[otherPlace].generation && self[place].bands == other[otherPlace].bands
  }
}

extension BSS {
  /// Strength in 1/100 dBm: the signal, which unlike ``connectivity`` has no upper end.
  ///
  /// Where the driver gives no dBm, that which the connectivity stands for.
  package var strengthMBm: Int { Network.strength(signalMBm, connectivity) }
}

extension Network {
  /// Strength of its strongest BSS in 1/100 dBm; where the driver gives no dBm, what its connectivity stands for.
  package var strengthMBm: Int { Self.strength(signalMBm, connectivity) }

  fileprivate static func strength(_ signalMBm: Int32?, _ connectivity: Double) -> Int {
    signalMBm.map(Int.init) ?? Int((connectivity * 6000).rounded()) - 10_000
  }
}

extension BSSFacts {
  /// Orders the strongest first, equally strong by address.
  static func isStronger(_ left: BSSFacts, _ right: BSSFacts) -> Bool {
    (right.bss.strengthMBm, left.bss.bssid) < (left.bss.strengthMBm, right.bss.bssid)
  }

  /// The network that the BSS belongs to.
  public func networkID(_ grouping: Grouping) -> NetworkID {
    grouping == .bss || ssid.isHidden ? .bss(bss.bssid) : .network(ssid, security.family)
  }
}

extension Network: Describable {
  public func describe(into fields: inout FieldWriter) {
    ssid.describe(isKnown: isSSIDKnown, into: &fields)
    fields.object("security") { security.describe(into: &$0) }
    if !securityShares.isEmpty {
      fields.objects("securityShares", securityShares) { fields, share in
        fields.object("security") { share.security.describe(into: &$0) }
        fields.field("bssids", share.bssids.map(\.description))
      }
    }
    if let signalMBm { fields.field("signalDBm", hundredths: Int(signalMBm)) }
    fields.field("connectivity", hundredths: Int((connectivity * 100).rounded()))
    fields.field("bars", bars)
    fields.fieldOrNull("generation", generation?.number)
    fields.field("bands", bands.map(\.rawValue))
    fields.field("bssids", members.map(\.bssid.description))
  }
}
