/// The sheet says that it connects while, and only while, an attempt to join runs.
struct ConnectingMeansJoining: SettingsProperty {
  static let name = "connecting means that a join runs"
  /// A deep link may begin with a sheet that connects: that is how it was left, and no attempt belongs to it.
  private var isDeepLink = true

  mutating func violation(_ moment: SettingsMoment) -> String? {
    if moment.previous == nil { isDeepLink = moment.state.isConnecting }
    if !moment.state.isConnecting { isDeepLink = false }
    let isRunning = moment.log.runningCount > 0
    if moment.state.isConnecting, !isRunning, !isDeepLink { return "the sheet connects and no attempt to join runs" }
    if isRunning, !moment.state.isConnecting, moment.viewCancels { return "an attempt to join runs and nothing on the screen says so" }
    return nil
  }
}
