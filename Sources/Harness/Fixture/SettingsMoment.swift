public import Models
public import WiFi

/// The settings at one moment of rest.
public struct SettingsMoment {
  /// The time.
  public var time: Duration
  /// The models.
  public var model: WiFiSettingsModel
  /// The list as the screen shows it.
  public var panel: Panel
  /// The names of what lies over the list, the topmost last.
  public var shown: [String]
  /// Everything that is no row.
  public var state: SettingsState
  /// The same at the moment before; `nil` at the first.
  public var previous: SettingsState?
  /// What was done since the moment before, in order.
  public var actions: [ScenarioAction]
  /// Whether the view cancels what it started when its screen goes, as it should.
  public var viewCancels: Bool
  /// What passed between the world and the models.
  public var log: WorldLog
  /// What makes BSSs one row.
  public var grouping: Grouping
  /// The order of rows.
  public var order: NetworkOrder
  /// The number of runs of the observation that keeps the list, and how many of those read nothing new.
  public var needlessRuns: Int
  /// What changed on the list since the moment before, in order.
  public var changes: [PanelDiff]

  /// The networks that the models have found, in order.
  public var networks: [Network]
  /// Those of ``networks`` that are not as they were at the moment before: they came, changed, or may have moved.
  public var freshNetworks: [Network]
  /// The rows of the list below the top.
  public var rows: [NetworkRow]
  /// Whether anything of the list is not as it was at the moment before: what the models know of networks and of the
  /// selection, the switch, or the screen.
  ///
  /// A property of the list alone need not be asked again where nothing is.
  public var listHasChanged: Bool

  /// The row of the selected network, where it is shown.
  public var selectedRow: NetworkRow? {
    panel.top.lazy.compactMap { row in if case .network(let row) = row { row } else { nil } }.first
  }
}
