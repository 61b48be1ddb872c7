public import Determinism

/// Something that must hold of the Wi-Fi settings whenever everything has come to rest.
public typealias SettingsProperty = Property<SettingsMoment>

/// The properties that come with the harness.
public enum SettingsProperties {
  /// Those that must hold at every moment, whatever goes wrong.
  public static let safety: [SettingsProperty] = [
    ListProperties.screenAgrees, ListProperties.nothingNeedless, ListProperties.noRowTwice, ListProperties.selectedStandsApart,
    ListProperties.offShowsOnlyTheSwitch, ListProperties.rowsAreInOrder, JoinProperties.oneJoinAtATime,
    JoinProperties.connectingMeansJoining, JoinProperties.oneOutcomePerAttempt, JoinProperties.noOutcomeOnAScreenThatIsGone,
    JoinProperties.alertOnlyAfterAWrongPassword, JoinProperties.failureIsWhatHappened, AirProperties.onlyWhatWasOnTheAir,
    AirProperties.foundAndLostByTheRule, AirProperties.sheetKnowsItsNetwork, ListProperties.forgetOnlyTheSelected,
    AirProperties.selectedKnowsWhetherItIsThere, ListProperties.tapLeadsWhereItShould, JoinProperties.passwordOfTheTap,
    JoinProperties.fieldHoldsWhatWasTyped, JoinProperties.failureGoesWithTheNextAttempt, ListProperties.rowsStay,
    ListProperties.namedIsNotHidden, AirProperties.networkIsWhatItSays, AirProperties.scanSaysHowItEnded,
  ]
}

extension SettingsProperties {
  /// The names of what must have come about in the end.
  public static let goalNames = SettingsGoals.all.map(\.name)
}

/// Holds properties against the moments of one run.
final class PropertyMonitor {
  private var properties: [(name: String, judge: (SettingsMoment) -> String?)]
  private(set) var violations: [Violation] = []

  init(_ properties: [SettingsProperty]) { self.properties = properties.map { ($0.name, $0.begin()) } }

  func add(_ violation: Violation) { violations.append(violation) }

  /// Takes in one moment; a property that was violated once is not asked again.
  func take(_ moment: SettingsMoment) {
    for index in properties.indices.reversed() {
      guard let sentence = properties[index].judge(moment) else { continue }
      violations.append(Violation(property: properties[index].name, sentence: sentence, time: moment.time))
      properties.remove(at: index)
    }
  }
}
