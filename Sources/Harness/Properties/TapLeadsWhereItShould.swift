import Models
import WiFi

/// A tap shows the selected network, asks for the password of a secured one, and selects an open one; info shows any.
struct TapLeadsWhereItShould: SettingsProperty {
  static let name = "a tap leads where it should"

  /// What the rows of the moment before were.
  private var rows: [NetworkRow] = []
  private var selectedRow: NetworkRow?

  mutating func violation(_ moment: SettingsMoment) -> String? {
    defer {
      rows = moment.rows
      selectedRow = moment.selectedRow
    }
    // Of several things at once the last counts, and which that is depends on what became of the others.
    guard let previous = moment.previous, previous.shown.isEmpty, previous.isOn, moment.actions.count == 1 else { return nil }
    let state = moment.state
    switch moment.actions[0] {
    case .tapNetwork(let reference):
      guard let row = row(reference) else { return nil }
      if row.isSelected { return state.isAt("detail", row) ? nil : "“\(row)” was tapped, and its page is not there" }
      if row.isSecured { return state.isAt("connect", row) ? nil : "“\(row)” was tapped, and nothing asks for its password" }
      if state.destination != "none" { return "“\(row)” was tapped, and a \(state.destination) lies over the list" }
      return state.selectedID == row.id ? nil : "“\(row)” was tapped, and is not selected"
    case .info(let reference):
      guard let row = row(reference) else { return nil }
      if state.selectedID != previous.selectedID { return "info of “\(row)” was tapped, and the selection is another" }
      return state.isAt("detail", row) ? nil : "info of “\(row)” was tapped, and its page is not there"
    default: return nil
    }
  }

  private func row(_ reference: NetworkReference) -> NetworkRow? {
    let name = PrintableText.escape(Array(reference.name.utf8))
    let named = ((selectedRow.map { [$0] } ?? []) + rows).filter { $0.name == name }
    let index = (reference.number ?? 1) - 1
    return named.indices.contains(index) && (reference.number != nil || named.count == 1) ? named[index] : nil
  }
}

extension SettingsState {
  fileprivate func isAt(_ destination: String, _ row: NetworkRow) -> Bool {
    self.destination == destination && destinationID == row.id
  }
}
