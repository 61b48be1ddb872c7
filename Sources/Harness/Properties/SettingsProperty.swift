import Determinism
import Models
import WiFi

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
