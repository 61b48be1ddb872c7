import Models
import WiFi

/// Rows stand in the order that the policy says.
struct RowsAreInOrder: SettingsProperty {
  static let name = "rows are in order"

  private struct Place {
    var id: NetworkID
    /// As which it was found.
    var number: Int
  }

  /// The networks that are there, in the order of the models.
  private var found: [Place] = []
  private var count = 0

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
    let known = found
    var next = 0
    found = moment.networks.map { network in
      if let place = Self.place(of: network.id, in: known, &next) { return place }
      defer { count += 1 }
      return Place(id: network.id, number: count)
    }
    next = 0
    var before: (row: NetworkRow, number: Int)?
    for row in moment.rows {
      let number = Self.place(of: row.id, in: found, &next)?.number ?? 0
      if let before, before.number > number { return "“\(before.row)” was found after “\(row)” and stands before it" }
      before = (row, number)
    }
    return nil
  }

  /// Looks for a network from `next` on, where it stands unless something is wrong, and then before.
  private static func place(of id: NetworkID, in places: [Place], _ next: inout Int) -> Place? {
    guard let index = (next..<places.count).first(where: { places[$0].id == id }) ?? (0..<next).first(where: { places[$0].id == id })
    else { return nil }
    next = index + 1
    return places[index]
  }
}
