import DaemonProtocols
import WiFi

/// What the events of wpa_supplicant say about one attempt: they go in, a reason comes out once one is sure enough.
///
/// It serves the session of wpa_supplicant and, as a second observer, that of NetworkManager.
struct SupplicantObserver: Sendable {
  /// What an event means for the attempt.
  enum Verdict: Hashable {
    /// Nothing yet.
    case none
    /// A step begins.
    case progress(JoinProgress)
    /// The link can be used, by the network with this number.
    case connected(MACAddress, networkID: Int?)
    /// Another network is tried.
    case otherNetwork
    /// It has failed.
    case failed(JoinFailure.Reason, Certainty)
  }

  /// SAE, in a frame of the authentication (IEEE 802.11-2020 9.4.1.1).
  private static let sae: UInt16 = 3
  /// The Confirm message of SAE; Commit is 1.
  private static let confirm: UInt16 = 2

  private let refusalLimit: Int
  private let missedScanLimit: Int
  private let usesPassword: Bool
  /// The name that a try of the network names; `nil` where that may be another.
  private let ssid: SSID?
  /// Whether the network that is being tried is another.
  private var triesOther = false
  private(set) var evidence: [JoinEvidence] = []
  /// The step that began last.
  private(set) var step = JoinStep.searching
  private var bssid: MACAddress?
  private var missedScans = 0
  private var refusals: [Refusal] = []
  private var attempts = 0
  /// How many authentications began anew, and how many went on with a second message: the access point had answered the
  /// first.
  private var tries = 0
  private var continuations = 0
  /// The access point of an authentication that began, as long as nothing else did.
  private var answering: MACAddress?
  private var associations = 0
  private var endings: [(reason: UInt16, isLocal: Bool, step: JoinStep)] = []

  private struct Refusal: Hashable, Sendable {
    var step: JoinStep
    var status: UInt16
    /// Whether it is of SAE's Confirm, and does not say why.
    var isConfirm: Bool
    var isTimeout: Bool
  }

  init(_ request: JoinRequest) {
    refusalLimit = request.limits.refusals
    missedScanLimit = request.limits.missedScans
    usesPassword = request.security.needsPassword
    // The BSS of an OWE transition that encrypts has a name of its own (Opportunistic Wireless Encryption 1.1, 2.2).
    ssid = request.security == .owe ? nil : request.ssid
  }

  /// Takes in what was received from somewhere else.
  mutating func note(_ item: JoinEvidence) { evidence.append(item) }

