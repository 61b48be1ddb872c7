import DaemonProtocols
import WiFi

/// A profile of NetworkManager (`a{sa{sv}}`, `nm-settings-dbus(5)`), read and changed in place.
///
/// What is not known here is kept as it came, so that writing a profile back changes nothing but what was asked for.
struct NetworkManagerProfile: Hashable, Sendable {
  static let connection = "connection"
  static let wireless = "802-11-wireless"
  static let wirelessSecurity = "802-11-wireless-security"

  private static let properties = DBusType.dictionaryEntry(.string, .variant)

  /// Flags of a profile (`NMSettingsConnectionFlags`).
  enum Flag {
    static let generated: Int64 = 2
    static let volatile: Int64 = 4
    static let external: Int64 = 8
    /// Any of those that a profile has which goes by itself.
    static let passing = generated | volatile | external
  }

  private(set) var settings: DBusValue

  /// A profile as the daemon sent it.
  init(_ settings: DBusValue) { self.settings = settings.unwrapped }

  /// A profile of a network, with nothing that is not asked for.
  init(ssid: SSID, security: JoinSecurity, password: Secret?) {
    settings = .array(.dictionaryEntry(.string, .array(Self.properties)), [])
    self[Self.connection, "type"] = .string(Self.wireless)
    self[Self.connection, "id"] = .string(ssid.description)
    self[Self.wireless, "ssid"] = .bytes(ssid.bytes)
    self[Self.wireless, "mode"] = "infrastructure"
    setSecurity(security)
    if let password { setPassword(password) }
  }

  /// A property of a group; writing `nil` removes it, and a new group or property comes last.
  subscript(group: String, key: String) -> DBusValue? {
    get { settings[group]?[key]?.unwrapped }
    set {
      guard case .array(let type, var groups) = settings else { return }
      let place = groups.firstIndex { if case .dictionaryEntry(let name, _) = $0 { name.text == group } else { false } }
      var entries: [DBusValue] = []
      if let place, case .dictionaryEntry(_, let content) = groups[place] { entries = content.elements ?? [] }
      let index = entries.firstIndex { if case .dictionaryEntry(let name, _) = $0 { name.text == key } else { false } }
      if let newValue {
        let entry = DBusValue.dictionaryEntry(.string(key), .variant(newValue))
        if let index { entries[index] = entry } else { entries.append(entry) }
      } else {
        guard let index else { return }
        entries.remove(at: index)
      }
      let changed = DBusValue.dictionaryEntry(.string(group), .array(Self.properties, entries))
      if let place { groups[place] = changed } else { groups.append(changed) }
      settings = .array(type, groups)
    }
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
    guard let uuid, let bytes = self[Self.wireless, "ssid"]?.bytes, let ssid = SSID(bytes) else { return nil }
    return KnownNetwork(
      id: .init(key: uuid, ssid: ssid), security: security,
      priority: Int(self[Self.connection, "autoconnect-priority"]?.integer ?? 0),
      joinsAutomatically: self[Self.connection, "autoconnect"]?.truth ?? true, isHidden: isHidden,
      isJoined: isJoined)
  }

  /// Whether a request that gives no password can be answered by activating it: it is of the network's name and of the
  /// kind of security that is wanted, and may be used on the interface.
  func suits(_ request: JoinRequest) -> Bool {
    isWireless && self[Self.wireless, "ssid"]?.bytes == request.ssid.bytes && security.family == request.security.family
      && [nil, request.interface].contains(interface)
  }

  private var security: JoinSecurity {
    switch self[Self.wirelessSecurity, "key-mgmt"]?.text {
    case nil: .open
    case "none": .wep
    case "owe": .owe
    case "sae": .sae
    // The supplicant uses SAE with such a profile, too, where the access point has both.
    case "wpa-psk": .psk
    default: .enterprise
    }
  }

