import WiFi

/// What the kernel reports of the frames that an access point sent during one attempt (nl80211, group `mlme`).
///
/// It needs no privilege and no daemon, so it says what iwd, whose answer to nearly everything is “Operation failed”,
/// does not.
struct KernelObserver: Hashable, Sendable {
  /// Commands (`NL80211_CMD_…`) and attributes (`NL80211_ATTR_…`) of `<linux/nl80211.h>`.
  private enum Number {
    static let authenticate: UInt8 = 37
    static let associate: UInt8 = 38
    static let deauthenticate: UInt8 = 39
    static let disassociate: UInt8 = 40
    static let frame: UInt16 = 51
    static let timedOut: UInt16 = 65
  }

  private(set) var evidence: [JoinEvidence] = []
  private var step = JoinStep.searching
  private var conclusion: Conclusion?

  private struct Conclusion: Hashable, Sendable {
    var reason: JoinFailure.Reason
    var certainty: Certainty
  }

  /// Why the attempt failed, where the frames say so.
  var verdict: (reason: JoinFailure.Reason, certainty: Certainty)? { conclusion.map { ($0.reason, $0.certainty) } }

  /// Whether the access point ended the association in the handshake: iwd asks for the password the next time then.
  private(set) var failedInHandshake = false

  /// Whether any access point was tried at all.
  var hasTried: Bool { step != .searching }

  /// Takes in one datagram.
  mutating func receive(_ bytes: [UInt8], usesPassword: Bool, at now: Duration) {
    for message in NetlinkMessage.messages(in: bytes).messages {
      guard let generic = try? GenericNetlinkMessage(payload: message.payload) else { continue }
      var frame: [UInt8]?
      var isTimeout = false
      for attribute in AttributeWalk(generic.attributes) {
        if attribute.type == Number.frame { frame = Array(generic.attributes[attribute.payload]) }
        if attribute.type == Number.timedOut { isTimeout = true }
      }
      switch generic.command {
      case Number.authenticate: authenticated(frame, isTimeout, now)
      case Number.associate: associated(frame, isTimeout, usesPassword, now)
      case Number.deauthenticate, Number.disassociate: ended(frame, usesPassword, now)
      default: break
      }
    }
  }

  /// A field of two bytes behind the header of a management frame (IEEE 802.11-2020 9.3.3.1).
  private static func field(_ frame: [UInt8], _ index: Int) -> UInt16? {
    let offset = 24 + 2 * index
    return offset + 1 < frame.count ? UInt16(frame[offset]) | UInt16(frame[offset + 1]) << 8 : nil
  }

  private mutating func note(_ line: String, _ now: Duration) { evidence.append(JoinEvidence(.kernel, at: now, line)) }

  /// An answer to an authentication (9.3.3.11: algorithm, transaction, status), or none.
  private mutating func authenticated(_ frame: [UInt8]?, _ isTimeout: Bool, _ now: Duration) {
    step = .authenticating
    guard !isTimeout else {
      note("no answer to the authentication", now)
      conclusion = Conclusion(reason: .lost(.authenticating), certainty: .certain)
      return
    }
    guard let frame, let algorithm = Self.field(frame, 0), let transaction = Self.field(frame, 1), let status = Self.field(frame, 2)
    else { return }
    // 76 asks for a token, 77 for another group, 126 announces hash-to-element: none is a refusal.
    guard ![0, 76, 77, 126].contains(status) else {
      conclusion = nil
      return
    }
    note("authentication: algorithm \(algorithm), transaction \(transaction), status \(status)", now)
    if algorithm == 3, transaction == 2 {
      conclusion = Conclusion(reason: .wrongPassword, certainty: status == StatusCode.challengeFailure ? .certain : .likely)
    } else {
      conclusion = Conclusion(reason: .refused(.authenticating, status: status), certainty: .certain)
    }
  }

  /// An answer to an association (9.3.3.6: capabilities, status), or none.
  private mutating func associated(_ frame: [UInt8]?, _ isTimeout: Bool, _ usesPassword: Bool, _ now: Duration) {
    step = .associating
    guard !isTimeout else {
      note("no answer to the association", now)
      conclusion = Conclusion(reason: .lost(.associating), certainty: .certain)
      return
    }
    guard let frame, let status = Self.field(frame, 1) else { return }
    guard status != 0 else {
      conclusion = nil
      step = usesPassword ? .handshake : .address
      return
    }
    note("association: status \(status)", now)
    conclusion = Conclusion(reason: .refused(.associating, status: status), certainty: .certain)
  }

  /// The end of an association (9.3.3.12: reason); one that the station sent itself says nothing but that beacons were
  /// missed.
  private mutating func ended(_ frame: [UInt8]?, _ usesPassword: Bool, _ now: Duration) {
    guard let frame, let reason = Self.field(frame, 0), step != .searching else { return }
    // Transmitter and BSSID are the same where the access point sends.
    let isFromAccessPoint = frame[10..<16] == frame[16..<22]
    note("\(isFromAccessPoint ? "the access point" : "the station") ended the association: reason \(reason)", now)
    guard isFromAccessPoint else {
      // The kernel itself ends an association whose beacons are not heard any more.
      if reason == ReasonCode.inactivity { conclusion = Conclusion(reason: .lost(step), certainty: .certain) }
      return
    }
    failedInHandshake = step == .handshake
    let proves = [ReasonCode.fourWayHandshakeTimeout, ReasonCode.previousAuthenticationNotValid].contains(reason)
    conclusion =
      step == .handshake && usesPassword && proves
      ? Conclusion(reason: .wrongPassword, certainty: .certain)
      : Conclusion(reason: .dismissed(step, reason: reason), certainty: .certain)
  }
}
