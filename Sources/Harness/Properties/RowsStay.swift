import Models

/// A row whose network stays is updated and moved, and never taken away and put back.
struct RowsStay: SettingsProperty {
  static let name = "a row that stays is never removed and inserted"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    // Of several things that happen at once one may take a row away, and another bring it back.
    guard moment.actions.count < 2 else { return nil }
    var removed: Set<PanelRow.ID> = []
    for change in moment.changes {
      switch change {
      case .remove(let id): removed.insert(id)
      case .insert(let row, _): if removed.contains(row.id) { return "“\(row)” was removed and inserted" }
      case .move, .update: break
      }
    }
    return nil
  }
}
