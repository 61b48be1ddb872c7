public import WiFi

/// What is drawn of a known network in a list.
public struct KnownNetworkRow: Hashable, Sendable, Identifiable {
  /// The identity of the profile.
  public var id: KnownNetwork.ID
  /// The name of the network, safe on a terminal.
  public var name: String
  /// How the network is secured.
  public var security: JoinSecurity
  /// The higher is joined first; `nil` where the daemon has no priorities.
  public var priority: Int?
  /// Whether the daemon joins it by itself.
  public var joinsAutomatically: Bool
  /// Whether the network hides its name.
  public var isHidden: Bool
  /// Whether it is joined now.
  public var isJoined: Bool
  /// Whether it is among the found networks.
  public var isInRange: Bool

  /// The row of a known network.
  public init(_ network: KnownNetwork, isInRange: Bool) {
    id = network.id
    name = network.ssid.description
    security = network.security
    priority = network.priority
    joinsAutomatically = network.joinsAutomatically
    isHidden = network.isHidden
    isJoined = network.isJoined
    self.isInRange = isInRange
  }

  /// Orders rows: the joined one, then those in range, then by priority, name and key.
  static func isBefore(_ left: Self, _ right: Self) -> Bool {
    if left.isJoined != right.isJoined { return left.isJoined }
    if left.isInRange != right.isInRange { return left.isInRange }
    let (first, second) = (left.priority ?? 0, right.priority ?? 0)
    return first == second ? left.id < right.id : first > second
  }
}

extension KnownNetworkRow: CustomStringConvertible {
  /// Such as `Home: WPA2-Personal, priority 3, joined automatically, in range`.
  public var description: String {
    var network = KnownNetwork(
      id: id, security: security, priority: priority, joinsAutomatically: joinsAutomatically, isHidden: isHidden, isJoined: isJoined)
    network.isInRange = isInRange
    return network.description
  }
}
