import Observing
import WiFi

/// The rows of a viewer, filtered and in order.
///
/// The order is stable: a row is placed by the signal that it had when it was placed, and is placed again only where
/// the signal differs from that by ``hysteresisMBm`` or more, and only while it is not ``held``. ``settle()`` places
/// all by what is shown of them, and while it ``isAtRest`` each change does. A change of one row costs two binary
/// searches and the shift of an array; another filter or order costs time in proportion to the number of rows.
struct ViewedRows {
  /// How much the signal has to differ for a row to change its place, in 1/100 dB.
  static let hysteresisMBm = 600

  /// The row that keeps its place, whatever its signal does.
  var held: NetworkID?
  /// Whether nothing moves by itself, so that every row stands by what is shown of it.
  var isAtRest = false { didSet { if isAtRest { settle() } } }
  /// Whether a row may stand where another signal than the shown one belongs.
  private(set) var isDisplaced = false

  private(set) var filter: NetworkFilter
  /// The text of the filter in lower case.
  private var wantedText: [UInt8]
  private(set) var sort: NetworkSort
  private var entries: [NetworkID: Entry] = [:]
  /// The keys of the rows that pass the filter, in order.
  private var keys: [Key] = []
  private var foundCount = 0
  /// Another number after each change of a row, whatever it was.
  private(set) var version = 0

  private struct Entry {
    var row: ViewedRow
    /// The strength by which it was placed.
    var placedMBm: Int
    let foundIndex: Int
    let fold: [UInt8]
    var search: SearchText
    /// Where it stands; `nil` where the filter does not let it pass.
    var key: Key?

    /// Places it by what the list shows of it now.
    mutating func placeAnew() { placedMBm = row.listed.strengthMBm }
  }

  /// Where a row stands.
  struct Key {
    var isBelow: Bool
    var value: Int
    var fold: [UInt8]
    let id: NetworkID
  }

  init(filter: NetworkFilter = NetworkFilter(), sort: NetworkSort = NetworkSort()) {
    self.filter = filter
    wantedText = Array(filter.text.lowercased().utf8)
    self.sort = sort
  }

  /// The number of rows that pass the filter.
  var count: Int { keys.count }
  /// The number of all rows.
  var totalCount: Int { entries.count }

  /// The row at an index of those that pass.
  subscript(index: Int) -> ViewedRow {
    guard let entry = entries[keys[index].id] else { preconditionFailure("ViewedRows: no row \(keys[index].id)") }
    return entry.row
  }

  /// A row by its identity, whether it passes the filter or not.
  subscript(id: NetworkID) -> ViewedRow? { entries[id]?.row }

  /// Where a row stands among those that pass.
  func index(of id: NetworkID) -> Int? {
    guard let key = entries[id]?.key else { return nil }
    let place = place(of: key)
    return place < keys.count && keys[place].id == id ? place : nil
  }

  /// Where a row would stand, whether it passes the filter or not.
  func insertionIndex(of id: NetworkID) -> Int? { entries[id].map { place(of: key(of: $0)) } }

  /// The identities of the rows that pass, in order.
  var ids: [NetworkID] { keys.map(\.id) }

  /// The rows, unordered.
  var allRows: [ViewedRow] { entries.values.map(\.row) }

  /// The rows that the filter hides, in the order they were found.
  var hiddenRows: [ViewedRow] {
    if keys.count == entries.count { return [] }
    return entries.values.filter { $0.key == nil }.sorted { $0.foundIndex < $1.foundIndex }.map(\.row)
  }

  // MARK: Changes

  /// Processes what is known of a row now.
  mutating func set(_ row: ViewedRow) {
    var row = row
    row.listed = filter.listed(row.network)
    let strength = row.listed.strengthMBm
    if var entry = entries[row.id] {
      let old = entry.row
      guard old != row else { return }
      version += 1
      if old.network.members.map(\.bssid) != row.network.members.map(\.bssid) { entry.search = SearchText(row.network) }
      entry.row = row
      let hasMoved = (strength - entry.placedMBm).magnitude >= Self.hysteresisMBm
      if isAtRest || hasMoved && held != row.id { entry.placedMBm = strength }
      if entry.placedMBm != strength { isDisplaced = true }
      place(&entry)
    } else {
      var entry = Entry(
        row: row, placedMBm: strength, foundIndex: foundCount, fold: Array(row.network.ssid.description.lowercased().utf8),
        search: SearchText(row.network))
      foundCount += 1
      version += 1
      place(&entry)
    }
  }

