public import WiFi

/// What is to be joined, with what, and for how long to try.
public struct JoinRequest: Hashable, Sendable {
  /// How the network is secured, as far as joining is concerned; no session here joins `enterprise` and `wep`.
  public typealias Security = JoinSecurity

  /// How long each part may take.
  public struct Limits: Hashable, Sendable {
    /// The longest a daemon may take to answer a command.
    public var reply: Duration = .seconds(5)
    /// The longest from the request until the link can be used.
    public var join: Duration = .seconds(30)
    /// The longest from then until there is an address.
    public var address: Duration = .seconds(20)
    /// How often the daemon is asked whether it is alive, and what it does.
    public var heartbeat: Duration = .seconds(2)
    /// How many scans must miss the network before it is out of range.
    public var missedScans = 2
    /// How often an access point must refuse before the attempt ends, where one refusal proves nothing.
    public var refusals = 2

    /// Limits that suit a user who waits.
    public init() {}
  }

  /// The interface that is to join.
  public var interface: String
  /// The name of the network.
  public var ssid: SSID
  /// How it is secured.
  public var security: Security
  /// The password; `nil` joins with what the daemon knows.
  public var password: Secret?
  /// The BSS that is to be joined, and no other.
  public var bssid: MACAddress?
  /// Whether the network keeps its name to itself, so that it must be asked for.
  public var isHidden = false
  /// Whether the daemon is to remember the network.
  public var isKept = true
  /// Whether the join is complete only with an IPv4 address.
  ///
  /// NetworkManager and iwd with its own configuration always wait for one; wpa_supplicant never does by itself.
  public var needsAddress = false
  /// How long each part may take.
  public var limits = Limits()

  /// A request for a network of a name.
  public init(interface: String, ssid: SSID, security: Security, password: Secret? = nil) {
    self.interface = interface
    self.ssid = ssid
    self.security = security
    self.password = password
  }

  /// A request for a network as it was seen.
  public init(interface: String, network: Network, password: Secret? = nil) {
    self.init(interface: interface, ssid: network.ssid, security: Security(network.security), password: password)
  }

  /// What cannot work, whatever daemon and access point do; found before anything is sent.
  public var problem: JoinFailure.Reason? {
    if let problem = securityProblem { return problem }
    // A name of nothing is what a beacon has whose network hides it.
    return ssid.isHidden ? .notSupported("a network that hides its name, without that name") : nil
  }

  /// Why no access point that was heard can be the one that is asked for, where that explains a failure; `nil` where
  /// one can, or none of this name was heard.
  public func mismatch(heard: [BSSFacts]) -> JoinFailure.Reason? {
    let named = heard.filter { $0.ssid == ssid }
    if named.isEmpty { return nil }
    let wanted = named.filter { bssid == nil || $0.bss.bssid == bssid }
    if let bssid, wanted.isEmpty { return .accessPointNotHeard(bssid, heard: Set(named.map(\.bss.bssid)).sorted()) }
    if wanted.contains(where: { security.suits($0.security) }) { return nil }
    return .otherSecurity(announced: Set(wanted.map(\.security.summary)).sorted(), asked: security)
  }

  private var securityProblem: JoinFailure.Reason? {
    switch security {
    case .enterprise: return .notSupported("a network that asks for credentials of one's own (IEEE 802.1X)")
    case .wep: return .notSupported("a network secured with WEP")
    case .open, .owe: return nil
    case .psk, .sae, .pskOrSAE:
      guard let password, let use = security.use else { return nil }
      return password.problem(for: use).map { .impossiblePassword($0) }
    }
  }
}

extension Passphrase {
  /// Whether WPA2 takes a password, as a passphrase or as a key; SAE takes others, too.
  static func isForWPA2(_ password: [UInt8]) -> Bool { (try? check(password, for: .psk)) != nil }
}

extension JoinRequest: CustomStringConvertible {
  /// The network and the interface; never the password.
  public var description: String { "\(ssid) on \(interface)" }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(interface)
    hasher.combine(ssid)
    hasher.combine(security)
  }
}
