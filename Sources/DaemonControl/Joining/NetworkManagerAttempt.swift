import DaemonProtocols
import WiFi

extension NetworkManagerSession {
  /// What is known while the profiles are read, and which are still to be read.
  struct Search {
    var left: [DBusObjectPath] = []
    /// The older profiles of the network, which a password that proves right is for.
    var namesakes: [ListedProfile] = []
    /// A profile of the network that goes with its connection, which is activated where no saved one can be.
    var passing: DBusObjectPath?
    /// Whether there is a profile of the network that is bound to no BSS or to another one than is wanted.
    var hasOtherBinding = false

    /// The older profiles in the order in which NetworkManager prefers them.
    var ranked: [ListedProfile] {
      namesakes.enumerated().sorted { one, other in
        let (left, right) = (one.element.profile.rank, other.element.profile.rank)
        return left == right ? one.offset < other.offset : left > right
      }.map(\.element)
    }
  }

  /// The attempt to join, from the request to activate a profile on.
  struct Attempt {
    /// Which profile is being activated.
    enum Kind {
      /// One that is made for the attempt.
      case added
      /// One that there is.
      case known
      /// The older one that has the password now, in the place of the attempt's.
      case replacing
    }

    var kind: Kind
    /// The older profiles of the network, of which the first that gets the password takes the attempt's place.
    var namesakes: [ListedProfile] = []
    /// Whether the network of before is left.
    var hasLeft: Bool
    /// Until when the network must be joined.
    var deadline: Duration
    /// Whether the network is remembered.
    var isKept: Bool
    /// Why the profile that is to stay was not written.
    var savingFailure: JoinFailure.Reason?
    /// The profile that was made for the attempt.
    var own: DBusObjectPath?
    var connection: DBusObjectPath?
    /// Whether the device has begun with it.
    var hasPrepared = false
    var deviceReason: Int64 = 0
    /// Whether the supplicant has said that the network is joined, so that an address is waited for.
    var isConfirmed = false
    /// How the link was lost that an address is waited for on, where it was.
    var lostAssociation: JoinFailure.Reason?
    /// How the device lost the link that the attempt had made, before the profile that stays was written and activated.
    var lostJoin: JoinFailure.Reason?
    var bssid: MACAddress?
    private var reported = JoinStep.searching

    init(_ kind: Kind, hasLeft: Bool, isKept: Bool, until deadline: Duration) {
      self.kind = kind
      self.hasLeft = hasLeft
      self.isKept = isKept
      self.deadline = deadline
    }

    /// Takes in the answer to the activation.
    ///
    /// - Returns: whether it holds a path.
    mutating func activated(_ answer: [DBusValue]) -> Bool {
      guard let path = answer.first?.path else { return false }
      if kind == .added { own = path }
      connection = kind != .added ? path : answer.count > 1 ? answer[1].path : nil
      return true
    }

    /// Goes on with the older profile, as if nothing had been heard of the attempt.
    mutating func replace(until deadline: Duration) {
      (kind, self.deadline) = (.replacing, deadline)
      (connection, hasPrepared, deviceReason, isConfirmed, lostAssociation) = (nil, false, 0, false, nil)
    }

    /// Reports a step, once: two probes see it.
    ///
    /// The steps of the older profile, which follow a join that succeeded, are none of their own.
    mutating func report(_ progress: JoinProgress) -> [JoinAction] {
      guard progress.step != reported, kind != .replacing else { return [] }
      reported = progress.step
      return [.progress(progress)]
    }
  }

  /// What NetworkManager says of its device, as evidence has it.
  static func line(_ state: Int64, _ reason: Int64) -> String {
    "device state \(state), reason \(reason)\(NetworkManagerBus.DeviceReason.name(reason).map { " (\($0))" } ?? "")"
  }

  /// What a reason of a device means (`NMDeviceStateReason`).
  static func meaning(of reason: Int64, _ security: JoinSecurity) -> (reason: JoinFailure.Reason, certainty: Certainty) {
    switch reason {
    case 3: return (.notManaged, .certain)
    // The device could not be made ready: NetworkManager may set it up, and could not.
    case 4: return (.interfaceDown, .likely)
    case 5, 6, 15, 16, 17: return (.noAddress, .certain)
    // Without a password none can be wrong, and why the link ended only the supplicant knows.
    case 7, 8: return (security.needsPassword ? .wrongPassword : .lost(.associating), .likely)
    // wpa_supplicant could not do what NetworkManager asked of it; nothing of the password.
    case 10: return (.daemonRefused("wpa_supplicant did not do what NetworkManager asked of it"), .certain)
    case 9: return (.daemonRefused("the supplicant did not take the configuration"), .certain)
    case 11: return (.timedOut(.authenticating), .likely)
    case 35: return (.daemonRefused("the firmware of the device is missing"), .certain)
    case 36: return (.noInterface, .certain)
    case 37: return (.daemonRefused("networking is switched off, or the machine goes to sleep"), .certain)
    case 38, 39, 60: return (.superseded, .certain)
    case NetworkManagerBus.DeviceReason.ssidNotFound:
      // A wrong SAE password is given as a network that was not found, too; the list of access points decides.
      return security == .sae || security == .pskOrSAE ? (.wrongPassword, .likely) : (.outOfRange, .likely)
    default: return (.daemonRefused("reason \(reason)\(NetworkManagerBus.DeviceReason.name(reason).map { ", \($0)" } ?? "")"), .certain)
    }
  }
}

extension JoinFailure.Reason {
  /// Whether wpa_supplicant knows nothing of it, so that what it says does not take its place.
  var isKnownToNetworkManagerAlone: Bool {
    switch self {
    case .noAddress, .superseded, .interfaceDown, .notManaged, .noInterface: true
    case .wrongPassword, .impossiblePassword, .savedPasswordWrong, .passwordMissing, .outOfRange, .accessPointNotHeard,
      .otherSecurity, .lost, .refused, .dismissed, .timedOut, .linkLost, .notSupported, .busy, .noPermission, .noDaemon,
      .daemonLost, .supplicantLost, .daemonSilent, .daemonRefused, .malformed, .cancelled:
      false
    }
  }
}
