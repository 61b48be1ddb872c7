package import WiFi

/// A profile of NetworkManager (`a{sa{sv}}`, `nm-settings-dbus(5)`), read and changed in place.
///
/// What is not known here is kept as it came, so that writing a profile back changes nothing but what was asked for.
package struct NetworkManagerProfile: Hashable, Sendable {
  package static let connection = "connection"
  package static let wireless = "802-11-wireless"
  package static let wirelessSecurity = "802-11-wireless-security"

  private static let properties = DBusType.dictionaryEntry(.string, .variant)

  package private(set) var settings: DBusValue

  /// A profile as it was sent.
  package init(_ settings: DBusValue) { self.settings = settings.unwrapped }

  /// A profile of a network, with nothing that is not asked for.
  package init(ssid: SSID) {
    settings = .array(.dictionaryEntry(.string, .array(Self.properties)), [])
    self[Self.connection, "type"] = .string(Self.wireless)
    self[Self.connection, "id"] = .string(ssid.description)
    self[Self.wireless, "ssid"] = .bytes(ssid.bytes)
    self[Self.wireless, "mode"] = "infrastructure"
  }

  /// A property of a group; writing `nil` removes it, and a new group or property comes last.
  package subscript(group: String, key: String) -> DBusValue? {
    get { settings[group]?[key]?.unwrapped }
    set {
      guard case .array(let type, var groups) = settings else { return }
      let place = groups.firstIndex { $0.isEntry(group) }
      var entries: [DBusValue] = []
      if let place, case .dictionaryEntry(_, let content) = groups[place] { entries = content.elements ?? [] }
      let index = entries.firstIndex { $0.isEntry(key) }
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

  /// Whether it has a group, with properties or not.
  package func has(_ group: String) -> Bool { settings[group] != nil }

  /// Adds a group without properties at the end.
  package mutating func add(_ group: String) {
    guard case .array(let type, let groups) = settings else { return }
    settings = .array(type, groups + [.dictionaryEntry(.string(group), .array(Self.properties, []))])
  }

  /// Removes a group with all its properties.
  package mutating func remove(_ group: String) {
    guard case .array(let type, let groups) = settings else { return }
    settings = .array(type, groups.filter { !$0.isEntry(group) })
  }

  package var ssid: SSID? { self[Self.wireless, "ssid"]?.bytes.flatMap { SSID($0) } }
  package var keyManagement: String? { self[Self.wirelessSecurity, "key-mgmt"]?.text }
  package var priority: Int64 { self[Self.connection, "autoconnect-priority"]?.integer ?? 0 }
  package var isAutomatic: Bool { self[Self.connection, "autoconnect"]?.truth ?? true }
  package var isHidden: Bool { self[Self.wireless, "hidden"]?.truth ?? false }

  /// Sets a password that NetworkManager is to keep itself: there may be no agent that it could ask for it.
  package mutating func setPassword(_ password: Secret) {
    self[Self.wirelessSecurity, "psk"] = .string(password.withBytes { String(decoding: $0, as: UTF8.self) })
    self[Self.wirelessSecurity, "psk-flags"] = nil
  }

  /// Changes what an edit asks for, and nothing else.
  package mutating func apply(_ edit: KnownNetworkEdit) {
    if let ssid = edit.ssid { self[Self.wireless, "ssid"] = .bytes(ssid.bytes) }
    if let security = edit.security { setSecurity(security) }
    if let password = edit.password { setPassword(password) }
    if let priority = edit.priority { self[Self.connection, "autoconnect-priority"] = .int32(Int32(clamping: priority)) }
    if let joins = edit.joinsAutomatically { self[Self.connection, "autoconnect"] = .boolean(joins) }
    if let isHidden = edit.isHidden { self[Self.wireless, "hidden"] = .boolean(isHidden) }
  }

  /// - Precondition: the kind of security is one that a password, or none, is enough for.
  package mutating func setSecurity(_ security: JoinSecurity) {
    switch security {
    case .open:
      remove(Self.wirelessSecurity)
      self[Self.wireless, "security"] = nil
    case .owe: self[Self.wirelessSecurity, "key-mgmt"] = "owe"
    case .sae: self[Self.wirelessSecurity, "key-mgmt"] = "sae"
    case .psk, .pskOrSAE: self[Self.wirelessSecurity, "key-mgmt"] = "wpa-psk"
    case .enterprise, .wep: preconditionFailure("NetworkManagerProfile: \(security) was refused before")
    }
  }
}

extension DBusValue {
  /// Whether it is an entry of a dictionary with this key.
  fileprivate func isEntry(_ key: String) -> Bool { if case .dictionaryEntry(let own, _) = self { own.text == key } else { false } }
}
