/// What happened to one network between two looks at the air.
public enum NetworkChange: Hashable, Sendable {
  /// It was heard for the first time, or again after it was lost.
  case found(Network)
  /// Something that a user can see of it is different now.
  case changed(Network, from: Network)
  /// It is gone by the ``LossRule``.
  case lost(Network)

  /// The network, as it is or was last.
  public var network: Network {
    switch self {
    case .found(let network), .changed(let network, _), .lost(let network): network
    }
  }

  /// What happened, by a name that is the same in every version.
  package enum Kind: String, Hashable, Sendable, CaseIterable { case found, changed, lost }

  /// What happened, whatever the network.
  package var kind: Kind {
    switch self {
    case .found: .found
    case .changed: .changed
    case .lost: .lost
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
/// a BSS that is as it was costs one look-up. Names, families and members are computed again only where the
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
    /// The place of the record of its network.
    var record: Int
    var lastHeard: Duration
    var missedScans = 0
    /// The place of the next entry of the same address.
    var next: Int?
    var isForgotten = false

    /// Processes one more sighting.
    mutating func hearAgain(at time: Duration) {
      lastHeard = time
      missedScans = 0
    }
  }

  private struct Record {
    let id: NetworkID
    /// The network as last reported; `nil` before the first report.
    var network: Network?
    var members: [Int] = []
    /// Whether the scan that is taken in touches it.
    var isTouched = false
  }

  /// A place each; those of forgotten ones are used again.
  private var entries: [Entry] = []
  private var freePlaces: [Int] = []
  /// The place of the first entry of each address.
  private var firstPlaces: [MACAddress: Int] = [:]
  /// A place each, as of entries; those without members are used again.
  private var records: [Record] = []
  private var freeRecords: [Int] = []
  private var recordPlaces: [NetworkID: Int] = [:]
  /// The records that the scan which is taken in touches, in order.
  private var touched: [Int] = []
  /// BSSs that have missed enough scans and only wait for the silence to be long enough, in order of their address.
  private var overdue: [Int] = []

  /// Knows no network yet.
  public init(grouping: Grouping = .network, rule: LossRule = LossRule()) {
    self.grouping = grouping
    self.rule = rule
  }

  /// The number of networks.
  public var count: Int { recordPlaces.count }

  /// A network by its identity.
  public subscript(id: NetworkID) -> Network? { recordPlaces[id].flatMap { records[$0].network } }

  /// What is known of the BSSs of a network, strongest first.
  public func facts(of id: NetworkID) -> [BSSFacts] {
    recordPlaces[id].map { facts(at: $0) } ?? []
  }

  /// When a network was last heard, as time since boot.
  public func lastHeard(_ id: NetworkID) -> Duration? {
    recordPlaces[id].flatMap { records[$0].members.map { entries[$0].lastHeard }.max() }
  }

  /// Whether a BSS is there, under whatever name.
  package func hears(_ bssid: MACAddress) -> Bool { firstPlaces[bssid] != nil }

  private func facts(at record: Int) -> [BSSFacts] {
    let members = records[record].members
    if members.count == 1 { return [entries[members[0]].facts] }
    return members.sorted { BSSFacts.isStronger(entries[$0].facts, entries[$1].facts) }.map { entries[$0].facts }
  }

  /// Processes one scan and says what changed: found and changed in the order heard, then lost in the order of
  /// identity.
  public mutating func apply(_ scan: Scan) -> [NetworkChange] {
    for bss in scan.bss { takeIn(bss, scan) }
    for bssid in scan.lost {
      while let place = firstPlaces[bssid] { forget(place) }
    }
    if scan.isComplete { countMisses(scan) }
    for place in overdue {
      if entries[place].missedScans >= rule.missedScans, scan.end - entries[place].lastHeard > rule.silence {
        forget(place)
      }
    }
    overdue.removeAll { entries[$0].missedScans < rule.missedScans }
    return changes()
  }

  /// Processes one sighting, unless it says nothing new: it was heard before the last one, or too long ago to be still
  /// there.
  private mutating func takeIn(_ bss: BSS, _ scan: Scan) {
    let lastHeard = scan.lastHeard(bss)
    let first = firstPlaces[bss.bssid]
    // The same bytes as before need no second look.
    if let place = Self.place(in: entries, from: first, where: { $0.facts.bss.hasSameContent(as: bss) }) {
      guard lastHeard > entries[place].lastHeard else { return }
      let isAsStrong = entries[place].facts.bss.isAsStrong(as: bss)
      entries[place].facts.hear(bss)
      entries[place].hearAgain(at: lastHeard)
      if !isAsStrong { join(place) }
      return
    }
    let facts = BSSFacts(bss)
    if facts.ssid.isHidden, let place = Self.place(in: entries, from: first, where: { !$0.ssid.isHidden }) {
      // A beacon of a network whose name is known from a probe response: the network is still there.
      if lastHeard > entries[place].lastHeard { entries[place].hearAgain(at: lastHeard) }
      return
    }
    let ssid = facts.ssid.isHidden ? .wildcard : facts.ssid
    guard let place = Self.place(in: entries, from: first, where: { $0.ssid == ssid }) else {
      if scan.end - lastHeard > rule.silence { return }
      let entry = Entry(ssid: ssid, facts: facts, record: record(of: facts.networkID(grouping)), lastHeard: lastHeard)
      return join(add(entry, after: first))
    }
    guard lastHeard > entries[place].lastHeard else { return }
    let (old, new) = (entries[place].record, record(of: facts.networkID(grouping)))
    let looksAlike = entries[place].facts.looksLike(facts)
    entries[place].facts = facts
    entries[place].record = new
    entries[place].hearAgain(at: lastHeard)
    if old == new, looksAlike { return }
    if old != new { leave(old, place) }
    join(place)
  }

  /// The place of the first entry of an address, from `first` on, for which something is true.
  private static func place(in entries: [Entry], from first: Int?, where isMeant: (borrowing Entry) -> Bool) -> Int? {
    let entries = entries.span
    var next = first
    while let place = next {
      if isMeant(entries[place]) { return place }
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

  /// The place of the record of a network, a new one where there is none.
  private mutating func record(of id: NetworkID) -> Int {
    if let place = recordPlaces[id] { return place }
    let place = freeRecords.popLast() ?? records.count
    if place == records.count { records.append(Record(id: id)) } else { records[place] = Record(id: id) }
    recordPlaces[id] = place
    return place
  }

  private mutating func touch(_ record: Int) {
    if records[record].isTouched { return }
    records[record].isTouched = true
    touched.append(record)
  }

  /// Takes an entry out of the record of a network.
  private mutating func leave(_ record: Int, _ place: Int) {
    touch(record)
    records[record].members.removeAll { $0 == place }
  }

  /// Lets the network of an entry hear of it.
  private mutating func join(_ place: Int) {
    let record = entries[place].record
    touch(record)
    if !entries[place].ssid.isHidden,
      let hidden = Self.place(
        in: entries, from: firstPlaces[entries[place].facts.bss.bssid], where: { $0.ssid == .wildcard })
    {
      // Now the name is known: the row without one becomes this one, and was heard whenever that was.
      entries[place].lastHeard = max(entries[place].lastHeard, entries[hidden].lastHeard)
      forget(hidden)
    }
    if !records[record].members.contains(place) { records[record].members.append(place) }
  }

  private mutating func forget(_ place: Int) {
    if entries[place].isForgotten { return }
    leave(entries[place].record, place)
    let bssid = entries[place].facts.bss.bssid
    if let before = Self.place(in: entries, from: firstPlaces[bssid], where: { $0.next == place }) {
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

  private mutating func changes() -> [NetworkChange] {
    var changes: [NetworkChange] = []
    var lost: [Network] = []
    for place in touched {
      records[place].isTouched = false
      let (id, old) = (records[place].id, records[place].network)
      guard !records[place].members.isEmpty else {
        recordPlaces[id] = nil
        freeRecords.append(place)
        if let old { lost.append(old) }
        continue
      }
      let network = Network(id: id, ofStrongestFirst: facts(at: place))
      records[place].network = network
      if let old {
        if old != network { changes.append(.changed(network, from: old)) }
      } else {
        changes.append(.found(network))
      }
    }
    touched.removeAll(keepingCapacity: true)
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
  /// Whether a network made of these facts looks the same as one made of the others.
  fileprivate func looksLike(_ other: BSSFacts) -> Bool {
    bss.isAsStrong(as: other.bss) && ssid == other.ssid && security == other.security && channel == other.channel
      && generation == other.generation
  }
}
