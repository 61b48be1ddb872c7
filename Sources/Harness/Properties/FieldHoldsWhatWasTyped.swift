import Models

/// The password field of a sheet changes when the user types, and at no other time.
struct FieldHoldsWhatWasTyped: SettingsProperty {
  static let name = "the field holds what was typed"

  /// Kept, so that no other comes to live at its address.
  private var sheet: ConnectToNetworkModel?
  private var field = ""

  mutating func violation(_ moment: SettingsMoment) -> String? {
    let connect = moment.model.destination?.connect
    let text = connect?.password ?? ""
    defer {
      sheet = connect
      field = text
    }
    guard let connect, connect === sheet, text != field else { return nil }
    if moment.actions.contains(.typePassword(text)) { return nil }
    return "the field of \(NetworkRow(connect.network).title) holds other characters than were typed"
  }
}
