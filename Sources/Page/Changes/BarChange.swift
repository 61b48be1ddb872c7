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
    let (before, after) = (old.byKey, new.byKey)
    let shown = new.filter { before[$0.key] != $0 }.map { BarChange.set($0) }
    return shown + old.filter { after[$0.key] == nil }.map { BarChange.remove($0.key) }
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
