import Determinism
import Models
import WiFi

/// What lies over the list is what the models say, and the list is the one of the models: no update was missed.
struct ScreenAgrees: SettingsProperty {
  static let name = "the screen agrees with the models"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    let expected = moment.state.shown
    if moment.shown != expected { return "over the list lies \(moment.shown), the models say \(expected)" }
    if !moment.listHasChanged || listsAgree(moment) { return nil }
    let panel = Panel(moment.model)
    guard moment.panel != panel else { return nil }
    let difference = LineDifference.text(
      expected: panel.description.split(separator: "\n").map(String.init),
      actual: moment.panel.description.split(separator: "\n").map(String.init))
    return "the list on the screen is not that of the models (- models, + screen):\n"
      + difference.map { "  \($0)" }.joined(separator: "\n")
  }

  /// Whether the list is that of the models row by row, which is looked at before any list is made anew.
  private func listsAgree(_ moment: SettingsMoment) -> Bool {
    guard moment.model.isOn else { return false }
    var top: [PanelRow] = [.wifi(isOn: true)]
    if let network = moment.model.selectedNetwork {
      top.append(
        .network(NetworkRow(network, isSelected: true, isOutOfRange: moment.model.selectedNetworkIsOutOfRange)))
    }
    guard moment.panel.top == top, moment.panel.networks.count == moment.rows.count else { return false }
    var next = 0
    for place in moment.networks.indices where moment.networks[place].id != moment.model.selectedNetworkID {
      guard next < moment.rows.count, moment.rows[next] == NetworkRow(moment.networks[place]) else { return false }
      next += 1
    }
    return next == moment.rows.count
  }
}
