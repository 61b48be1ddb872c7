/// Each attempt to join has one outcome at most: a selection, an alert or a failure.
struct OneOutcomePerAttempt: SettingsProperty {
  static let name = "at most one outcome per attempt"
  private var outcomes = 0
  private var ended = 0

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard let previous = moment.previous else { return nil }
    let state = moment.state
    var new = 0
    if state.alert == .incorrectPassword, previous.alert != .incorrectPassword { new += 1 }
    if state.failure != nil, state.failure != previous.failure { new += 1 }
    if previous.isConnecting, state.selected != previous.selected, state.selected != nil { new += 1 }
    defer { ended = moment.log.attempts.count { $0.end != nil } }
    outcomes += new
    let attempts = moment.log.attempts.count { $0.end != nil }
    if outcomes > attempts { return "\(outcomes) outcomes were shown of \(attempts) attempts that ended" }
    if new > 1, attempts - ended < new { return "an attempt that ended was shown in \(new) ways at once" }
    return nil
  }
}
