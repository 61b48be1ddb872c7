import Models
import WiFi

/// Rows stand in the order that the policy says.
struct RowsAreInOrder: SettingsProperty {
  static let name = "rows are in order"

  private struct Place {
    /// As which it was found.
    var number: Int
    /// The last look at the list that saw it.
    var look: Int
  }

  private var found: [NetworkID: Place] = [:]
  private var count = 0
  private var looks = 0

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard moment.state.isOn, moment.listHasChanged else { return nil }
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
    looks += 1
    for network in moment.networks {
      if found[network.id]?.look == looks - 1 {
        found[network.id]?.look = looks
      } else {
        found[network.id] = Place(number: count, look: looks)
        count += 1
      }
    }
    var before: (row: NetworkRow, number: Int)?
    for row in moment.rows {
      let number = found[row.id]?.number ?? 0
      if let before, before.number > number { return "“\(before.row)” was found after “\(row)” and stands before it" }
      before = (row, number)
    }
    return nil
  }
}
