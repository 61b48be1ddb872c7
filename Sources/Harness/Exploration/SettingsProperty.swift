import Determinism
public import Models
public import WiFi

/// Something that must hold of the Wi-Fi settings whenever everything has come to rest.
///
/// One is made for each run and is shown every moment in order, so it may remember what it saw.
public protocol SettingsProperty: SendableMetatype {
  /// What must hold, in words that a user understands, such as `no row twice`.
  static var name: String { get }

  /// Remembers nothing yet.
  init()

  /// What is wrong at this moment, one sentence; `nil` where nothing is.
  mutating func violation(_ moment: SettingsMoment) -> String?
}

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

/// The properties that come with the harness.
public enum SettingsProperties {
  /// Those that must hold at every moment, whatever goes wrong.
  public static let safety: [any SettingsProperty.Type] = [
    ScreenAgrees.self, NothingNeedless.self, NoRowTwice.self, SelectedStandsApart.self, OffShowsOnlyTheSwitch.self,
    RowsAreInOrder.self, OneJoinAtATime.self, ConnectingMeansJoining.self, OneOutcomePerAttempt.self,
    NoOutcomeOnAScreenThatIsGone.self, AlertOnlyAfterAWrongPassword.self, FailureIsWhatHappened.self,
    OnlyWhatWasOnTheAir.self, FoundAndLostByTheRule.self, SheetKnowsItsNetwork.self, ForgetOnlyTheSelected.self,
    SelectedKnowsWhetherItIsThere.self, TapLeadsWhereItShould.self, PasswordOfTheTap.self, FieldHoldsWhatWasTyped.self,
    FailureGoesWithTheNextAttempt.self, RowsStay.self, NamedIsNotHidden.self, NetworkIsWhatItSays.self,
    ScanSaysHowItEnded.self,
  ]
}

extension SettingsProperties {
  /// The names of what must have come about in the end.
  public static let goalNames = SettingsGoals.all.map(\.name)
}

/// Holds properties against the moments of one run.
final class PropertyMonitor {
  private var properties: [(name: String, property: any SettingsProperty)]
  private(set) var violations: [Violation] = []

  init(_ types: [any SettingsProperty.Type]) { properties = types.map { ($0.name, $0.init()) } }

  func add(_ violation: Violation) { violations.append(violation) }

  /// Takes in one moment; a property that was violated once is not asked again.
  func take(_ moment: SettingsMoment) {
    for index in properties.indices.reversed() {
      guard let sentence = properties[index].property.violation(moment) else { continue }
      violations.append(Violation(property: properties[index].name, sentence: sentence, time: moment.time))
      properties.remove(at: index)
    }
  }
}
