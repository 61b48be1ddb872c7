import DaemonProtocols
import WiFi

/// A profile of NetworkManager's list.
struct ListedProfile: Hashable, Sendable {
  var path: DBusObjectPath
  var profile: NetworkManagerProfile
}

extension NetworkManagerProfile {
  /// Flags of `Update2` and `AddConnection2`.
  enum UpdateFlag {
    /// Keeps the profile where it is kept, on disk or in memory (measured with 1.42).
    static let keep = DBusValue.uint32(0)
    static let toDisk = DBusValue.uint32(1)
  }

  /// Whether the flags of a profile say that it goes by itself: generated, volatile or external
  /// (`NMSettingsConnectionFlags`).
  ///
  /// NetworkManager or another program made it for a connection of its own then.
  static func isPassing(_ flags: DBusValue?) -> Bool { (flags?.integer ?? 0) & (2 | 4 | 8) != 0 }

  /// A profile of a network, with nothing that is not asked for.
  init(ssid: SSID, security: JoinSecurity, password: Secret?) {
    self.init(ssid: ssid)
    setSecurity(security)
    if let password { setPassword(password) }
  }

  /// Whether it is a profile of a wireless network that this computer joins.
  var isWireless: Bool {
    self[Self.connection, "type"]?.text == Self.wireless && ["infrastructure", nil].contains(self[Self.wireless, "mode"]?.text)
  }

  /// The interface that it is bound to.
  var interface: String? { self[Self.connection, "interface-name"]?.text.flatMap { $0.isEmpty ? nil : $0 } }

  var uuid: String? { self[Self.connection, "uuid"]?.text }

  /// What it says of its network; `nil` where it has no UUID or no name.
  func network(isJoined: Bool) -> KnownNetwork? {
    guard let uuid, let ssid else { return nil }
    return KnownNetwork(
      id: .init(key: uuid, ssid: ssid), security: security, priority: Int(priority), joinsAutomatically: isAutomatic, isHidden: isHidden,
      isJoined: isJoined)
  }

  /// Whether a request that gives no password can be answered by activating it: it is of the network's name and of the
  /// kind of security that is wanted, and may be used on the interface.
  func suits(_ request: JoinRequest) -> Bool {
    isWireless && self[Self.wireless, "ssid"]?.bytes == request.ssid.bytes && security.family == request.security.family
      && [nil, request.interface].contains(interface)
  }

  private var security: JoinSecurity {
    switch keyManagement {
    case nil: .open
    case "none": .wep
    case "owe": .owe
    case "sae": .sae
    // The supplicant uses SAE with such a profile, too, where the access point has both.
    case "wpa-psk": .psk
    default: .enterprise
    }
  }

  /// A profile of what a request asks for, with nothing else, for its interface.
  init(for request: JoinRequest) {
    self.init(ssid: request.ssid)
    self[Self.connection, "interface-name"] = .string(request.interface)
    if request.isHidden { self[Self.wireless, "hidden"] = .boolean(true) }
    if let bssid = request.bssid { self[Self.wireless, "bssid"] = .bytes(bssid.bytes) }
    setSecurity(request.security)
    if let password = request.password { setPassword(password, for: request.security) }
  }

  /// Sets a password; only a profile for SAE takes what is no passphrase of WPA2.
  private mutating func setPassword(_ password: Secret, for security: JoinSecurity) {
    let isPassphrase = password.withBytes { bytes in
      Passphrase.isForWPA2(bytes) && (security != .sae || bytes.count <= Passphrase.maximumLength)
    }
    if security == .sae || security == .pskOrSAE, !isPassphrase { setSecurity(.sae) }
    setPassword(password)
  }

  /// Whether a join that succeeds makes another profile of the same network out of date: it suits the request and is
  /// bound to the same BSS.
  func isNamesake(of request: JoinRequest) -> Bool {
    suits(request) && self[Self.wireless, "bssid"]?.bytes ?? [] == request.bssid?.bytes ?? []
  }

  /// The order in which NetworkManager prefers profiles: by priority, then by when they were used last.
  var rank: (priority: Int64, used: Int64) {
    (priority, self[Self.connection, "timestamp"]?.integer ?? 0)
  }

  /// Takes over what has proved right in a request, and leaves everything else as its user set it.
  mutating func adapt(to request: JoinRequest) {
    if request.isHidden { self[Self.wireless, "hidden"] = .boolean(true) }
    guard let password = request.password else { return }
    // Only a profile for WPA2 joins WPA2.
    if request.security == .psk { setSecurity(.psk) }
    setPassword(password, for: request.security)
  }

  /// The profile of an attempt to join with other credentials: a copy for one interface, which any user may see.
  func attempt(_ request: JoinRequest) -> NetworkManagerProfile {
    var copy = copy(KnownNetworkEdit(ssid: request.ssid))
    copy[Self.connection, "permissions"] = nil
    copy[Self.connection, "interface-name"] = .string(request.interface)
    copy.adapt(to: request)
    return copy
  }

  /// The profile of a copy: the daemon gives it a UUID of its own.
  func copy(_ edit: KnownNetworkEdit) -> NetworkManagerProfile {
    var copy = self
    copy[Self.connection, "uuid"] = nil
    copy[Self.connection, "timestamp"] = nil
    copy[Self.wireless, "seen-bssids"] = nil
    let name = self[Self.connection, "id"]?.text ?? ""
    copy[Self.connection, "id"] = .string(edit.ssid.map(\.description) ?? "\(name) (copy)")
    copy.apply(edit)
    return copy
  }
}
