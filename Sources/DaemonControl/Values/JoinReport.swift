public import WiFi

/// An attempt to join and what came of it, for a program.
public struct JoinReport: Hashable, Sendable {
  /// What was to be joined.
  public var request: JoinRequest
  /// Over which daemon; `nil` where none was found.
  public var daemon: JoinDaemon?
  /// What came of it.
  public var outcome: JoinOutcome
  /// When the attempt began, as time since boot.
  public var start: Duration

  /// Makes a report of its parts.
  public init(_ request: JoinRequest, over daemon: JoinDaemon?, outcome: JoinOutcome, start: Duration) {
    self.request = request
    self.daemon = daemon
    self.outcome = outcome
    self.start = start
  }

  /// One JSON object of schema `wifi-harness/join/1`, with a line end; never the password.
  public func json() -> [UInt8] {
    FieldWriter.bytes { fields in
      fields.field("schema", "wifi-harness/join/1")
      fields.field("interface", request.interface)
      fields.field("ssid", request.ssid.description)
      fields.field("ssidHex", hex: request.ssid.bytes)
      if let daemon { fields.field("via", daemon.rawValue) } else { fields.fieldNull("via") }
      fields.field("durationMs", outcome.duration.wholeMilliseconds)
      fields.field("joined", outcome.joined != nil)
      switch outcome.result {
      case .success(let joined):
        if let bssid = joined.bssid { fields.field("bssid", bssid.description) }
        if let address = joined.address { fields.field("address", address) }
        fields.field("kept", joined.isKept)
        if joined.usedSavedPassword { fields.field("savedPassword", true) }
        if let reason = joined.savingFailure {
          fields.object("notKept") { fields in
            fields.field("reason", reason.name)
            fields.field("sentence", reason.description)
          }
        }
      case .failure(let failure):
        fields.object("failure") { fields in
          fields.field("reason", failure.reason.name)
          fields.field("certainty", failure.certainty.rawValue)
          fields.field("sentence", failure.description)
          if let step = failure.reason.step { fields.field("step", step.rawValue) }
          if case .refused(_, let status) = failure.reason { fields.field("status", status) }
          if case .dismissed(_, let reason) = failure.reason { fields.field("reasonCode", reason) }
          fields.field("before", failure.aftermath.rawValue)
          fields.objects("evidence", failure.evidence) { fields, item in
            fields.field("observer", item.observer.rawValue)
            fields.field("timeMs", (item.time - start).wholeMilliseconds)
            fields.field("line", item.line)
          }
        }
      }
    }
  }
}

extension JoinFailure.Reason {
  /// A name for programs, the same in every version, such as `wrongPassword`.
  public var name: String {
    switch self {
    case .wrongPassword: "wrongPassword"
    case .impossiblePassword: "impossiblePassword"
    case .passwordMissing: "passwordMissing"
    case .savedPasswordWrong: "savedPasswordWrong"
    case .outOfRange, .accessPointNotHeard: "outOfRange"
    case .otherSecurity: "otherSecurity"
    case .lost: "lost"
    case .refused: "refused"
    case .dismissed: "dismissed"
    case .timedOut: "timedOut"
    case .noAddress: "noAddress"
    case .linkLost: "linkLost"
    case .notSupported: "notSupported"
    case .noInterface: "noInterface"
    case .interfaceDown: "interfaceDown"
    case .notManaged: "notManaged"
    case .superseded: "superseded"
    case .busy: "busy"
    case .noPermission: "noPermission"
    case .noDaemon: "noDaemon"
    case .daemonLost: "daemonLost"
    case .supplicantLost: "supplicantLost"
    case .daemonSilent: "daemonSilent"
    case .daemonRefused: "daemonRefused"
    case .malformed: "malformed"
    case .cancelled: "cancelled"
    }
  }

  /// The step in which it happened, where it is about one.
  public var step: JoinStep? {
    switch self {
    case .lost(let step), .refused(let step, _), .dismissed(let step, _), .timedOut(let step): step
    case .noAddress: .address
    case .wrongPassword, .impossiblePassword, .savedPasswordWrong, .passwordMissing, .outOfRange, .accessPointNotHeard,
      .otherSecurity, .linkLost, .notSupported, .noInterface, .interfaceDown, .notManaged, .superseded, .busy, .noPermission,
      .noDaemon, .daemonLost, .supplicantLost, .daemonSilent, .daemonRefused, .malformed, .cancelled:
      nil
    }
  }
}
