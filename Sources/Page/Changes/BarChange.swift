public import WiFi

/// One difference between two sets of bars, whose order means nothing.
public enum BarChange: Hashable, Sendable {
  /// A bar is new, or shows something else.
  case set(PageBar)
  /// A bar went.
  case remove(String)

  /// What turns `old` into `new`.
  static func changes(from old: [PageBar], to new: [PageBar]) -> [BarChange] {
    if old == new { return [] }
    let known = old.byKey
    var changes: [BarChange] = []
    var kept: Set<String> = []
    for bar in new {
      kept.insert(bar.key)
      if known[bar.key] != bar { changes.append(.set(bar)) }
    }
    for bar in old where !kept.contains(bar.key) { changes.append(.remove(bar.key)) }
    return changes
  }
}

extension BarChange: Describable {
  public func describe(into fields: inout FieldWriter) {
    switch self {
    case .set(let bar): fields.object("set") { bar.describe(into: &$0) }
    case .remove(let key): fields.field("remove", key)
    }
  }
}
