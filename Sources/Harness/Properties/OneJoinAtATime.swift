/// At most one attempt to join runs.
struct OneJoinAtATime: SettingsProperty {
  static let name = "at most one join at a time"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    // Where the view forgets to cancel, attempts that nobody waits for run on.
    guard moment.viewCancels else { return nil }
    let running = moment.log.runningCount
    return running > 1 ? "\(running) attempts to join run at once" : nil
  }
}