  /// Takes in one event.
  ///
  /// - Parameter networkID: the number of the attempt's network, where that is known; events about others mean nothing.
  mutating func event(_ event: ControlEvent, networkID: Int?, at now: Duration) -> Verdict {
    let kind = event.kind
    switch kind {
    case .other, .scanStarted, .scanEnded, .enabledAgain, .networkRemoved, .beaconLoss, .handshakeFailed, .eapFailure,
      .scanFailed, .terminating, .networkNotFound, .connected, .disconnected, .authenticationRejected, .associationRejected,
      .temporarilyDisabled, .authenticationTimedOut:
      if bears(kind, networkID) { evidence.append(JoinEvidence(.supplicant, at: now, event.line)) }
    case .authenticating(_, let tried), .associating(_, let tried):
      triesOther = ssid != nil && tried != nil && tried != ssid
      if triesOther {
        evidence.append(JoinEvidence(.supplicant, at: now, event.line))
        return .otherNetwork
      }
    case .associated, .keysNegotiated: break
    }
    if isOfOther(kind, networkID) { return .none }
    countAuthentication(kind)
    switch kind {
    case .authenticating(let address, _):
      attempts += 1
      return begin(.authenticating, address)
    case .associating(let address, _):
      if step != .authenticating { attempts += 1 }
      return begin(.associating, address ?? bssid)
    case .associated(let address):
      associations += 1
      return usesPassword ? begin(.handshake, address) : .none
    case .keysNegotiated, .scanStarted, .scanEnded, .enabledAgain, .other, .handshakeFailed, .beaconLoss: return .none
    case .connected(let address, let id): return .connected(address, networkID: id)
    case .networkNotFound:
      missedScans += 1
      guard missedScans >= missedScanLimit else { return .none }
      return attempts == 0 ? .failed(.outOfRange, .certain) : .failed(silentReason, .likely)
    case .authenticationRejected(_, let algorithm, let transaction, let status):
      let isConfirm = algorithm == Self.sae && transaction == Self.confirm
      if isConfirm, status == StatusCode.challengeFailure { return .failed(.wrongPassword, .certain) }
      // An access point refuses a Confirm for other reasons, too, and names them.
      let saysNothing = status == StatusCode.unspecifiedFailure
      return refuse(Refusal(step: .authenticating, status: status, isConfirm: isConfirm && saysNothing, isTimeout: false))
    case .associationRejected(_, let status, let isTimeout):
      return refuse(Refusal(step: .associating, status: status, isConfirm: false, isTimeout: isTimeout))
    case .authenticationTimedOut:
      return refuse(Refusal(step: step, status: 0, isConfirm: false, isTimeout: true))
    case .disconnected(_, let reason, let isLocal):
      endings.append((reason, isLocal, step))
      if !isLocal, step != .handshake, endings.count(where: { !$0.isLocal }) >= refusalLimit {
        return .failed(.dismissed(step, reason: reason), .certain)
      }
      return .none
    case .temporarilyDisabled(_, _, _, let reason): return disabled(reason)
    case .networkRemoved(let id):
      return id == networkID ? .failed(.superseded, .certain) : .none
    case .eapFailure: return .failed(.notSupported("a network that asks for credentials of one's own (IEEE 802.1X)"), .certain)
    case .scanFailed(let number):
      return number == KernelError.Number.networkDown || number == KernelError.Number.rfkill ? .failed(.interfaceDown, .certain) : .none
    case .terminating: return .failed(.daemonLost, .certain)
    }
  }

  /// Distinguishes the second message of SAE from a new try, before which the supplicant scans.
  private mutating func countAuthentication(_ kind: ControlEvent.Kind) {
    switch kind {
    case .authenticating(let address, _):
      if answering == address { continuations += 1 } else { tries += 1 }
      answering = address
    case .scanStarted, .scanEnded, .associating, .associated, .disconnected: answering = nil
    default: break
    }
  }

  /// Whether an event is worth keeping.
  private func bears(_ kind: ControlEvent.Kind, _ networkID: Int?) -> Bool {
    switch kind {
    case .other, .scanStarted, .scanEnded, .enabledAgain: false
    case .networkRemoved(let id): id == networkID
    default: !isOfOther(kind, networkID)
    }
  }

  /// Whether an event is of another attempt: it names another network, follows the try of another, or comes before any
  /// try.
  ///
  /// The BSSID is not looked at: of an access point of several links wpa_supplicant 2.11 tries a BSSID and reports the
  /// address of the whole, and it passes over frames of any other itself (`sme_event_auth`).
  private func isOfOther(_ kind: ControlEvent.Kind, _ networkID: Int?) -> Bool {
    switch kind {
    case .authenticationRejected, .associationRejected, .authenticationTimedOut, .disconnected, .handshakeFailed, .eapFailure:
      triesOther || step == .searching
    case .temporarilyDisabled(let id, _, _, _): networkID.map { $0 != id } ?? triesOther || step == .searching
    case .associated, .keysNegotiated: triesOther
    case .connected: networkID == nil && (triesOther || step == .searching)
    default: false
    }
  }

  private mutating func begin(_ next: JoinStep, _ address: MACAddress?) -> Verdict {
    missedScans = 0
    if next == step, address == bssid { return .none }
    step = next
    bssid = address
    return .progress(JoinProgress(next, bssid: address))
  }

