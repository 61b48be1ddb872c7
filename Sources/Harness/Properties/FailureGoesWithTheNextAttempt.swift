/// While an attempt to join runs, the sheet does not tell how an earlier one failed, by text or by alert.
struct FailureGoesWithTheNextAttempt: SettingsProperty {
  static let name = "a failure is gone with the next attempt"
  /// A deep link may begin with both.
  private var isDeepLink = true

  mutating func violation(_ moment: SettingsMoment) -> String? {
    if moment.previous == nil { isDeepLink = moment.state.isConnecting }
    if !moment.state.isConnecting { isDeepLink = false }
    guard moment.state.isConnecting, !isDeepLink else { return nil }
    if let failure = moment.state.failure { return "the sheet connects and still says \(failure.rawValue)" }
    return moment.state.alert == .incorrectPassword ? "the sheet connects and still says that the password was wrong" : nil
  }
}
