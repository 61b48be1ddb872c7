import WiFi

/// The reason that the sheet gives for a failure is the one that the last attempt had.
struct FailureIsWhatHappened: SettingsProperty {
  static let name = "a failure is what happened"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard let previous = moment.previous, let failure = moment.state.failure, failure != previous.failure else { return nil }
    let last = moment.log.attempts.last { $0.end != nil }
    let expected: ExpectedFailure? =
      switch last?.error {
      case .timedOut: .timedOut
      case .outOfRange: .outOfRange
      case .rejected: .rejected
      default: nil
      }
    return failure == expected
      ? nil : "the sheet says \(failure.rawValue), the attempt ended with \(last?.error.map { "\($0)" } ?? "success")"
  }
}
