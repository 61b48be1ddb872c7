public import WiFi

/// A step of a join.
public enum JoinStep: String, Hashable, Sendable, CaseIterable {
  /// The daemon scans for the network.
  case searching
  /// Station and access point authenticate (IEEE 802.11-2020 11.3.4), which for SAE proves the password.
  case authenticating
  /// The station associates (11.3.5).
  case associating
  /// The four-way handshake makes the keys (12.7.6), which for WPA2 proves the password.
  case handshake
  /// The link can be used; an address is asked for.
  case address
}

/// How far a join has come.
public struct JoinProgress: Hashable, Sendable {
  /// The step that begins.
  public var step: JoinStep
  /// The BSS that it is about, where that is known.
  public var bssid: MACAddress?

  /// Makes a progress of its parts.
  public init(_ step: JoinStep, bssid: MACAddress? = nil) {
    self.step = step
    self.bssid = bssid
  }
}

/// How sure a reason is.
public enum Certainty: String, Hashable, Sendable {
  /// What was received allows no other reading.
  case certain
  /// What was received allows others.
  case likely
}

/// Something that was received during an attempt and bears on its outcome.
public struct JoinEvidence: Hashable, Sendable {
  /// Who reported it.
  public enum Observer: String, Hashable, Sendable {
    case supplicant = "wpa_supplicant"
    case networkManager = "NetworkManager"
    case iwd
    case bus = "D-Bus"
    /// nl80211, of the frames that the access point sent.
    case kernel
    /// None: something did not come in time.
    case clock
  }

  /// Who reported it.
  public var observer: Observer
  /// When, as time since boot.
  public var time: Duration
  /// What it said, safe to print; never a secret.
  public var line: String

  /// Makes evidence of its parts.
  public init(_ observer: Observer, at time: Duration, _ line: String) {
    self.observer = observer
    self.time = time
    self.line = line
  }
}

/// Why a network was not joined, how sure that is, and from what it follows.
public struct JoinFailure: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Reason: Hashable, Sendable {
    /// The access point has another password.
    case wrongPassword
    /// No access point can have such a password; nothing was sent.
    case impossiblePassword(Passphrase.Problem)
    /// The access point has another password than the daemon has saved, and the daemon did not ask for the one that was
    /// given.
    case savedPasswordWrong
    /// The network needs a password, none was given and the daemon knows none.
    case passwordMissing
    /// The network was not heard.
    case outOfRange
    /// The network was heard, and another access point than the one that was asked for.
    case accessPointNotHeard(MACAddress, heard: [MACAddress])
    /// The network was heard, and is secured in other ways than the one that was asked for.
    case otherSecurity(announced: [String], asked: JoinSecurity)
    /// The network was heard, and fell silent in this step.
    case lost(JoinStep)
    /// The access point refused in this step, with a status code (IEEE 802.11-2020 9.4.1.9).
    case refused(JoinStep, status: UInt16)
    /// The access point ended the association in this step, with a reason code (IEEE 802.11-2020 9.4.1.7).
    case dismissed(JoinStep, reason: UInt16)
    /// This step did not end in time.
    case timedOut(JoinStep)
    /// The link can be used, and no server gave an address.
    case noAddress
    /// The network was joined, and the link was lost before the daemon had saved that.
    case linkLost
    /// The session cannot join such a network, and what can be done instead where something can.
    case notSupported(String, instead: String? = nil)
    /// There is no interface of that name, or it is not wireless.
    case noInterface
    /// The interface is down, or a radio switch is off.
    case interfaceDown
    /// The daemon leaves the interface alone.
    case notManaged
    /// Another program joined another network, or changed this one, in the middle.
    case superseded
    /// The daemon is busy with another join or scan.
    case busy
    /// This user may not ask the daemon.
    case noPermission
    /// The daemon does not run.
    case noDaemon
    /// The daemon ended in the middle.
    case daemonLost
    /// wpa_supplicant, through which NetworkManager joins, ended or gave up the interface.
    case supplicantLost
    /// The daemon did not answer in time.
    case daemonSilent
    /// The daemon refused, with its words.
    case daemonRefused(String)
    /// What the daemon sent could not be read.
    case malformed(WireError)
    /// The result was not wanted any more.
    case cancelled
  }

  /// What became of the network that was joined before, by a name for programs, the same in every version.
  public enum Aftermath: String, Hashable, Sendable {
    /// There was none.
    case nothingBefore
    /// It was not left.
    case stayed
    /// The daemon was asked to return to it, and agreed.
    case returning
    /// The daemon could not be asked to return to it, or refused.
    case notReturning
  }

  /// What went wrong.
  public var reason: Reason
  /// How sure that is.
  public var certainty: Certainty
  /// From what it follows, in order of time.
  public var evidence: [JoinEvidence]
  /// What became of the network that was joined before.
  public var aftermath: Aftermath

  /// Makes a failure of its parts.
  public init(
    _ reason: Reason, _ certainty: Certainty = .certain, evidence: [JoinEvidence] = [], aftermath: Aftermath = .stayed
  ) {
    self.reason = reason
    self.certainty = certainty
    self.evidence = evidence
    self.aftermath = aftermath
  }
}

