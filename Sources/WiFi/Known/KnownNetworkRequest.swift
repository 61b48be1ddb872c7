/// What is asked of a daemon about the networks that it knows.
public enum KnownNetworkRequest: Hashable, Sendable {
  /// All of them.
  case list
  /// One more.
  case add(KnownNetworkDraft)
  /// Other values for some of its fields.
  case edit(KnownNetwork.ID, KnownNetworkEdit)
  /// One more, with the values of another except where the edit has its own.
  case duplicate(KnownNetwork.ID, KnownNetworkEdit)
  /// One fewer.
  case forget(KnownNetwork.ID)

  /// What a daemon must be able to do for it, in order of importance.
  public var features: [KnownNetworkFeature] {
    switch self {
    case .list: []
    case .add: [.add]
    case .edit(_, let edit): edit.features
    // A copy has its own fields from the beginning.
    case .duplicate: [.duplicate]
    case .forget: [.forget]
    }
  }

  /// What cannot work, whatever the daemon knows; found before anything is sent.
  public func problem(for daemon: JoinDaemon) -> KnownNetworkError? {
    if let missing = features.first(where: { !daemon.knownNetworkFeatures.contains($0) }) { return .cannot(missing, daemon) }
    return problem
  }

  /// What cannot work with any daemon and any profile.
  public var problem: KnownNetworkError? {
    switch self {
    case .list, .forget: return nil
    case .add(let draft): return draft.problem
    case .edit(_, let edit), .duplicate(_, let edit): return edit.problem
    }
  }
}

/// A network that a daemon is to know.
public struct KnownNetworkDraft: Hashable, Sendable {
  /// The name of the network.
  public var ssid: SSID
  /// How it is secured.
  public var security: JoinSecurity
  /// The password, where the security takes one.
  public var password: Secret?
  /// The higher is joined first.
  public var priority: Int
  /// Whether the daemon is to join it by itself.
  public var joinsAutomatically: Bool
  /// Whether the network hides its name.
  public var isHidden: Bool

  /// Describes a network.
  public init(
    ssid: SSID, security: JoinSecurity, password: Secret? = nil, priority: Int = 0, joinsAutomatically: Bool = true, isHidden: Bool = false
  ) {
    self.ssid = ssid
    self.security = security
    self.password = password
    self.priority = priority
    self.joinsAutomatically = joinsAutomatically
    self.isHidden = isHidden
  }

  /// What cannot work, whatever the daemon does.
  public var problem: KnownNetworkError? {
    if let problem = KnownNetworkEdit(ssid: ssid, security: security, priority: priority).problem { return problem }
    guard let use = security.use else { return nil }
    guard let password else { return .passwordMissing }
    return password.problem(for: use).map { .impossiblePassword($0) }
  }
}

/// What a daemon answers: the networks that it knows then.
public struct KnownNetworkAnswer: Hashable, Sendable {
  /// All known networks after the request, in the daemon's order.
  public var networks: [KnownNetwork]
  /// The one that was added or changed; of one that was forgotten, what it was.
  public var changed: KnownNetwork.ID?
  /// Whether a change outlives the daemon; wpa_supplicant needs `update_config=1` for that.
  public var isSaved: Bool

  /// Makes an answer from its parts.
  public init(networks: [KnownNetwork], changed: KnownNetwork.ID? = nil, isSaved: Bool = true) {
    self.networks = networks
    self.changed = changed
    self.isSaved = isSaved
  }
}

extension KnownNetworkDraft {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ssid)
    hasher.combine(security)
    hasher.combine(priority)
  }
}
