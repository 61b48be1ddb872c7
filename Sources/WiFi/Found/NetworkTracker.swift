/// What happened to one network between two looks at the air.
public enum NetworkChange: Hashable, Sendable {
  /// It was heard for the first time, or again after it was lost.
  case found(Network)
  /// Something that a person can see of it is different now.
  case changed(Network, from: Network)
  /// It is gone by the ``LossRule``.
  case lost(Network)

  /// The network, as it is or was last.
  public var network: Network {
    switch self {
    case .found(let network), .changed(let network, _), .lost(let network): network
    }
  }
}

/// When a network counts as lost.
///
/// After `missedScans` consecutive complete scans that covered its channel without it, or when it was last heard longer
/// than `silence` ago, whichever is later. Partial scans prove nothing.
public struct LossRule: Hashable, Sendable {
  /// Complete scans in a row that covered the channel and did not hear it.
  public var missedScans = 3
  /// The time since it was last heard.
  public var silence: Duration = .seconds(30)

  /// Three scans and thirty seconds.
  public init() {}
}

/// Turns scans into networks that are found, changed and lost.
///
/// A value without a clock: every scan brings its own times. One scan costs time in proportion to the BSSs it lists;
/// a BSS that is as it was costs one look-up. Names, families and members are worked out again only where the
/// elements differ from those heard before.
///
/// A hidden BSS and the same BSSID with a name are one: the name wins while it is remembered.
public struct NetworkTracker: Sendable {
  /// What makes BSSs one network.
  public let grouping: Grouping
  /// When a network counts as lost.
  public let rule: LossRule

  private struct Key: Hashable {
    var bssid: MACAddress
    var ssid: SSID
  }

  private struct Entry {
    var facts: BSSFacts
    var network: NetworkID
    var lastHeard: Duration
    var missedScans: Int

    /// The state after one more sighting, or `nil` where that was no later than the last one.
    func heardAgain(_ bss: BSS?, at time: Duration) -> Entry? {
      guard time > lastHeard else { return nil }
      var copy = self
      if let bss { copy.facts = facts.with(bss) }
      copy.lastHeard = time
      copy.missedScans = 0
      return copy
    }
  }

  private struct Record {
    var network: Network
    var members: [Key]
  }

  private var entries: [Key: Entry] = [:]
  private var names: [MACAddress: [SSID]] = [:]
  private var records: [NetworkID: Record] = [:]
  /// BSSs that have missed enough scans and only wait for the silence to be long enough, in order of their address.
  private var overdue: [Key] = []

  /// Knows no network yet.
  public init(grouping: Grouping = .network, rule: LossRule = LossRule()) {
    self.grouping = grouping
    self.rule = rule
  }

  /// The number of networks.
  public var count: Int { records.count }

  /// A network by its identity.
  public subscript(id: NetworkID) -> Network? { records[id]?.network }

  /// What is known of the BSSs of a network, strongest first.
  public func facts(of id: NetworkID) -> [BSSFacts] {
    (records[id]?.members.compactMap { entries[$0]?.facts } ?? []).sorted(by: BSSFacts.isStronger)
  }

  /// When a network was last heard, as time since boot.
  public func lastHeard(_ id: NetworkID) -> Duration? {
    records[id]?.members.compactMap { entries[$0]?.lastHeard }.max()
  }

  /// The networks that one scan touches, in order, each as it was before.
  private struct Pass {
    var touched: [NetworkID] = []
    var before: [NetworkID: Network?] = [:]

    mutating func touch(_ id: NetworkID, _ network: Network?) {
      guard before[id] == nil else { return }
      touched.append(id)
      before[id] = .some(network)
    }
  }

  /// Takes in one scan and says what changed: found and changed in the order heard, then lost in the order of identity.
  public mutating func apply(_ scan: Scan) -> [NetworkChange] {
    var pass = Pass()
    for bss in scan.bss { takeIn(bss, scan, &pass) }
    for bssid in scan.lost {
      for ssid in names[bssid] ?? [] { forget(Key(bssid: bssid, ssid: ssid), &pass) }
    }
    if scan.isComplete { countMisses(scan) }
    for key in overdue {
      if let entry = entries[key], entry.missedScans >= rule.missedScans, scan.end - entry.lastHeard > rule.silence {
        forget(key, &pass)
      }
    }
    overdue.removeAll { (entries[$0]?.missedScans ?? 0) < rule.missedScans }
    return changes(pass)
  }

  private mutating func takeIn(_ bss: BSS, _ scan: Scan, _ pass: inout Pass) {
    guard let (key, new) = hear(bss, scan) else { return }
    let old = entries[key]
    entries[key] = new
    if let old, old.network == new.network, old.facts.looksLike(new.facts) { return }
    if let old, old.network != new.network {
      pass.touch(old.network, records[old.network]?.network)
      records[old.network]?.members.removeAll { $0 == key }
    }
    pass.touch(new.network, records[new.network]?.network)
    join(key, new, &pass)
  }