extension JoinFailure: CustomStringConvertible {
  /// One sentence about what happened, and what to do next where that is known.
  public var description: String {
    let sentence = reason.description
    guard certainty == .likely else { return sentence }
    return "Most likely: \(sentence.prefix(1).lowercased())\(sentence.dropFirst())"
  }
}

extension JoinFailure.Reason: CustomStringConvertible {
  /// One sentence, and what to do next where that is known.
  public var description: String {
    switch self {
    case .wrongPassword: "The password is wrong."
    case .impossiblePassword(let problem): KnownNetworkError.impossiblePassword(problem).description
    case .savedPasswordWrong:
      "The password that the daemon has saved is wrong, and it did not ask for another; forget the network and join it again."
    case .passwordMissing: "The network needs a password, and the daemon knows none."
    case .outOfRange: "The network is out of range: no scan heard it."
    case .accessPointNotHeard(let bssid, let heard):
      "The access point \(bssid) was not heard; leave out --bssid, or give one of this network that was: "
        + "\(heard.prefix(3).map { "\($0)" }.joined(separator: ", "))\(heard.count > 3 ? " and \(heard.count - 3) more" : "")."
    case .otherSecurity(let announced, let asked):
      "The network announces \(announced.joined(separator: " and ")), not \(asked); without --security it is joined as it announces."
    case .lost(let step): "The access point fell silent \(step.phrase)."
    case .refused(let step, let status):
      "The access point refused \(step.phrase) with status \(status)\(StatusCode.name(status).map { ": \($0)" } ?? "")."
    case .dismissed(let step, let reason):
      "The access point ended the association \(step.phrase) with reason \(reason)\(ReasonCode.name(reason).map { ": \($0)" } ?? "")."
    case .timedOut(let step): "The join did not end in time \(step.phrase)."
    case .noAddress: "The network was joined, and no server gave an address."
    case .linkLost: "The network was joined, and the link was lost at once."
    case .notSupported(let what, let instead): "Joining \(what) is not supported\(instead.map { "; \($0)" } ?? "")."
    case .interfaceDown: "The interface is down or switched off; `wifi-harness doctor` says by what."
    case .superseded: "Another program changed the network in the middle."
    case .daemonLost: "The daemon ended in the middle of it."
    case .supplicantLost:
      "wpa_supplicant, through which NetworkManager joins, ended; `systemctl restart wpa_supplicant` starts it again."
    case .cancelled: "The join was cancelled."
    case .noInterface, .notManaged, .busy, .noPermission, .noDaemon, .daemonSilent, .daemonRefused, .malformed:
      // What a request about known networks says of it, too.
      KnownNetworkError(self).description
    }
  }
}

