/// A network that a daemon knows: its profile, without the password.
public struct KnownNetwork: Hashable, Sendable, Identifiable {
  /// What makes a profile the same profile: the daemon's own key, and the name of the network.
  ///
  /// The name is part of it because keys are reused: wpa_supplicant renumbers its networks when it starts.
  public struct ID: Hashable, Sendable {
    /// The daemon's own: a number (wpa_supplicant), a UUID (NetworkManager), an object path (iwd).
    public var key: String
    /// The name of the network.
    public var ssid: SSID

    /// Makes an identity from its parts.
    public init(key: String, ssid: SSID) {
      self.key = key
      self.ssid = ssid
    }
  }

  /// The priorities that every daemon with priorities takes.
  public static let priorities = -999...999

  /// What makes it the same profile.
  public var id: ID
  /// How the network is secured.
  public var security: JoinSecurity
  /// The higher is joined first where several are in range; `nil` where the daemon has no priorities.
  public var priority: Int?
  /// Whether the daemon joins it by itself.
  public var joinsAutomatically: Bool
  /// Whether the network hides its name, so that it is asked for by name.
  public var isHidden: Bool
  /// Whether it is the network that is joined now.
  public var isJoined: Bool
  /// Whether it was heard; `nil` where no scan looked for it.
  public var isInRange: Bool?

  /// Makes a known network from its parts.
  public init(
    id: ID, security: JoinSecurity, priority: Int? = 0, joinsAutomatically: Bool = true, isHidden: Bool = false, isJoined: Bool = false,
    isInRange: Bool? = nil
  ) {
    self.id = id
    self.security = security
    self.priority = priority
    self.joinsAutomatically = joinsAutomatically
    self.isHidden = isHidden
    self.isJoined = isJoined
    self.isInRange = isInRange
  }

  /// The name of the network.
  public var ssid: SSID { id.ssid }

  /// Whether a network that was heard is the one that this profile is for.
  ///
  /// The names are equal, and the families of security are alike.
  public func suits(_ network: Network) -> Bool {
    network.isSSIDKnown && network.ssid == ssid && security.family.alike.contains(network.security.family)
  }
}

extension KnownNetwork.ID: Comparable {
  /// Orders by name, then by key.
  public static func < (left: Self, right: Self) -> Bool { (left.ssid, left.key) < (right.ssid, right.key) }
}

extension KnownNetwork.ID: CustomStringConvertible {
  /// Such as `Home (3)`; safe to print.
  public var description: String { "\(ssid) (\(PrintableText.escape(key)))" }
}

extension KnownNetwork: CustomStringConvertible {
  /// Such as `Home: WPA2-Personal, priority 3, joined automatically, in range`.
  public var description: String {
    var text = "\(ssid.isHidden ? "(hidden)" : ssid.description): \(security)"
    if let priority, priority != 0 { text += ", priority \(priority)" }
    text += joinsAutomatically ? ", joined automatically" : ", joined by hand"
    if isHidden { text += ", hidden" }
    if isJoined { text += ", joined" } else if let isInRange { text += isInRange ? ", in range" : ", out of range" }
    return text
  }
}

/// What a daemon can do with the networks that it knows.
public enum KnownNetworkFeature: String, Hashable, Sendable, CaseIterable {
  case add, duplicate, rename, security, password, priority, autoconnect, hidden, forget
}

extension JoinDaemon {
  /// What this daemon lets a program do with the networks that it knows.
  ///
  /// iwd 2.3 has one profile for each name, makes it by joining, and lets a program change `AutoConnect` alone
  /// (`doc/known-network-api.txt`).
  public var knownNetworkFeatures: Set<KnownNetworkFeature> {
    switch self {
    case .supplicant, .networkManager: Set(KnownNetworkFeature.allCases)
    case .iwd: [.autoconnect, .forget]
    }
  }
}
