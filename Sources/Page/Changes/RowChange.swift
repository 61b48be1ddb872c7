import Observing
public import WiFi

/// One difference between two lists of rows: to be applied in order, one by one.
public enum RowChange: Hashable, Sendable {
  /// A row came, in front of another or at the end.
  case insert(PageRow, before: PageKey?)
  /// A row, listed or not, went.
  case remove(PageKey)
  /// A row changed its place.
  case move(PageKey, before: PageKey?)
  /// A row, listed or not, shows something else.
  case update(PageRow)
  /// The filter hides rows; the page keeps them as they are.
  case hide([PageKey])
  /// Rows that were hidden come back as they are, in this order, in front of another or at the end.
  case show([PageKey], before: PageKey?)
  /// A row came that the filter hides.
  case keep(PageRow)
  /// A row, listed or not, shows another signal, and is the same in everything else.
  case signal(PageKey, PageRow.Signal)

  /// What turns `old` into `new`, with as few moves as possible; costs n log n.
  ///
  /// - Precondition: no key is in a list twice.
  static func changes(from old: [PageRow], to new: [PageRow]) -> [RowChange] {
    changes(from: PageRows(listed: old), to: PageRows(listed: new))
  }

  /// The same for rows of which the filter hides some: a page that has a row is not sent it again when the filter hides
  /// or shows it.
  static func changes(from old: PageRows, to new: PageRows) -> [RowChange] {
    if old == new { return [] }
    var changes: [RowChange] = []
    var places: [PageKey: Int] = [:]
    places.reserveCapacity(old.listed.count)
    for (index, row) in old.listed.enumerated() { places[row.key] = index }
    var oldHidden: [PageKey: Int] = [:]
    for (index, row) in old.hidden.enumerated() { oldHidden[row.key] = index }
    let wanted = Set(new.listed.map(\.key))
    let newHidden = Set(new.hidden.map(\.key))
    var hides: [PageKey] = []
    for row in old.listed where !wanted.contains(row.key) {
      if newHidden.contains(row.key) { hides.append(row.key) } else { changes.append(.remove(row.key)) }
    }
    for row in old.hidden where !newHidden.contains(row.key) && !wanted.contains(row.key) { changes.append(.remove(row.key)) }
    if !hides.isEmpty { changes.append(.hide(hides)) }
    // Rows that stand in the old order among each other stay; the others are moved.
    let staying = longestIncrease(new.listed.compactMap { places[$0.key] })
    var next: PageKey?
    var shows: [PageKey] = []
    var behind: PageKey?
    func show() {
      if !shows.isEmpty { changes.append(.show(shows.reversed(), before: behind)) }
      shows = []
    }
    for row in new.listed.reversed() {
      if oldHidden[row.key] != nil {
        if shows.isEmpty { behind = next }
        shows.append(row.key)
      } else {
        show()
        if let place = places[row.key] {
          if !staying.contains(place) { changes.append(.move(row.key, before: next)) }
        } else {
          changes.append(.insert(row, before: next))
        }
      }
      next = row.key
    }
    show()
    for row in new.hidden where places[row.key] == nil && oldHidden[row.key] == nil { changes.append(.keep(row)) }
    for row in new.listed + new.hidden {
      let before = places[row.key].map { old.listed[$0] } ?? oldHidden[row.key].map { old.hidden[$0] }
      guard let before, before != row else { continue }
      changes.append(before.isAlike(row) ? .signal(row.key, row.signal) : .update(row))
    }
    return changes
  }
}

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
    let isShown: (RowChange) -> Bool = { change in
      switch change {
      case .update, .signal: true
      default: false
      }
    }
    var rest = changes[...]
    while let first = rest.first {
      guard isShown(first) else {
        apply(first)
        rest = rest.dropFirst()
        continue
      }
      let group = rest.prefix(while: isShown)
      rest = rest.dropFirst(group.count)
      let places = places(
        Set(
          group.compactMap { change in
            switch change {
            case .update(let row): row.key
            case .signal(let key, _): key
            default: nil
            }
          }))
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

  private struct Place {
    var isListed: Bool
    var index: Int
  }

  private func places(_ keys: Set<PageKey>) -> [PageKey: Place] {
    var places: [PageKey: Place] = [:]
    for (index, row) in listed.enumerated() where keys.contains(row.key) { places[row.key] = Place(isListed: true, index: index) }
    for (index, row) in hidden.enumerated() where keys.contains(row.key) { places[row.key] = Place(isListed: false, index: index) }
    return places
  }

  private mutating func set(_ row: PageRow, at place: Place) {
    if place.isListed { listed[place.index] = row } else { hidden[place.index] = row }
  }

  private func place(_ before: PageKey?) -> Int { before.flatMap { key in listed.firstIndex { $0.key == key } } ?? listed.count }
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
    case .hide(let keys): fields.field("hide", keys.map(\.text))
    case .show(let keys, let before):
      fields.field("show", keys.map(\.text))
      if let before { fields.field("before", before.text) }
    case .keep(let row): fields.object("keep") { row.describe(into: &$0) }
    case .update(let row): fields.object("update") { row.describe(into: &$0) }
    case .signal(let key, let signal):
      fields.field("signal", key.text)
      signal.describe(into: &fields)
    }
  }
}
