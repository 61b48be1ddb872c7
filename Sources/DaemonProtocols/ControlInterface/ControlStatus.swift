public import WiFi

/// The answer to `STATUS`, `SIGNAL_POLL` and the like: a line for each field.
public struct ControlStatus: Hashable, Sendable {
  /// The fields in order; the values as they stand there, text of the network's with escapes.
  public var fields: [Field]

  /// One line.
  public struct Field: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Makes a field from its parts.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Makes an answer from its fields.
  public init(_ fields: [Field]) { self.fields = fields }

  /// Parses an answer.
  ///
  /// - Throws: ``/WiFi/WireError`` at a line without `=`, at the end of a last line that is cut off, or where it is not
  ///   UTF-8.
  public init(_ bytes: [UInt8]) throws(WireError) {
    fields = []
    var start = 0
    while start < bytes.count {
      guard let end = bytes[start...].firstIndex(of: 0x0A) else {
        throw WireError(offset: bytes.count, reason: .invalid("line without end"))
      }
      let line = bytes[start..<end]
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
        throw WireError(offset: start, reason: .invalid("line without ="))
      }
      guard let name = String(validating: line[..<equals], as: UTF8.self),
        let value = String(validating: line[(equals + 1)...], as: UTF8.self)
      else { throw WireError(offset: start, reason: .invalid("line that is not UTF-8")) }
      fields.append(Field(name, value))
      start = end + 1
    }
  }

  /// The datagram.
  public var encoded: [UInt8] { Array(fields.map { "\($0.name)=\($0.value)\n" }.joined().utf8) }

  /// The value of a field.
  public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The state of the interface (`wpa_state`), such as `COMPLETED` or `INTERFACE_DISABLED`.
  public var state: String? { self["wpa_state"] }
  /// The number of the network that is in use.
  public var networkID: Int? { self["id"].flatMap { Int($0) } }
  /// The BSS that is in use.
  public var bssid: MACAddress? { self["bssid"].flatMap { MACAddress($0) } }
  /// The name of the network that is in use.
  public var ssid: SSID? { self["ssid"].flatMap { try? ControlText.unescape($0.utf8) }.flatMap { SSID($0) } }
  /// The IPv4 address of the interface.
  public var address: String? { self["ip_address"] }
}
