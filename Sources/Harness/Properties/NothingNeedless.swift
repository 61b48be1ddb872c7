/// The list is only worked out again where something that it reads has changed.
struct NothingNeedless: SettingsProperty {
  static let name = "nothing is worked out again without need"
  private var seen = 0

  mutating func violation(_ moment: SettingsMoment) -> String? {
    defer { seen = moment.needlessRuns }
    return moment.needlessRuns > seen ? "the list was worked out again though nothing that it shows had changed" : nil
  }
}
