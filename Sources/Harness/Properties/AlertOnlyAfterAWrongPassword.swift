import WiFi

/// The alert for a wrong password comes after an attempt that ended with a wrong password, and at no other time.
struct AlertOnlyAfterAWrongPassword: SettingsProperty {
  static let name = "an alert only after a wrong password"
  private var ended = 0

  mutating func violation(_ moment: SettingsMoment) -> String? {
    let attempts = moment.log.attempts.filter { $0.end != nil }
    defer { ended = attempts.count }
    guard let previous = moment.previous else { return nil }
    let state = moment.state
    let isWrong = attempts.dropFirst(ended).contains { $0.error == .wrongPassword }
    if state.alert == .incorrectPassword, previous.alert != .incorrectPassword, !isWrong {
      return "an alert says that the password was wrong, and no attempt ended so"
    }
    // The other way round: a wrong password on a sheet that was there and still is must be told.
    let isSameSheet =
      previous.destination == "connect" && state.destination == "connect" && previous.destinationID == state.destinationID
    if isWrong, isSameSheet, previous.isConnecting, state.alert != .incorrectPassword, moment.actions.isEmpty,
      moment.viewCancels
    {
      return "the password was wrong and no alert says so"
    }
    return nil
  }
}
