/// The rows of a list, and those that the filter hides.
struct PageRows: Hashable, Sendable {
  var listed: [PageRow]
  var hidden: [PageRow] = []

  /// Applies one difference; what names no row is skipped.
  mutating func apply(_ change: RowChange) {
    switch change {
    case .insert(let row, let before): listed.insert(row, at: place(before))
    case .remove(let key):
      listed.removeAll { $0.key == key }
      hidden.removeAll { $0.key == key }
    case .move(let key, let before):
      guard let index = listed.firstIndex(where: { $0.key == key }) else { return }
      let row = listed.remove(at: index)
      listed.insert(row, at: place(before))
    case .hide(let keys):
      let keys = Set(keys)
      hidden += listed.filter { keys.contains($0.key) }
      listed.removeAll { keys.contains($0.key) }
    case .show(let keys, let before):
      let wanted = Set(keys)
      var rows: [PageKey: PageRow] = [:]
      for row in hidden where wanted.contains(row.key) { rows[row.key] = row }
      hidden.removeAll { wanted.contains($0.key) }
      listed.insert(contentsOf: keys.compactMap { rows[$0] }, at: place(before))
    case .keep(let row): hidden.append(row)
    case .update, .signal: apply([change])
    }
  }

  /// Applies differences in order; many rows that show something else cost one walk over the lists.
  mutating func apply(_ changes: [RowChange]) {
    var rest = changes[...]
    while let first = rest.first {
      guard first.shownKey != nil else {
        apply(first)
        rest = rest.dropFirst()
        continue
      }
      let group = rest.prefix { $0.shownKey != nil }
      rest = rest.dropFirst(group.count)
      let places = places(Set(group.compactMap(\.shownKey)))
      for change in group {
        switch change {
        case .update(let row): if let place = places[row.key] { set(row, at: place) }
        case .signal(let key, let signal):
          if let place = places[key] { set((place.isListed ? listed : hidden)[place.index].with(signal), at: place) }
        default: break
        }
      }
    }
  }

  private typealias Place = (isListed: Bool, index: Int)

  private func places(_ keys: Set<PageKey>) -> [PageKey: Place] {
    var places: [PageKey: Place] = [:]
    for (index, row) in listed.enumerated() where keys.contains(row.key) { places[row.key] = (true, index) }
    for (index, row) in hidden.enumerated() where keys.contains(row.key) { places[row.key] = (false, index) }
    return places
  }

  private mutating func set(_ row: PageRow, at place: Place) {
    if place.isListed { listed[place.index] = row } else { hidden[place.index] = row }
  }

  private func place(_ before: PageKey?) -> Int { before.flatMap { key in listed.firstIndex { $0.key == key } } ?? listed.count }
}

extension RowChange {
  /// The row that shows something else; `nil` where one comes, goes or moves.
  fileprivate var shownKey: PageKey? {
    switch self {
    case .update(let row): row.key
    case .signal(let key, _): key
    default: nil
    }
  }
}
