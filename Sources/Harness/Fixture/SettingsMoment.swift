public import Models
import Page
import Terminal
public import WiFi

/// The settings at one moment of rest.
///
/// Many properties look at each: a class, so that none copies it.
public final class SettingsMoment {
  /// The time.
  public let time: Duration
  /// The models.
  public let model: WiFiSettingsModel
  /// The list as the screen shows it.
  public let panel: Panel
  /// The names of what lies over the list, the topmost last.
  public let shown: [String]
  /// Everything that is no row.
  public let state: SettingsState
  /// The same at the moment before; `nil` at the first.
  public let previous: SettingsState?
  /// What was done since the moment before, in order.
  public let actions: [ScenarioAction]
  /// Whether the view cancels what it started when its screen goes, as it should.
  public let viewCancels: Bool
  /// What passed between the world and the models.
  public let log: WorldLog
  /// What makes BSSs one row.
  public let grouping: Grouping
  /// The order of rows.
  public let order: NetworkOrder
  /// How everything was when the run began.
  let start: ScenarioStart
  /// What can be done with the known networks; `nil` where there is no store of them.
  let knownFeatures: Set<KnownNetworkFeature>?
  /// What is shown beside the models; `nil` where nothing is drawn.
  let viewer: Viewer?
  /// What a page shows; `nil` where there is none.
  let page: PageState?
  /// What a terminal shows; `nil` where there is none.
  let picture: Picture?
  /// How many runs of the observation that keeps the list have read nothing new so far.
  package let needlessRuns: Int
  /// How many things happened since the moment before: actions, and moves of the switch by the radio.
  package let causes: Int
  /// What changed on the list since the moment before, in order.
  public let changes: [PanelDiff]

  /// The networks that the models have found, in order.
  public let networks: [Network]
  /// Those of ``networks`` that are not as they were at the moment before: they came, changed, or may have moved.
  package let freshNetworks: [Network]
  /// The rows of the list below the top.
  public let rows: [NetworkRow]
  /// Whether anything of the list is not as it was at the moment before: what the models know of networks and of the
  /// selection, the switch, or the screen.
  ///
  /// A property of the list alone need not be asked again where nothing is.
  package let listHasChanged: Bool
  /// What the screen did since the moment before that no screen should do, a sentence.
  package let blunder: String?
  /// What should not have happened so far, and was ignored.
  package let issues: [ModelIssue]

  init(
    time: Duration, model: WiFiSettingsModel, panel: Panel, shown: [String], state: SettingsState, previous: SettingsState?,
    actions: [ScenarioAction], viewCancels: Bool, log: WorldLog, start: ScenarioStart, world: any ScenarioWorld, view: any FixtureView,
    needlessRuns: Int, causes: Int, changes: [PanelDiff], networks: [Network], freshNetworks: [Network], rows: [NetworkRow],
    listHasChanged: Bool, blunder: String?, issues: [ModelIssue]
  ) {
    self.time = time
    self.model = model
    self.panel = panel
    self.shown = shown
    self.state = state
    self.previous = previous
    self.actions = actions
    self.viewCancels = viewCancels
    self.log = log
    (grouping, order, self.start) = (world.grouping, world.order, start)
    knownFeatures = world.knownNetworks?.knownNetworkFeatures
    (viewer, page, picture) = (view.viewer, view.page, view.picture)
    (self.needlessRuns, self.causes) = (needlessRuns, causes)
    self.changes = changes
    self.networks = networks
    self.freshNetworks = freshNetworks
    self.rows = rows
    self.listHasChanged = listHasChanged
    (self.blunder, self.issues) = (blunder, issues)
  }

  /// The row of the selected network, where it is shown.
  public var selectedRow: NetworkRow? { panel.top.lazy.compactMap(\.networkRow).first }
}
