public import WiFi

/// One difference between two lists of rows: to be applied in order, one by one.
public enum RowChange: Hashable, Sendable {
  /// A row came, in front of another or at the end.
  case insert(PageRow, before: PageKey?)
  /// A row went.
  case remove(PageKey)
  /// A row changed its place.
  case move(PageKey, before: PageKey?)
  /// A row shows something else.
  case update(PageRow)
  /// A row shows another signal, and is the same in everything else.
  case signal(PageKey, PageRow.Signal)

  /// What turns `old` into `new`, with as few moves as possible; costs n log n.
  ///
  /// - Precondition: no key is in a list twice.
  static func changes(from old: [PageRow], to new: [PageRow]) -> [RowChange] {
    if old == new { return [] }
    var changes: [RowChange] = []
    var places: [PageKey: Int] = [:]
    for (index, row) in old.enumerated() { places[row.key] = index }
    let wanted = Set(new.map(\.key))
    for row in old where !wanted.contains(row.key) { changes.append(.remove(row.key)) }
    // Rows that stand in the old order among each other stay; the others are moved.
    let staying = longestIncrease(new.compactMap { places[$0.key] })
    var next: PageKey?
    for row in new.reversed() {
      if let place = places[row.key] {
        if !staying.contains(place) { changes.append(.move(row.key, before: next)) }
      } else {
        changes.append(.insert(row, before: next))
      }
      next = row.key
    }
    for row in new {
      guard let place = places[row.key], old[place] != row else { continue }
      var alike = old[place]
      alike.signal = row.signal
      changes.append(alike == row ? .signal(row.key, row.signal) : .update(row))
    }
    return changes
  }

  /// The members of a longest increasing subsequence.
  private static func longestIncrease(_ values: [Int]) -> Set<Int> {
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? ends[low - 1] : -1
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var members: Set<Int> = []
    var index = ends.last ?? -1
    while index >= 0 {
      members.insert(values[index])
      index = before[index]
    }
    return members
  }
}

extension [PageRow] {
  /// Takes in one difference; what names no row is passed over.
  mutating func apply(_ change: RowChange) {
    switch change {
    case .insert(let row, let before): insert(row, at: place(before))
    case .remove(let key): removeAll { $0.key == key }
    case .move(let key, let before):
      guard let index = firstIndex(where: { $0.key == key }) else { return }
      let row = remove(at: index)
      insert(row, at: place(before))
    case .update(let row): if let index = firstIndex(where: { $0.key == row.key }) { self[index] = row }
    case .signal(let key, let signal): if let index = firstIndex(where: { $0.key == key }) { self[index].signal = signal }
    }
  }

  private func place(_ before: PageKey?) -> Int { before.flatMap { key in firstIndex { $0.key == key } } ?? count }
}

extension RowChange: Describable {
  public func describe(into fields: inout FieldWriter) {
    switch self {
    case .insert(let row, let before):
      fields.object("insert") { row.describe(into: &$0) }
      if let before { fields.field("before", before.text) }
    case .remove(let key): fields.field("remove", key.text)
    case .move(let key, let before):
      fields.field("move", key.text)
      if let before { fields.field("before", before.text) }
    case .update(let row): fields.object("update") { row.describe(into: &$0) }
    case .signal(let key, let signal):
      fields.field("signal", key.text)
      signal.describe(into: &fields)
    }
  }
}
