/// Why known networks could not be listed or changed; nothing was changed then.
public enum KnownNetworkError: Error, Hashable, Sendable {
  /// The daemon cannot do it, whatever the network is.
  case cannot(KnownNetworkFeature, JoinDaemon)
  /// The daemon does not know this network, or not any more.
  case unknownNetwork(SSID)
  /// A network needs a name.
  case nameMissing
  /// No profile is made or changed here for such a network.
  case notSupported(JoinSecurity)
  /// A profile does not change to a security of another family.
  case securityFamily(JoinSecurity, JoinSecurity)
  /// The network takes no password.
  case passwordNotTaken(JoinSecurity)
  /// The network needs a password; the daemon copies none, or none was given.
  case passwordMissing
  /// No access point can have such a password.
  case impossiblePassword(Passphrase.Problem)
  /// The priority is outside ``KnownNetwork/priorities``.
  case priorityOutOfRange(Int)
  /// There is no interface of that name, or the daemon has no socket for it.
  case noInterface
  /// The daemon leaves the interface alone.
  case notManaged
  /// The daemon is busy with another request.
  case busy
  /// This user may not ask the daemon.
  case noPermission
  /// The daemon does not run.
  case noDaemon
  /// The daemon ended in the middle; what it had not saved is gone.
  case daemonLost
  /// The daemon did not answer in time.
  case daemonSilent
  /// The daemon refused, with its words.
  case refused(String)
  /// The change was made, and what the daemon knows now could not be read, for this reason.
  case notListed(isSaved: Bool, String)
  /// The daemon did not say whether it saved the change, for this reason: it may have.
  case unconfirmed(String)
  /// What the daemon sent could not be read.
  case malformed(WireError)
  /// The caller cancelled the request.
  case cancelled
}

extension KnownNetworkError: CustomStringConvertible {
  /// One sentence, and what to do next where that is known.
  public var description: String {
    switch self {
    case .cannot(let feature, let daemon): Self.sentence(feature, daemon)
    case .unknownNetwork(let ssid): "No network “\(ssid)” is known any more."
    case .nameMissing: "A known network needs a name."
    case .notSupported(let security): "Profiles of networks with \(security) are not made or changed here; use the daemon's own client."
    case .securityFamily(let old, let new): "A profile for \(old) cannot become one for \(new); forget the network and add it again."
    case .passwordNotTaken(let security): "A network with \(security) takes no password."
    case .passwordMissing: "The network needs a password, and none was given."
    case .impossiblePassword(let problem): "The password cannot be right: \(problem)."
    case .priorityOutOfRange(let priority):
      "\(priority) is no priority; a priority is from \(KnownNetwork.priorities.lowerBound) to \(KnownNetwork.priorities.upperBound)."
    case .noInterface: "There is no such wireless interface; `wifi-harness doctor` lists those that there are."
    case .notManaged: "The daemon leaves this interface alone; another program may own it."
    case .busy: "The daemon is busy with another request; try again."
    case .noPermission: "This user may not control the daemon; run the program as root, or join the group that may."
    case .noDaemon: "The daemon does not run."
    case .daemonLost: "The daemon ended in the middle of the request."
    case .notListed(let isSaved, let why):
      "The change was made\(isSaved ? " and saved" : ", and not saved"), and what the daemon knows now could not be read: \(why)"
    case .unconfirmed(let why): "The change was made, and may be saved or not: \(why)"
    case .daemonSilent: "The daemon did not answer in time."
    case .refused(let words): "The daemon refused: \(words)."
    case .malformed(let error): "What the daemon sent cannot be read: \(error)."
    case .cancelled: "The request was cancelled."
    }
  }

  private static func sentence(_ feature: KnownNetworkFeature, _ daemon: JoinDaemon) -> String {
    switch (feature, daemon) {
    case (.add, .iwd): "iwd learns a network by joining it; join it with `wifi-harness join NAME`."
    case (.duplicate, .iwd): "iwd keeps one profile for each name; it cannot copy one."
    case (.priority, .iwd): "iwd has no priorities; it prefers the network that was joined last."
    case (.hidden, .iwd): "iwd decides by itself whether a network hides its name; this cannot be changed."
    case (.password, .iwd), (.rename, .iwd), (.security, .iwd):
      "iwd does not change the \(feature.phrase) of a network; forget the network and join it again."
    default: "\(daemon.name) cannot change the \(feature.phrase) of known networks."
    }
  }

  /// A name for programs, the same in every version, such as `unknownNetwork`.
  public var name: String {
    switch self {
    case .cannot: "cannot"
    case .unknownNetwork: "unknownNetwork"
    case .nameMissing: "nameMissing"
    case .notSupported: "notSupported"
    case .securityFamily: "securityFamily"
    case .passwordNotTaken: "passwordNotTaken"
    case .passwordMissing: "passwordMissing"
    case .impossiblePassword: "impossiblePassword"
    case .priorityOutOfRange: "priorityOutOfRange"
    case .noInterface: "noInterface"
    case .notManaged: "notManaged"
    case .busy: "busy"
    case .noPermission: "noPermission"
    case .noDaemon: "noDaemon"
    case .daemonLost: "daemonLost"
    case .daemonSilent: "daemonSilent"
    case .refused: "refused"
    case .notListed: "notListed"
    case .unconfirmed: "unconfirmed"
    case .malformed: "malformed"
    case .cancelled: "cancelled"
    }
  }
}

extension KnownNetworkFeature {
  fileprivate var phrase: String {
    switch self {
    case .add, .duplicate, .forget: "list"
    case .rename: "name"
    case .autoconnect: "automatic joining"
    case .hidden: "hiding"
    case .security, .password, .priority: rawValue
    }
  }
}
