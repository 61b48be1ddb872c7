import Models

/// An attempt to join begins with a tap on Join, and sends the password that was in the field then.
struct PasswordOfTheTap: SettingsProperty {
  static let name = "the password of the tap is the one that is sent"

  private var field: String?
  private var attempts = 0

  mutating func violation(_ moment: SettingsMoment) -> String? {
    defer {
      field = moment.model.destination?.connect?.password
      attempts = moment.log.attempts.count
    }
    let new = moment.log.attempts[attempts...]
    guard let first = new.first else { return nil }
    guard moment.actions.contains(.tap(.join)) else { return "an attempt to join \(first.network) began, and nobody tapped Join" }
    var typed = field
    var atTaps: [String?] = []
    for action in moment.actions {
      switch action {
      case .typePassword(let text): typed = text
      case .tap(.join): atTaps.append(typed)
      default: break
      }
    }
    for attempt in new {
      guard let password = attempt.password, !atTaps.contains(password) else { continue }
      return "the password that was sent for \(attempt.network) is not the one that was in the field at the tap"
    }
    return nil
  }
}
