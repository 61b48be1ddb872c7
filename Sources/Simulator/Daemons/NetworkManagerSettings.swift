import DaemonProtocols
import WiFi

/// The settings of a simulated NetworkManager's profile: groups of properties, in order (`a{sa{sv}}`).
struct NetworkManagerSettings {
  private struct Group {
    var name: String
    var properties: [(name: String, value: DBusValue)]
  }

  private var groups: [Group] = []

  /// Reads what a program sent; `nil` where it is no such dictionary.
  init?(_ value: DBusValue?) {
    guard case .array(_, let entries)? = value?.unwrapped else { return nil }
    for entry in entries {
      guard case .dictionaryEntry(.string(let name), .array(_, let properties)) = entry else { return nil }
      var group = Group(name: name, properties: [])
      for property in properties {
        guard case .dictionaryEntry(.string(let key), .variant(let content)) = property else { return nil }
        group.properties.append((key, content))
      }
      groups.append(group)
    }
  }

  var isEmpty: Bool { groups.isEmpty }

  subscript(group: String, key: String) -> DBusValue? {
    get { groups.first { $0.name == group }?.properties.last { $0.name == key }?.value }
    set {
      if !groups.contains(where: { $0.name == group }) { groups.append(Group(name: group, properties: [])) }
      guard let place = groups.firstIndex(where: { $0.name == group }) else { return }
      groups[place].properties.removeAll { $0.name == key }
      if let newValue { groups[place].properties.append((key, newValue)) }
    }
  }

  func has(_ group: String) -> Bool { groups.contains { $0.name == group } }

  var ssid: SSID? { self["802-11-wireless", "ssid"]?.bytes.flatMap { SSID($0) } }
  var keyManagement: String? { self["802-11-wireless-security", "key-mgmt"]?.text }
  var password: String? { self["802-11-wireless-security", "psk"]?.text }
  var isAutomatic: Bool { self["connection", "autoconnect"]?.truth ?? true }
  var priority: Int64 { self["connection", "autoconnect-priority"]?.integer ?? 0 }
  var bssid: MACAddress? { self["802-11-wireless", "bssid"]?.bytes.flatMap { $0.count == 6 ? MACAddress($0[...]) : nil } }

  /// As `GetSettings` gives them: without secrets, and with what NetworkManager fills in (measured with 1.42).
  var shown: DBusValue {
    var shown = self
    shown["802-11-wireless-security", "psk"] = nil
    if keyManagement == nil { shown.groups.removeAll { $0.name == "802-11-wireless-security" } }
    shown["connection", "permissions"] = .array(.string, [])
    shown["802-11-wireless", "mac-address-blacklist"] = .array(.string, [])
    if keyManagement != nil { shown["802-11-wireless", "security"] = "802-11-wireless-security" }
    for group in ["ipv4", "ipv6"] where !shown.has(group) {
      shown[group, "dns-search"] = .array(.string, [])
      shown[group, "method"] = "auto"
    }
    if !shown.has("proxy") { shown.groups.append(Group(name: "proxy", properties: [])) }
    return shown.value
  }

  private var value: DBusValue {
    .array(
      .dictionaryEntry(.string, .array(.dictionaryEntry(.string, .variant))),
      groups.map { .dictionaryEntry(.string($0.name), .dictionary($0.properties.map { ($0.name, $0.value) })) })
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
