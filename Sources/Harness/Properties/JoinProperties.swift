import Determinism
import Models
import WiFi

/// Properties of joins, of their sheet and of their outcomes.
enum JoinProperties {
  /// At most one attempt to join runs.
  static var oneJoinAtATime: SettingsProperty {
    SettingsProperty("at most one join at a time") { moment -> String? in
      // Where the view forgets to cancel, attempts run on that no screen waits for.
      guard moment.viewCancels else { return nil }
      let running = moment.log.runningCount
      return running > 1 ? "\(running) attempts to join run at once" : nil
    }
  }

  /// The sheet says that it connects while, and only while, an attempt to join runs.
  static var connectingMeansJoining: SettingsProperty {
    var isDeepLink = true
    return SettingsProperty("connecting means that a join runs") { moment -> String? in
      if moment.previous == nil { isDeepLink = moment.state.isConnecting }
      if !moment.state.isConnecting { isDeepLink = false }
      let isRunning = moment.log.runningCount > 0
      if moment.state.isConnecting, !isRunning, !isDeepLink { return "the sheet connects and no attempt to join runs" }
      if isRunning, !moment.state.isConnecting, moment.viewCancels { return "an attempt to join runs and nothing on the screen says so" }
      return nil
    }
  }

  /// The reason that the sheet gives for a failure is the one that the last attempt had.
  static var failureIsWhatHappened: SettingsProperty {
    SettingsProperty("a failure is what happened") { moment -> String? in
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

  /// A network is selected by a tap on an open one, by its own sheet while that is there, or because a daemon joined
  /// it.
  static var noOutcomeOnAScreenThatIsGone: SettingsProperty {
    SettingsProperty("no outcome reaches a screen that is gone") { moment -> String? in
      guard let previous = moment.previous, moment.state.selectedID != previous.selectedID else { return nil }
      guard let selected = moment.state.selectedID else {
        if moment.actions.contains(.tap(.confirmForget)) { return nil }
        return "the selection of \(previous.selected ?? "") was cleared without Forget"
      }
      if moment.actions.contains(where: { if case .tapNetwork = $0 { true } else { false } }) { return nil }
      if previous.destinationID == selected, previous.destination == "connect",
        previous.isConnecting || moment.actions.contains(.tap(.join))
      {
        return nil
      }
      // The daemon joins by itself, and for other programs.
      switch moment.state.link {
      case .joined(let ssid, _)?, .roamed(let ssid, _, _, _)?: if moment.model.selectedNetwork?.ssid == ssid { return nil }
      case .lost?, nil: break
      }
      return "\(moment.state.selected ?? "") was selected, and its sheet was not there"
    }
  }

  /// While an attempt to join runs, the sheet does not show how an earlier one failed, by text or by alert.
  static var failureGoesWithTheNextAttempt: SettingsProperty {
    var isDeepLink = true
    return SettingsProperty("a failure is gone with the next attempt") { moment -> String? in
      if moment.previous == nil { isDeepLink = moment.state.isConnecting }
      if !moment.state.isConnecting { isDeepLink = false }
      guard moment.state.isConnecting, !isDeepLink else { return nil }
      if let failure = moment.state.failure { return "the sheet connects and still says \(failure.rawValue)" }
      return moment.state.alert == .incorrectPassword ? "the sheet connects and still says that the password was wrong" : nil
    }
  }

  /// Each attempt to join has one outcome at most: a selection, an alert or a failure.
  static var oneOutcomePerAttempt: SettingsProperty {
    var seen = (outcomes: 0, ended: 0)
    return SettingsProperty("at most one outcome per attempt") { moment -> String? in
      guard let previous = moment.previous else { return nil }
      let state = moment.state
      var new = 0
      if state.alert == .incorrectPassword, previous.alert != .incorrectPassword { new += 1 }
      if state.failure != nil, state.failure != previous.failure { new += 1 }
      if previous.isConnecting, state.selectedID != previous.selectedID, state.selectedID == previous.destinationID { new += 1 }
      defer { seen.ended = moment.log.attempts.count { $0.end != nil } }
      seen.outcomes += new
      let attempts = moment.log.attempts.count { $0.end != nil }
      if seen.outcomes > attempts { return "\(seen.outcomes) outcomes were shown of \(attempts) attempts that ended" }
      if new > 1, attempts - seen.ended < new { return "an attempt that ended was shown in \(new) ways at once" }
      return nil
    }
  }

  /// The alert for a wrong password comes after an attempt that ended with a wrong password, and at no other time.
  static var alertOnlyAfterAWrongPassword: SettingsProperty {
    var ended = 0
    return SettingsProperty("an alert only after a wrong password") { moment -> String? in
      let attempts = moment.log.attempts.filter { $0.end != nil }
      defer { ended = attempts.count }
      guard let previous = moment.previous else { return nil }
      let state = moment.state
      let isWrong = attempts.dropFirst(ended).contains { $0.error == .wrongPassword }
      if state.alert == .incorrectPassword, previous.alert != .incorrectPassword, !isWrong {
        return "an alert says that the password was wrong, and no attempt ended so"
      }
      // The other way round: a wrong password on a sheet that was there and still is has to be shown.
      let isSameSheet =
        previous.destination == "connect" && state.destination == "connect" && previous.destinationID == state.destinationID
      if isWrong, isSameSheet, previous.isConnecting, state.alert != .incorrectPassword, moment.actions.isEmpty,
        moment.viewCancels
      {
        return "the password was wrong and no alert says so"
      }
      return nil
    }
  }

  /// An attempt to join begins with a tap on Join, and sends the password that was in the field then.
  static var passwordOfTheTap: SettingsProperty {
    var seen = (field: String?.none, attempts: 0)
    return SettingsProperty("the password of the tap is the one that is sent") { moment -> String? in
      defer {
        seen.field = moment.model.destination?.connect?.password
        seen.attempts = moment.log.attempts.count
      }
      let new = moment.log.attempts[seen.attempts...]
      guard let first = new.first else { return nil }
      guard moment.actions.contains(.tap(.join)) else { return "an attempt to join \(first.network) began without a tap on Join" }
      var typed = seen.field
      var atTaps: [String?] = []
      for action in moment.actions {
        switch action {
        case .typePassword(let text): typed = text
        case .tap(.join): atTaps.append(typed)
        default: break
        }
      }
      for attempt in new {
        guard let password = attempt.password, !atTaps.contains(password) else { continue }
        return "the password that was sent for \(attempt.network) is not the one that was in the field at the tap"
      }
      return nil
    }
  }

  /// The password field of a sheet changes when the user types, and at no other time.
  static var fieldHoldsWhatWasTyped: SettingsProperty {
    var seen = (sheet: ConnectToNetworkModel?.none, field: "")
    return SettingsProperty("the field holds what was typed") { moment -> String? in
      let connect = moment.model.destination?.connect
      let text = connect?.password ?? ""
      defer {
        seen.sheet = connect
        seen.field = text
      }
      guard let connect, connect === seen.sheet, text != seen.field else { return nil }
      if moment.actions.contains(.typePassword(text)) { return nil }
      return "the field of \(NetworkRow(connect.network).title) holds other characters than were typed"
    }
  }
}
