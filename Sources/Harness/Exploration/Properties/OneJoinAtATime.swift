/// At most one attempt to join runs.
struct OneJoinAtATime: SettingsProperty {
  static let name = "at most one join at a time"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    let running = moment.log.runningCount
    return running > 1 ? "\(running) attempts to join run at once" : nil
  }
}