  mutating func setSecurity(_ security: JoinSecurity) {
    switch security {
    case .open:
      guard case .array(let type, let groups) = settings else { return }
      settings = .array(
        type, groups.filter { if case .dictionaryEntry(let name, _) = $0 { name.text != Self.wirelessSecurity } else { true } })
      self[Self.wireless, "security"] = nil
    case .owe: self[Self.wirelessSecurity, "key-mgmt"] = "owe"
    case .sae: self[Self.wirelessSecurity, "key-mgmt"] = "sae"
    case .psk, .pskOrSAE: self[Self.wirelessSecurity, "key-mgmt"] = "wpa-psk"
    case .enterprise, .wep: preconditionFailure("NetworkManagerProfile: \(security) was refused before")
    }
  }

  mutating func setPassword(_ password: Secret) {
    self[Self.wirelessSecurity, "psk"] = .string(password.withBytes { String(decoding: $0, as: UTF8.self) })
  }

  /// A profile of what a request asks for, with nothing else, for its interface.
  init(for request: JoinRequest) {
    settings = .array(.dictionaryEntry(.string, .array(Self.properties)), [])
    self[Self.connection, "type"] = .string(Self.wireless)
    self[Self.connection, "id"] = .string(request.ssid.description)
    self[Self.connection, "interface-name"] = .string(request.interface)
    self[Self.wireless, "ssid"] = .bytes(request.ssid.bytes)
    self[Self.wireless, "mode"] = "infrastructure"
    if request.isHidden { self[Self.wireless, "hidden"] = .boolean(true) }
    if let bssid = request.bssid { self[Self.wireless, "bssid"] = .bytes(bssid.bytes) }
    setSecurity(request.security)
    if let password = request.password { setPassword(password) }
  }

  /// Whether a join that succeeds makes another profile of the same network out of date: it suits the request and is
  /// bound to the same BSS.
  func isNamesake(of request: JoinRequest) -> Bool {
    suits(request) && self[Self.wireless, "bssid"]?.bytes ?? [] == request.bssid?.bytes ?? []
  }

  /// The order in which NetworkManager prefers profiles: by priority, then by when they were used last.
  var rank: (priority: Int64, used: Int64) {
    (self[Self.connection, "autoconnect-priority"]?.integer ?? 0, self[Self.connection, "timestamp"]?.integer ?? 0)
  }

  var isHidden: Bool { self[Self.wireless, "hidden"]?.truth ?? false }

  /// Takes over what has proved right in a request, and leaves everything else as its user set it.
  mutating func adapt(to request: JoinRequest) {
    if request.isHidden { self[Self.wireless, "hidden"] = .boolean(true) }
    guard let password = request.password else { return }
    switch request.security {
    // Only a profile for SAE takes what is no passphrase, and only one for WPA2 joins WPA2.
    case .sae:
      let isPassphrase = password.withBytes { Passphrase.minimumLength...Passphrase.maximumLength ~= $0.count }
      if !isPassphrase { setSecurity(.sae) }
    case .psk: setSecurity(.psk)
    case .open, .owe, .pskOrSAE, .enterprise, .wep: break
    }
    setPassword(password)
    // NetworkManager is to have it itself: there may be no agent to be asked for it.
    self[Self.wirelessSecurity, "psk-flags"] = nil
  }

  /// The profile of an attempt to join with other credentials: a copy for one interface, which any user may see.
  func attempt(_ request: JoinRequest) -> NetworkManagerProfile {
    var copy = copy(KnownNetworkEdit(ssid: request.ssid))
    copy[Self.connection, "permissions"] = nil
    copy[Self.connection, "interface-name"] = .string(request.interface)
    copy.adapt(to: request)
    return copy
  }

  /// Changes what an edit asks for, and nothing else.
  mutating func apply(_ edit: KnownNetworkEdit) {
    if let ssid = edit.ssid { self[Self.wireless, "ssid"] = .bytes(ssid.bytes) }
    if let security = edit.security { setSecurity(security) }
    if let password = edit.password { setPassword(password) }
    if let priority = edit.priority { self[Self.connection, "autoconnect-priority"] = .int32(Int32(clamping: priority)) }
    if let joins = edit.joinsAutomatically { self[Self.connection, "autoconnect"] = .boolean(joins) }
    if let isHidden = edit.isHidden { self[Self.wireless, "hidden"] = .boolean(isHidden) }
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
