public import Determinism

/// Something that holds of the Wi-Fi settings whenever everything is at rest.
public typealias SettingsProperty = Property<SettingsMoment>

/// The properties that come with the harness.
public enum SettingsProperties {
  /// Those that hold at every moment, whatever goes wrong.
  public static var safety: [SettingsProperty] {
    [
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
}

extension SettingsProperties {
  /// The name of what is violated where an observation goes on that was ended.
  package static let endedObservation = "an observation ends with its token"
}
