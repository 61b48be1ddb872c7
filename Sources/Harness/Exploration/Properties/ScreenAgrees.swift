import Models

/// What lies over the list is what the models say, and the list is the one of the models: no update was missed.
struct ScreenAgrees: SettingsProperty {
  static let name = "the screen agrees with the models"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    let expected = moment.state.shown
    if moment.shown != expected { return "over the list lies \(moment.shown), the models say \(expected)" }
    guard moment.listHasChanged else { return nil }
    let panel = Panel(moment.model)
    guard moment.panel != panel else { return nil }
    let difference = LineDifference.text(
      expected: panel.description.split(separator: "\n").map(String.init),
      actual: moment.panel.description.split(separator: "\n").map(String.init))
    return "the list on the screen is not that of the models (- models, + screen):\n"
      + difference.map { "  \($0)" }.joined(separator: "\n")
  }
}
