import Models

/// The password field of a sheet changes when somebody types, and at no other time.
struct FieldHoldsWhatWasTyped: SettingsProperty {
  static let name = "the field holds what was typed"

  private var sheet: ObjectIdentifier?
  private var field = ""

  mutating func violation(_ moment: SettingsMoment) -> String? {
    let connect = moment.model.destination?.connect
    let now = connect.map { ObjectIdentifier($0) }
    let text = connect?.password ?? ""
    defer {
      sheet = now
      field = text
    }
    guard let connect, now == sheet, text != field else { return nil }
    if moment.actions.contains(.typePassword(text)) { return nil }
    return "the field of \(NetworkRow(connect.network).title) holds other characters than were typed"
  }
}
