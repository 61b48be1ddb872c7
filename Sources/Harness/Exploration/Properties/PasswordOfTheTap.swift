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
    // What is typed in the same moment as the tap may come before it.
    let typed = moment.actions.compactMap { action in if case .typePassword(let text) = action { text } else { nil } }
    for attempt in new {
      guard let password = attempt.password, password != field, !typed.contains(password) else { continue }
      return "the password that was sent for \(attempt.network) is not the one that was in the field at the tap"
    }
    return nil
  }
}