  /// Removes a row.
  mutating func remove(_ id: NetworkID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    version += 1
    guard let key = entry.key else { return }
    keys.remove(at: place(of: key))
  }

  mutating func removeAll() {
    entries = [:]
    keys = []
    version += 1
  }

  /// Lists by another filter; with other bands every row is placed by what it is now.
  mutating func setFilter(_ filter: NetworkFilter) {
    guard filter != self.filter else { return }
    let hasOtherBands = filter.bands != self.filter.bands
    self.filter = filter
    if hasOtherBands {
      changeEntries { entry in
        entry.row.listed = filter.listed(entry.row.network)
        entry.placeAnew()
      }
    }
    rebuild()
  }

  /// Lists in another order; every row is placed by what it is now.
  mutating func setSort(_ sort: NetworkSort) {
    guard sort != self.sort || isDisplaced else { return }
    self.sort = sort
    isDisplaced = true
    settle()
  }

  /// Places every row by what it is now.
  mutating func settle() {
    guard isDisplaced else { return }
    isDisplaced = false
    changeEntries { $0.placeAnew() }
    rebuild()
  }

  /// Changes every entry in place: a copy of the dictionary would cost more than the change.
  private mutating func changeEntries(_ change: (inout Entry) -> Void) {
    var index = entries.startIndex
    while index != entries.endIndex {
      change(&entries.values[index])
      entries.formIndex(after: &index)
    }
  }

  private mutating func rebuild() {
    wantedText = Array(filter.text.lowercased().utf8)
    keys.removeAll(keepingCapacity: true)
    // In place: a copy of all rows for each key that is typed would cost more than the rest.
    var index = entries.startIndex
    while index != entries.endIndex {
      let entry = entries.values[index]
      let key = passes(entry) ? key(of: entry) : nil
      if entry.key != nil || key != nil { entries.values[index].key = key }
      if let key { keys.append(key) }
      entries.formIndex(after: &index)
    }
    keys.sort(by: isBefore)
  }

  private mutating func place(_ entry: inout Entry) {
    let old = entry.key
    let new = passes(entry) ? key(of: entry) : nil
    entry.key = new
    entries[entry.row.id] = entry
    if let old, let new, !isBefore(old, new), !isBefore(new, old) { return }
    if let old { keys.remove(at: place(of: old)) }
    if let new { keys.insert(new, at: place(of: new)) }
  }

  // MARK: Order

  private func passes(_ entry: Entry) -> Bool {
    filter.acceptsFacts(of: entry.row.network, listed: entry.row.listed) && entry.search.contains(wantedText)
  }

  private func key(of entry: Entry) -> Key {
    let network = entry.row.listed
    let value =
      switch sort.criterion {
      case .signal: -entry.placedMBm
      case .name: 0
      case .channel: network.members.first?.channel.primaryKHz ?? 0
      case .security: network.security.rank
      case .found: entry.foundIndex
      }
    return Key(isBelow: !entry.row.isJoined, value: value, fold: entry.fold, id: entry.row.id)
  }

  /// The joined row first, then by value, name and identity.
  private func isBefore(_ left: Key, _ right: Key) -> Bool {
    if left.isBelow != right.isBelow { return right.isBelow }
    let (left, right) = sort.isReversed ? (right, left) : (left, right)
    if left.value != right.value { return left.value < right.value }
    if left.fold != right.fold { return left.fold.lexicographicallyPrecedes(right.fold) }
    return left.id < right.id
  }

  /// The index of the first key that is not before `key`.
  private func place(of key: Key) -> Int { keys.partitioningIndex { !isBefore($0, key) } }
}