  private mutating func refuse(_ refusal: Refusal) -> Verdict {
    refusals.append(refusal)
    let same = refusals.count { $0 == refusal }
    // Another Confirm that is refused would say no more than the first; another access point may accept what one
    // refuses otherwise.
    return refusal.isConfirm || same >= refusalLimit ? .failed(reason(of: refusal), certainty(of: refusal)) : .none
  }

  private func reason(of refusal: Refusal) -> JoinFailure.Reason {
    // Status 1 in answer to a Confirm is what hostapd 2.10 sends where the password differs.
    if refusal.isConfirm { return .wrongPassword }
    if refusal.isTimeout { return .lost(refusal.step) }
    return .refused(refusal.step, status: refusal.status)
  }

  private func certainty(of refusal: Refusal) -> Certainty { refusal.isConfirm || refusal.isTimeout ? .likely : .certain }

  /// What a network that the supplicant leaves alone for a while failed of.
  private func disabled(_ reason: String) -> Verdict {
    if reason == "WRONG_KEY" {
      // The supplicant says so of every handshake that ends early. Only the access point's own word proves the key
      // wrong.
      guard let ending = endings.last, ending.step == .handshake else { return .failed(.wrongPassword, .likely) }
      // Without beacons the station ends with reason 4. Where it hears them, and gives up after ten seconds without the
      // access point's own end of the handshake (reason 3), that end was lost: measured with a wrong password while
      // another program scanned.
      if ending.isLocal { return .failed(ending.reason == ReasonCode.inactivity ? .lost(.handshake) : .wrongPassword, .likely) }
      let proves = ReasonCode.proveWrongKey.contains(ending.reason)
      return proves ? .failed(.wrongPassword, .certain) : .failed(.dismissed(.handshake, reason: ending.reason), .likely)
    }
    let (reason, certainty) = verdict
    // The supplicant counts failures of earlier attempts, too, and tries again after a while: where nothing says why,
    // that may succeed.
    switch reason {
    case .timedOut, .lost: return .none
    default: return .failed(reason, certainty)
    }
  }

  /// The reason as far as it is known now: that of an attempt which is over.
  var verdict: (reason: JoinFailure.Reason, certainty: Certainty) {
    if let confirm = refusals.last(where: { $0.isConfirm }) { return (reason(of: confirm), .likely) }
    if let refusal = refusals.last(where: { !$0.isTimeout }) { return (reason(of: refusal), .certain) }
    if let ending = endings.last, !ending.isLocal {
      return ending.step == .handshake && usesPassword && ReasonCode.mayMeanWrongKey.contains(ending.reason)
        ? (.wrongPassword, .likely) : (.dismissed(ending.step, reason: ending.reason), .certain)
    }
    if let refusal = refusals.last { return (reason(of: refusal), .likely) }
    // Later attempts at an access point that is gone come less far.
    if let ending = endings.last { return (.lost(ending.step), .likely) }
    if step == .searching { return missedScans > 0 ? (.outOfRange, .certain) : (.timedOut(.searching), .certain) }
    // A scan after the last attempt did not hear it.
    if missedScans > 0 { return (.lost(step), .likely) }
    // SAE gives no event where the access point confirms first and the station finds the difference. Each attempt
    // begins twice: with its Commit and its Confirm. Where none goes on after the first message, the access point does
    // not answer.
    if step == .authenticating, associations == 0 {
      if usesPassword, continuations > 2 { return (.wrongPassword, .likely) }
      if tries > 1, continuations == 0 { return (.lost(.authenticating), .likely) }
    }
    return (.timedOut(step), .certain)
  }

  /// The reason where the access point is not heard any more.
  private var silentReason: JoinFailure.Reason {
    refusals.isEmpty && endings.allSatisfy { $0.isLocal } ? .lost(endings.last?.step ?? step) : verdict.reason
  }
}

extension SupplicantObserver {
  /// Whether the supplicant said anything that bears on the attempt.
  var hasHeard: Bool { tries > 0 || evidence.contains { $0.observer == .supplicant } }
}
