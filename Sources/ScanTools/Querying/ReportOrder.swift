import WiFi

/// What the networks and BSSs of a report are sorted by; what is equal stands by signal, then by identity.
public enum ReportOrder: String, Hashable, Sendable, CaseIterable {
  /// The strongest first; those without dBm last.
  case signal
  /// By name, upper and lower case being the same.
  case name
  /// By the frequency of the primary channel; of a network, that of its strongest BSS.
  case channel
  /// What was heard last first.
  case age
  /// The weakest protection first, by the weakest that a station may choose.
  case security
}

extension Array {
  /// The elements in the order of their keys, or the other way round; each key is computed once.
  func sorted(isReversed: Bool, by key: (Element) -> ReportKey) -> [Element] {
    let keys = map(key)
    // Numbers are moved at less cost than the facts of a BSS.
    let order = isReversed ? indices.sorted { keys[$1] < keys[$0] } : indices.sorted { keys[$0] < keys[$1] }
    return order.map { self[$0] }
  }
}

/// Where something stands in a report.
struct ReportKey: Comparable {
  /// What it is sorted by.
  private var value = 0
  private var text: [UInt8] = []
  /// Whether its strength is known in the driver's own unit only.
  private var lacksDBm: Bool
  /// The greater, the weaker.
  private var weakness: Int
  private var id: NetworkID
  /// The primary channel, as one address may be on two.
  private var channelKHz = 0

  init(_ facts: BSSFacts, ageMs: Int, _ order: ReportOrder) {
    (lacksDBm, weakness) = Self.strength(facts.bss.signalMBm, facts.connectivity)
    id = .bss(facts.bss.bssid)
    sort(by: order, facts.ssid, channelKHz: facts.channel.primaryKHz, ageMs: ageMs, facts.security)
  }

  init(_ network: Network, ageMs: Int, _ order: ReportOrder) {
    (lacksDBm, weakness) = Self.strength(network.signalMBm, network.connectivity)
    id = network.id
    sort(by: order, network.ssid, channelKHz: network.members.first?.channel.primaryKHz ?? 0, ageMs: ageMs, network.security)
  }

  private static func strength(_ signalMBm: Int32?, _ connectivity: Double) -> (Bool, Int) {
    signalMBm.map { (false, -Int($0)) } ?? (true, -Int((connectivity * 10_000).rounded()))
  }

  private mutating func sort(by order: ReportOrder, _ name: SSID, channelKHz: Int, ageMs: Int, _ security: Security) {
    self.channelKHz = channelKHz
    switch order {
    case .signal: break
    case .name: text = Array(name.description.lowercased().utf8)
    case .channel: value = channelKHz
    case .age: value = ageMs
    case .security: value = security.rank
    }
  }

  static func < (left: Self, right: Self) -> Bool {
    if left.value != right.value { return left.value < right.value }
    if left.text != right.text { return left.text.lexicographicallyPrecedes(right.text) }
    if left.lacksDBm != right.lacksDBm { return right.lacksDBm }
    if left.weakness != right.weakness { return left.weakness < right.weakness }
    return (left.id, left.channelKHz) < (right.id, right.channelKHz)
  }
}