  /// What a sighting means: the key it counts for, and the new state of that key.
  ///
  /// `nil` where it says nothing new: it was heard before the last sighting, or too long ago to be still there.
  private func hear(_ bss: BSS, _ scan: Scan) -> (Key, Entry)? {
    let lastHeard = scan.lastHeard(bss)
    let known = names[bss.bssid] ?? []
    // The same octets as before need no second look.
    for ssid in known {
      let key = Key(bssid: bss.bssid, ssid: ssid)
      guard let entry = entries[key], entry.facts.bss.hasSameContent(as: bss) else { continue }
      return entry.heardAgain(bss, at: lastHeard).map { (key, $0) }
    }
    let facts = BSSFacts(bss)
    if facts.isHidden, let name = known.first(where: { !$0.isHidden }) {
      // The beacon of a network whose name a probe response told: the network is still there.
      let key = Key(bssid: bss.bssid, ssid: name)
      return entries[key]?.heardAgain(nil, at: lastHeard).map { (key, $0) }
    }
    let key = Key(bssid: bss.bssid, ssid: facts.isHidden ? .wildcard : facts.ssid)
    if let entry = entries[key] {
      guard lastHeard > entry.lastHeard else { return nil }
    } else if scan.end - lastHeard > rule.silence {
      return nil
    }
    return (key, Entry(facts: facts, network: facts.networkID(grouping), lastHeard: lastHeard, missedScans: 0))
  }

  private mutating func join(_ key: Key, _ entry: Entry, _ pass: inout Pass) {
    if names[key.bssid]?.contains(key.ssid) != true { names[key.bssid, default: []].append(key.ssid) }
    if !key.ssid.isHidden, names[key.bssid]?.contains(.wildcard) == true {
      // Now the name is known: the row without one becomes this one, and was heard whenever that was.
      let hidden = Key(bssid: key.bssid, ssid: .wildcard)
      if let heard = entries[hidden]?.lastHeard, heard > entry.lastHeard { entries[key]?.lastHeard = heard }
      forget(hidden, &pass)
    }
    if records[entry.network] == nil {
      records[entry.network] = Record(network: Network(id: entry.network, of: [entry.facts]), members: [key])
    } else if records[entry.network]?.members.contains(key) != true {
      records[entry.network]?.members.append(key)
    }
  }

  private mutating func forget(_ key: Key, _ pass: inout Pass) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    pass.touch(entry.network, records[entry.network]?.network)
    records[entry.network]?.members.removeAll { $0 == key }
    names[key.bssid]?.removeAll { $0 == key.ssid }
    if names[key.bssid]?.isEmpty == true { names[key.bssid] = nil }
  }

  private mutating func countMisses(_ scan: Scan) {
    let covered = scan.frequenciesKHz.map(Set.init)
    var index = entries.startIndex
    while index != entries.endIndex {
      let entry = entries.values[index]
      let isCovered = covered?.contains(UInt32(clamping: entry.facts.bss.frequencyKHz)) ?? true
      if isCovered, entry.lastHeard < scan.start {
        entries.values[index].missedScans += 1
        if entry.missedScans + 1 == rule.missedScans { overdue.append(entries.keys[index]) }
      }
      entries.formIndex(after: &index)
    }
    // The order of the dictionary must not show.
    overdue.sort { ($0.bssid, $0.ssid) < ($1.bssid, $1.ssid) }
  }

  private mutating func changes(_ pass: Pass) -> [NetworkChange] {
    var changes: [NetworkChange] = []
    var lost: [Network] = []
    for id in pass.touched {
      let old = pass.before[id].flatMap { $0 }
      guard let record = records[id], !record.members.isEmpty else {
        records[id] = nil
        if let old { lost.append(old) }
        continue
      }
      let network = Network(id: id, of: record.members.compactMap { entries[$0]?.facts })
      records[id]?.network = network
      if let old {
        if old != network { changes.append(.changed(network, from: old)) }
      } else {
        changes.append(.found(network))
      }
    }
    lost.sort { $0.id < $1.id }
    return changes + lost.map(NetworkChange.lost)
  }
}

extension BSS {
  /// Whether everything that is decoded is the same; times and strength may differ.
  fileprivate func hasSameContent(as other: BSS) -> Bool {
    frequencyMHz == other.frequencyMHz && frequencyOffsetKHz == other.frequencyOffsetKHz
      && capability == other.capability && informationElements == other.informationElements
  }
}

extension BSSFacts {
  /// Whether a network made of these facts could not be told from one made of the others.
  fileprivate func looksLike(_ other: BSSFacts) -> Bool {
    bss.signalMBm == other.bss.signalMBm && bss.signalUnspecified == other.bss.signalUnspecified
      && ssid == other.ssid && security == other.security && channel == other.channel && generation == other.generation
  }
}
