import Models
import WiFi

/// A row as it should be.
struct ReferenceRow: Hashable {
  var id: NetworkID
  /// The bytes of the name; none where it is hidden.
  var name: [UInt8]
  /// Strength from 0 to 1.
  var strength: Double
  /// How joining is.
  var family: Security.Family
  /// The number of its access points.
  var count = 1

  var isSecured: Bool { family != .open && family != .owe }

  /// Strength in bars: above 80, 55, 30 and 5 percent.
  var bars: Int { [0.05, 0.30, 0.55, 0.80].count { strength >= $0 } }
}

/// The list as it should be: found and lost by the rule, grouped, named and sorted, always from the whole.
///
/// A BSS is there from the first scan that hears it; it is lost when its source says so, or after three complete scans
/// in a row that covered its channel without it, when it was last heard more than thirty seconds before the end of the
/// last, whichever is later. One that hid its name and says it now is one and the same.
struct ReferenceList {
  /// One BSS under one name.
  private struct Sighting {
    var bss: PlainBSS
    var reading: PlainReading
    var id: NetworkID
    var lastHeard: Duration
    var misses = 0
    /// Whether the last scan said something else than those before.
    var isFresh = true
  }

  private let grouping: Grouping
  private let order: NetworkOrder
  /// In the order in which each was heard first.
  private var there: [Sighting] = []
  /// Where those of each address stand among them.
  private var sightings: [UInt64: [Int]] = [:]
  /// The rows, in the order of the list.
  private(set) var rows: [ReferenceRow] = []
  /// Where each row stands among them.
  private var rowPlaces: [NetworkID: Int] = [:]
  /// The identities of the rows, in the order in which they were found.
  private var found: [NetworkID] = []
  /// Where the access points of each row stand in ``there``.
  private var places: [NetworkID: [Int]] = [:]

  /// A list without rows.
  init(grouping: Grouping, order: NetworkOrder) { (self.grouping, self.order) = (grouping, order) }

  /// The addresses of the access points of a row.
  func members(of row: NetworkID) -> [UInt64] { places[row, default: []].map { there[$0].bss.address } }

  func memberCount(of row: NetworkID) -> Int { places[row]?.count ?? 0 }

  /// What the last scan said that those before did not, with the row of each, row after row.
  var freshReadings: [(bss: PlainBSS, reading: PlainReading, row: NetworkID)] {
    rows.flatMap { row in
      places[row.id, default: []].compactMap { there[$0].isFresh ? (there[$0].bss, there[$0].reading, row.id) : nil }
    }
  }

  /// The key managements that the access points of a row announce; `nil` where any of them leaves a doubt.
  func keyManagements(of row: NetworkID) -> Set<UInt32>? {
    let suites = places[row, default: []].map { there[$0].reading.suites }
    return suites.contains { $0 == nil } ? nil : Set(suites.compactMap(\.self).joined())
  }

  /// The kinds of security that are heard under each name that is known.
  var families: [[UInt8]: Set<Security.Family>] {
    var families: [[UInt8]: Set<Security.Family>] = [:]
    for reading in there.map(\.reading) where !reading.name.isEmpty { families[reading.name, default: []].insert(reading.family) }
    return families
  }

  /// The row of an identity.
  subscript(id: NetworkID?) -> ReferenceRow? { id.flatMap { rowPlaces[$0] }.map { rows[$0] } }

  /// Processes a scan that heard these.
  mutating func take(_ scan: Scan, heard: [PlainBSS]) {
    for place in there.indices { there[place].isFresh = false }
    for bss in heard { take(bss, scan) }
    let lost = Set(scan.lost.map(\.value))
    there.removeAll { lost.contains($0.bss.address) }
    if scan.isComplete {
      let covered = scan.frequenciesKHz.map { Set($0.map { Int($0) }) }
      for place in there.indices where there[place].lastHeard < scan.start {
        if covered?.contains(there[place].bss.frequencyKHz) ?? true { there[place].misses += 1 }
      }
    }
    there.removeAll { $0.misses >= 3 && scan.end - $0.lastHeard > .seconds(30) }
    sightings = Dictionary(grouping: there.indices) { there[$0].bss.address }
    makeRows(heard)
  }

  private mutating func take(_ bss: PlainBSS, _ scan: Scan) {
    let heard = bss.heard(scan.end)
    let places = sightings[bss.address, default: []]
    // What was read of the same bytes before holds.
    let known = places.first { there[$0].bss.isRead(as: bss) }
    let reading = known.map { there[$0].reading } ?? bss.reading
    if let place = places.first(where: { there[$0].reading.name == reading.name }) {
      guard heard > there[place].lastHeard else { return }
      there[place] = sighting(bss, reading, heard)
      there[place].isFresh = known == nil
    } else if reading.name.isEmpty, let place = places.first {
      // A beacon of a network whose name is known: it is still there.
      if heard > there[place].lastHeard { (there[place].lastHeard, there[place].misses) = (heard, 0) }
    } else if scan.end - heard <= .seconds(30) {
      var sighting = sighting(bss, reading, heard)
      // Now the name is known: the row without one becomes this one, and was heard whenever that was.
      if let place = places.first(where: { there[$0].reading.name.isEmpty }) {
        sighting.lastHeard = max(heard, there[place].lastHeard)
        there[place] = sighting
      } else {
        sightings[bss.address, default: []].append(there.count)
        there.append(sighting)
      }
    }
  }

  private mutating func makeRows(_ heard: [PlainBSS]) {
    places = Dictionary(grouping: there.indices) { there[$0].id }
    found.removeAll { places[$0] == nil }
    // What is new stands in the order in which the scan heard it.
    if found.count < places.count {
      var known = Set(found)
      for place in heard.flatMap({ sightings[$0.address, default: []] }) where known.insert(there[place].id).inserted {
        found.append(there[place].id)
      }
    }
    defer { rowPlaces = Dictionary(uniqueKeysWithValues: zip(rows.map(\.id), rows.indices)) }
    rows = found.compactMap { id in
      let members = places[id] ?? []
      let strongest = members.min {
        (there[$1].bss.level, there[$0].bss.address) < (there[$0].bss.level, there[$1].bss.address)
      }
      return strongest.map { place in
        let (bss, reading) = (there[place].bss, there[place].reading)
        return ReferenceRow(id: id, name: reading.name, strength: bss.strength, family: reading.family, count: members.count)
      }
    }
    guard order == .strength else { return }
    // Those that need a secret first, then the strongest in bars, then by name, then by identity.
    rows.sort { one, other in
      if one.isSecured != other.isSecured { return one.isSecured }
      if one.bars != other.bars { return one.bars > other.bars }
      if one.name != other.name { return one.name.lexicographicallyPrecedes(other.name) }
      return one.id < other.id
    }
  }

  private func sighting(_ bss: PlainBSS, _ reading: PlainReading, _ heard: Duration) -> Sighting {
    var id = NetworkID.bss(MACAddress(bss.address))
    if grouping == .network, !reading.name.isEmpty, let name = SSID(reading.name) { id = .network(name, reading.family) }
    return Sighting(bss: bss, reading: reading, id: id, lastHeard: heard)
  }
}

extension PlainBSS {
  /// Strength in 1/100 dBm; where the driver gives no dBm, that which its percentage stands for.
  fileprivate var level: Int { signalMBm.map { Int($0) } ?? Int((strength * 6000).rounded()) - 10_000 }

  /// Whether all that is read is the same.
  fileprivate func isRead(as other: PlainBSS) -> Bool {
    elements == other.elements && capability == other.capability && frequencyKHz == other.frequencyKHz
  }
}
