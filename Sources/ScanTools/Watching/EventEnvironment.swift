import WiFi

extension ChangeReport {
  /// The event as variables of the environment of a program.
  ///
  /// All are UTF-8 without a control character: a name is escaped as everywhere (``/WiFi/SSID/description``), its bytes
  /// stand beside it in hexadecimal. What is not known is an empty text.
  public var environment: [(name: String, value: String)] {
    let network = change.network
    let strongest = network.members.first
    return [
      ("WIFI_HARNESS_EVENT", event),
      ("WIFI_HARNESS_TIME", utc?.iso8601 ?? ""),
      ("WIFI_HARNESS_SSID", network.ssid.isHidden ? "" : network.ssid.description),
      ("WIFI_HARNESS_SSID_HEX", network.ssid.isHidden ? "" : Hex.string(network.ssid.bytes)),
      ("WIFI_HARNESS_BSSID", strongest?.bssid.description ?? ""),
      ("WIFI_HARNESS_BSSIDS", network.members.map(\.bssid.description).joined(separator: " ")),
      ("WIFI_HARNESS_SECURITY", network.security.summary),
      ("WIFI_HARNESS_SIGNAL_DBM", network.signalMBm.map { Decimal.hundredths(Int($0)) } ?? ""),
      ("WIFI_HARNESS_CHANNEL", strongest?.channel.number.map(String.init) ?? ""),
      ("WIFI_HARNESS_BANDS", network.bands.map(\.rawValue).joined(separator: " ")),
      ("WIFI_HARNESS_CHANGES", changes.map(\.field.rawValue).joined(separator: " ")),
    ]
  }
}
