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
  /// A page that has a row is not sent it again when the filter hides or shows it.
  ///
  /// - Precondition: no key is in a list twice.
  static func changes(from old: PageRows, to new: PageRows) -> [RowChange] {
    if old == new { return [] }
    var changes: [RowChange] = []
    let places = Dictionary(old.listed.indices.lazy.map { (old.listed[$0].key, $0) }) { $1 }
    let oldHidden = Dictionary(old.hidden.indices.lazy.map { (old.hidden[$0].key, $0) }) { $1 }
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