extension KnownNetworkError {
  /// What a reason of a daemon's is for a request about known networks.
  public init(_ reason: JoinFailure.Reason) {
    switch reason {
    case .noDaemon: self = .noDaemon
    case .noPermission: self = .noPermission
    case .daemonLost: self = .daemonLost
    case .daemonSilent: self = .daemonSilent
    case .daemonRefused(let words): self = .refused(words)
    case .malformed(let error): self = .malformed(error)
    case .busy: self = .busy
    case .noInterface: self = .noInterface
    case .notManaged: self = .notManaged
    case .cancelled: self = .cancelled
    default: self = .refused("\(reason)")
    }
  }
}

extension JoinStep {
  /// When it was, such as `while associating`.
  var phrase: String {
    switch self {
    case .searching: "while it was searched for"
    case .authenticating: "while authenticating"
    case .associating: "while associating"
    case .handshake: "in the middle of the handshake for the keys"
    case .address: "while an address was asked for"
    }
  }
}

/// What came of an attempt to join.
public struct JoinOutcome: Hashable, Sendable {
  /// A network that was joined.
  public struct Joined: Hashable, Sendable {
    /// The BSS.
    public var bssid: MACAddress?
    /// The IPv4 address, where the daemon knows one.
    public var address: String?
    /// Whether the daemon remembers the network.
    public var isKept: Bool
    /// Whether the daemon joined with the password that it had saved, although another was given: that one was not
    /// tried.
    public var usedSavedPassword: Bool
    /// Why the daemon does not remember the network although it was asked to; where it is
    /// ``JoinFailure/Reason/daemonSilent``, it may.
    public var savingFailure: JoinFailure.Reason?

    /// Makes it of its parts.
    public init(
      bssid: MACAddress?, address: String? = nil, isKept: Bool, usedSavedPassword: Bool = false,
      savingFailure: JoinFailure.Reason? = nil
    ) {
      self.bssid = bssid
      self.address = address
      self.isKept = isKept
      self.usedSavedPassword = usedSavedPassword
      self.savingFailure = savingFailure
    }
  }

  /// The network, or why it was not joined.
  public var result: Result<Joined, JoinFailure>
  /// How long it took.
  public var duration: Duration

  /// Makes an outcome of its parts.
  public init(_ result: Result<Joined, JoinFailure>, after duration: Duration) {
    self.result = result
    self.duration = duration
  }

  /// Why the network was not joined.
  public var failure: JoinFailure? { if case .failure(let failure) = result { failure } else { nil } }
  /// The network that was joined.
  public var joined: Joined? { if case .success(let joined) = result { joined } else { nil } }
}

extension JoinOutcome {
  /// The outcome with `‹secret›` where a daemon repeats a secret in its words (``/WiFi/Secret/masked(in:)-(String)``).
  public func masking(_ secret: Secret) -> Self {
    func masked(_ reason: JoinFailure.Reason) -> JoinFailure.Reason {
      if case .daemonRefused(let words) = reason { .daemonRefused(secret.masked(in: words)) } else { reason }
    }
    var outcome = self
    switch result {
    case .success(var joined):
      joined.savingFailure = joined.savingFailure.map(masked)
      outcome.result = .success(joined)
    case .failure(var failure):
      failure.reason = masked(failure.reason)
      for index in failure.evidence.indices { failure.evidence[index].line = secret.masked(in: failure.evidence[index].line) }
      outcome.result = .failure(failure)
    }
    return outcome
  }
}

extension JoinError {
  /// What a panel shows of a failure: the nearest of its five.
  ///
  /// A failure that is the machine's and not the network's is a timeout to a panel.
  public init(_ failure: JoinFailure) {
    switch failure.reason {
    case .wrongPassword, .savedPasswordWrong, .impossiblePassword, .passwordMissing: self = .wrongPassword
    case .outOfRange, .accessPointNotHeard, .lost, .linkLost: self = .outOfRange
    case .refused(_, let status): self = .rejected(status: status)
    case .dismissed: self = .rejected(status: StatusCode.unspecifiedFailure)
    case .cancelled, .superseded: self = .cancelled
    case .otherSecurity, .timedOut, .noAddress, .notSupported, .noInterface, .interfaceDown, .notManaged, .busy, .noPermission, .noDaemon,
      .daemonLost, .supplicantLost, .daemonSilent, .daemonRefused, .malformed:
      self = .timedOut
    }
  }
}
