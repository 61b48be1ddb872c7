import Models
import WiFi

/// Rows stand in the order that the policy says.
struct RowsAreInOrder: SettingsProperty {
  static let name = "rows are in order"
  private var found: [NetworkID: Int] = [:]
  private var count = 0
  private var listed: Set<NetworkID> = []

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard moment.state.isOn else { return nil }
    if moment.order == .found { return foundOrder(moment) }
    let rows = moment.rows
    for (row, next) in zip(rows, rows.dropFirst()) where !Self.mayPrecede(row, next) {
      return "“\(row)” stands before “\(next)”"
    }
    return nil
  }

  /// Secured first, then the strongest in bars, then by name, then by identity.
  private static func mayPrecede(_ row: NetworkRow, _ next: NetworkRow) -> Bool {
    if row.isSecured != next.isSecured { return row.isSecured }
    if row.bars != next.bars { return row.bars > next.bars }
    return true
  }

  /// What came later stands later; what was gone and is back came anew.
  private mutating func foundOrder(_ moment: SettingsMoment) -> String? {
    let ids = moment.model.foundNetworks.ids
    for id in ids where !listed.contains(id) {
      found[id] = count
      count += 1
    }
    listed = Set(ids)
    let rows = moment.rows
    for (row, next) in zip(rows, rows.dropFirst()) where found[row.id] ?? 0 > found[next.id] ?? 0 {
      return "“\(row)” was found after “\(next)” and stands before it"
    }
    return nil
  }
}
