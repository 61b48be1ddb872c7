/// Other values for some fields of a known network; a field that is `nil` stays as it is.
public struct KnownNetworkEdit: Hashable, Sendable {
  /// Another name.
  public var ssid: SSID?
  /// Another security of the same family, such as WPA3 for WPA2; to be given with a password where that must be of
  /// another kind.
  public var security: JoinSecurity?
  /// Another password.
  public var password: Secret?
  /// Another priority.
  public var priority: Int?
  /// Whether the daemon is to join it by itself.
  public var joinsAutomatically: Bool?
  /// Whether the network hides its name.
  public var isHidden: Bool?

  /// Changes only what is given.
  public init(
    ssid: SSID? = nil, security: JoinSecurity? = nil, password: Secret? = nil, priority: Int? = nil, joinsAutomatically: Bool? = nil,
    isHidden: Bool? = nil
  ) {
    self.ssid = ssid
    self.security = security
    self.password = password
    self.priority = priority
    self.joinsAutomatically = joinsAutomatically
    self.isHidden = isHidden
  }

  /// Whether nothing changes.
  public var isEmpty: Bool { features.isEmpty }

  /// What a daemon must be able to change for it.
  public var features: [KnownNetworkFeature] {
    var features: [KnownNetworkFeature] = []
    if ssid != nil { features.append(.rename) }
    if security != nil { features.append(.security) }
    if password != nil { features.append(.password) }
    if priority != nil { features.append(.priority) }
    if joinsAutomatically != nil { features.append(.autoconnect) }
    if isHidden != nil { features.append(.hidden) }
    return features
  }

  /// What cannot work, whatever the profile has.
  var problem: KnownNetworkError? {
    if let ssid, ssid.isHidden { return .nameMissing }
    if let security, security == .enterprise || security == .wep { return .notSupported(security) }
    if let priority, !KnownNetwork.priorities.contains(priority) { return .priorityOutOfRange(priority) }
    return nil
  }

  /// What cannot work with a profile as it is.
  public func problem(with network: KnownNetwork) -> KnownNetworkError? {
    if let problem { return problem }
    let target = security ?? network.security
    if let security, !security.family.alike.contains(network.security.family) {
      return .securityFamily(network.security, security)
    }
    guard let password else { return nil }
    guard let use = target.use else { return target.needsPassword ? .notSupported(target) : .passwordNotTaken(target) }
    return password.problem(for: use).map { .impossiblePassword($0) }
  }
}

extension KnownNetworkEdit {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ssid)
    hasher.combine(security)
    hasher.combine(priority)
  }
}
