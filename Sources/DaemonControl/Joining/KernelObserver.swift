import WiFi

/// What the kernel reports of the frames that an access point sent during one attempt (nl80211, group `mlme`).
///
/// It needs no privilege and no daemon, so it says what iwd, whose answer to nearly everything is “Operation failed”,
/// does not.
struct KernelObserver: Sendable {
  private(set) var evidence: [JoinEvidence] = []
  private var step = JoinStep.searching
  /// Why the attempt failed, where the frames say so.
  private(set) var verdict: (reason: JoinFailure.Reason, certainty: Certainty)?

  /// Whether the access point ended the association in the handshake: iwd asks for the password the next time then.
  private(set) var failedInHandshake = false

  /// Whether any access point was tried at all.
  var hasTried: Bool { step != .searching }

  /// Takes in one datagram.
  ///
  /// - Parameter interface: the number of the interface that joins; reports of others are passed over.
  mutating func receive(_ bytes: [UInt8], of interface: UInt32?, usesPassword: Bool, at now: Duration) {
    for event in MLMEEvent.events(in: bytes, of: interface) {
      switch event.kind {
      case .authentication: authenticated(event, now)
      case .association: associated(event, usesPassword, now)
      case .deauthentication, .disassociation: ended(event, usesPassword, now)
      }
    }
  }

  private mutating func note(_ line: String, _ now: Duration) { evidence.append(JoinEvidence(.kernel, at: now, line)) }

  /// An answer to an authentication (9.3.3.11: algorithm, transaction, status), or none.
  private mutating func authenticated(_ event: MLMEEvent, _ now: Duration) {
    step = .authenticating
    guard !event.isTimeout else {
      note("no answer to the authentication", now)
      verdict = (.lost(.authenticating), .certain)
      return
    }
    guard let algorithm = event.field(0), let transaction = event.field(1), let status = event.field(2) else { return }
    // 76 asks for a token, 77 for another group, 126 announces hash-to-element: none is a refusal.
    guard ![0, 76, 77, 126].contains(status) else {
      verdict = nil
      return
    }
    note("authentication: algorithm \(algorithm), transaction \(transaction), status \(status)", now)
    if algorithm == 3, transaction == 2 {
      verdict = (.wrongPassword, status == StatusCode.challengeFailure ? .certain : .likely)
    } else {
      verdict = (.refused(.authenticating, status: status), .certain)
    }
  }

  /// An answer to an association (9.3.3.6: capabilities, status), or none.
  private mutating func associated(_ event: MLMEEvent, _ usesPassword: Bool, _ now: Duration) {
    step = .associating
    guard !event.isTimeout else {
      note("no answer to the association", now)
      verdict = (.lost(.associating), .certain)
      return
    }
    guard let status = event.field(1) else { return }
    guard status != 0 else {
      verdict = nil
      step = usesPassword ? .handshake : .address
      return
    }
    note("association: status \(status)", now)
    verdict = (.refused(.associating, status: status), .certain)
  }

  /// The end of an association (9.3.3.12: reason); one that the station sent itself says nothing but that beacons were
  /// missed.
  private mutating func ended(_ event: MLMEEvent, _ usesPassword: Bool, _ now: Duration) {
    guard let reason = event.field(0), step != .searching else { return }
    note("\(event.isFromAccessPoint ? "the access point" : "the station") ended the association: reason \(reason)", now)
    guard event.isFromAccessPoint else {
      // The kernel itself ends an association whose beacons are not heard any more.
      if reason == ReasonCode.inactivity { verdict = (.lost(step), .certain) }
      return
    }
    failedInHandshake = step == .handshake
    let proves = ReasonCode.proveWrongKey.contains(reason)
    verdict = (step == .handshake && usesPassword && proves ? .wrongPassword : .dismissed(step, reason: reason), .certain)
  }
}
