import DaemonProtocols
import WiFi

extension NetworkManagerProfile {
  /// What a program sent; `nil` where it is no dictionary of groups of properties.
  init?(sent value: DBusValue?) {
    guard case .array(_, let entries)? = value?.unwrapped else { return nil }
    for entry in entries {
      guard case .dictionaryEntry(.string, .array(_, let properties)) = entry else { return nil }
      for property in properties { guard case .dictionaryEntry(.string, .variant) = property else { return nil } }
    }
    self.init(.array(.dictionaryEntry(.string, .array(.dictionaryEntry(.string, .variant))), entries))
  }

  /// A profile of a network that a daemon knows; one of WEP or an enterprise is kept as an open one.
  init(_ draft: KnownNetworkDraft) {
    self.init(ssid: draft.ssid)
    if !draft.joinsAutomatically { self[Self.connection, "autoconnect"] = .boolean(false) }
    if draft.priority != 0 { self[Self.connection, "autoconnect-priority"] = .int32(Int32(clamping: draft.priority)) }
    if draft.isHidden { self[Self.wireless, "hidden"] = .boolean(true) }
    guard draft.security != .open, draft.security != .enterprise, draft.security != .wep else { return }
    setSecurity(draft.security)
    if let password = draft.password { setPassword(password) }
  }

  var isEmpty: Bool { settings.elements?.isEmpty ?? true }
  var password: String? { self[Self.wirelessSecurity, "psk"]?.text }
  var bssid: MACAddress? { self[Self.wireless, "bssid"]?.bytes.flatMap { $0.count == 6 ? MACAddress($0[...]) : nil } }

  /// As `GetSettings` gives them: without secrets, and with what NetworkManager fills in (measured with 1.42).
  var shown: DBusValue {
    var shown = self
    shown[Self.wirelessSecurity, "psk"] = nil
    if keyManagement == nil { shown.remove(Self.wirelessSecurity) }
    shown[Self.connection, "permissions"] = .array(.string, [])
    shown[Self.wireless, "mac-address-blacklist"] = .array(.string, [])
    if keyManagement != nil { shown[Self.wireless, "security"] = .string(Self.wirelessSecurity) }
    for group in ["ipv4", "ipv6"] where !shown.has(group) {
      shown[group, "dns-search"] = .array(.string, [])
      shown[group, "method"] = "auto"
    }
    if !shown.has("proxy") { shown.add("proxy") }
    return shown.settings
  }

  /// Why NetworkManager refuses such settings: the end of the error's name, and its sentence.
  var problem: (error: String, sentence: String)? {
    guard ssid != nil else { return ("MissingProperty", "802-11-wireless.ssid: property is missing") }
    if let password, keyManagement == "wpa-psk", !(8...64).contains(password.utf8.count) {
      return ("InvalidProperty", "802-11-wireless-security.psk: property is invalid")
    }
    guard -999...999 ~= priority else {
      return (
        "InvalidProperty",
        "connection.autoconnect-priority: failed to set property: connection.autoconnect-priority: value of type 'i' is invalid or out of range for property 'autoconnect-priority'"
      )
    }
    return nil
  }
}
