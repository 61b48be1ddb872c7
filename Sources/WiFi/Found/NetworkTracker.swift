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

  /// What is known of one BSS under one name.
  private struct Entry {
    /// The name it counts under: none where that is hidden.
    let ssid: SSID
    var facts: BSSFacts
    var network: NetworkID
    var lastHeard: Duration
    var missedScans = 0
    /// The place of the next entry of the same address.
    var next: Int?
    var isForgotten = false

    /// Takes in one more sighting.
    mutating func hearAgain(at time: Duration) {
      lastHeard = time
      missedScans = 0
    }
  }

  private struct Record {
    var network: Network
    var members: [Int]
  }

  /// A place each; those of forgotten ones are used again.
  private var entries: [Entry] = []
  private var freePlaces: [Int] = []
  /// The place of the first entry of each address.
  private var firstPlaces: [MACAddress: Int] = [:]
  private var records: [NetworkID: Record] = [:]
  /// BSSs that have missed enough scans and only wait for the silence to be long enough, in order of their address.
  private var overdue: [Int] = []

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
    (records[id]?.members.map { entries[$0].facts } ?? []).sorted(by: BSSFacts.isStronger)
  }

  /// When a network was last heard, as time since boot.
  public func lastHeard(_ id: NetworkID) -> Duration? {
    records[id]?.members.map { entries[$0].lastHeard }.max()
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
      while let place = firstPlaces[bssid] { forget(place, &pass) }
    }
    if scan.isComplete { countMisses(scan) }
    for place in overdue {
      if entries[place].missedScans >= rule.missedScans, scan.end - entries[place].lastHeard > rule.silence {
        forget(place, &pass)
      }
    }
    overdue.removeAll { entries[$0].missedScans < rule.missedScans }
    return changes(pass)
  }

  /// Takes in one sighting, unless it says nothing new: it was heard before the last one, or too long ago to be still there.
  private mutating func takeIn(_ bss: BSS, _ scan: Scan, _ pass: inout Pass) {
    let lastHeard = scan.lastHeard(bss)
    let first = firstPlaces[bss.bssid]
    // The same octets as before need no second look.
    if let place = place(from: first, where: { entries[$0].facts.bss.hasSameContent(as: bss) }) {
      guard lastHeard > entries[place].lastHeard else { return }
      let isAsStrong = entries[place].facts.bss.isAsStrong(as: bss)
      entries[place].facts.hear(bss)
      entries[place].hearAgain(at: lastHeard)
      if !isAsStrong { join(place, &pass) }
      return
    }
    let facts = BSSFacts(bss)
    if facts.isHidden, let place = place(from: first, where: { !entries[$0].ssid.isHidden }) {
      // The beacon of a network whose name a probe response told: the network is still there.
      if lastHeard > entries[place].lastHeard { entries[place].hearAgain(at: lastHeard) }
      return
    }
    let ssid = facts.isHidden ? .wildcard : facts.ssid
    let network = facts.networkID(grouping)
    guard let place = place(from: first, where: { entries[$0].ssid == ssid }) else {
      if scan.end - lastHeard > rule.silence { return }
      return join(add(Entry(ssid: ssid, facts: facts, network: network, lastHeard: lastHeard), after: first), &pass)
    }
    guard lastHeard > entries[place].lastHeard else { return }
    let old = entries[place].network
    let looksAlike = entries[place].facts.looksLike(facts)
    entries[place].facts = facts
    entries[place].network = network
    entries[place].hearAgain(at: lastHeard)
    if old == network, looksAlike { return }
    if old != network {
      pass.touch(old, records[old]?.network)
      records[old]?.members.removeAll { $0 == place }
    }
    join(place, &pass)
  }

  /// The place of the first entry of an address, from `first` on, for which something is true.
  private func place(from first: Int?, where isMeant: (Int) -> Bool) -> Int? {
    var next = first
    while let place = next {
      if isMeant(place) { return place }
      next = entries[place].next
    }
    return nil
  }

  /// Gives an entry a place behind the others of its address, of which one is at `first`.
  private mutating func add(_ entry: Entry, after first: Int?) -> Int {
    let place = freePlaces.popLast() ?? entries.count
    if place == entries.count { entries.append(entry) } else { entries[place] = entry }
    guard var last = first else {
      firstPlaces[entry.facts.bss.bssid] = place
      return place
    }
    while let next = entries[last].next { last = next }
    entries[last].next = place
    return place
  }

  /// Lets the network of an entry hear of it.
  private mutating func join(_ place: Int, _ pass: inout Pass) {
    let network = entries[place].network
    pass.touch(network, records[network]?.network)
    if !entries[place].ssid.isHidden,
      let hidden = self.place(from: firstPlaces[entries[place].facts.bss.bssid], where: { entries[$0].ssid == .wildcard })
    {
      // Now the name is known: the row without one becomes this one, and was heard whenever that was.
      entries[place].lastHeard = max(entries[place].lastHeard, entries[hidden].lastHeard)
      forget(hidden, &pass)
    }
    if records[network] == nil {
      records[network] = Record(network: Network(id: network, of: [entries[place].facts]), members: [place])
    } else if records[network]?.members.contains(place) != true {
      records[network]?.members.append(place)
    }
  }

  private mutating func forget(_ place: Int, _ pass: inout Pass) {
    if entries[place].isForgotten { return }
    let network = entries[place].network
    pass.touch(network, records[network]?.network)
    records[network]?.members.removeAll { $0 == place }
    let bssid = entries[place].facts.bss.bssid
    if let before = self.place(from: firstPlaces[bssid], where: { entries[$0].next == place }) {
      entries[before].next = entries[place].next
    } else {
      firstPlaces[bssid] = entries[place].next
    }
    entries[place].isForgotten = true
    entries[place].missedScans = 0
    freePlaces.append(place)
  }

  private mutating func countMisses(_ scan: Scan) {
    let covered = scan.frequenciesKHz.map(Set.init)
    for place in entries.indices where entries[place].lastHeard < scan.start && !entries[place].isForgotten {
      let isCovered = covered?.contains(UInt32(clamping: entries[place].facts.bss.frequencyKHz)) ?? true
      guard isCovered else { continue }
      entries[place].missedScans += 1
      if entries[place].missedScans == rule.missedScans { overdue.append(place) }
    }
    // The order of places must not show.
    if overdue.count > 1 {
      overdue = overdue.map { (entries[$0].facts.bss.bssid, entries[$0].ssid, $0) }.sorted(by: <).map(\.2)
    }
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
      let network = Network(id: id, of: record.members.map { entries[$0].facts })
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

  fileprivate func isAsStrong(as other: BSS) -> Bool {
    signalMBm == other.signalMBm && signalUnspecified == other.signalUnspecified
  }
}

extension BSSFacts {
  /// Whether a network made of these facts could not be told from one made of the others.
  fileprivate func looksLike(_ other: BSSFacts) -> Bool {
    bss.isAsStrong(as: other.bss) && ssid == other.ssid && security == other.security && channel == other.channel && generation == other.generation
  }
}
