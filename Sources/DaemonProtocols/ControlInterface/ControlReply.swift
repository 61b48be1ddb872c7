public import WiFi

/// One datagram from wpa_supplicant: a reply to the last command, or an event.
public enum ControlMessage: Hashable, Sendable {
  /// The answer to a command.
  case reply(ControlReply)
  /// What happened.
  case event(ControlEvent)

  /// Parses a datagram; every one parses.
  ///
  /// An event begins with its level in angle brackets, as `wpa_cli` distinguishes them.
  public init(_ bytes: [UInt8]) {
    if let event = ControlEvent(bytes) { self = .event(event) } else { self = .reply(ControlReply(bytes)) }
  }

  /// The datagram.
  public var encoded: [UInt8] {
    switch self {
    case .reply(let reply): reply.encoded
    case .event(let event): event.encoded
    }
  }
}

/// The answer to a ``ControlCommand``; parse then encode is identity.
public enum ControlReply: Hashable, Sendable {
  /// `OK`: done.
  case ok
  /// `PONG`.
  case pong
  /// `FAIL`, or `FAIL-BUSY` and the like with what stands behind the dash.
  case fail(String?)
  /// `UNKNOWN COMMAND`.
  case unknownCommand
  /// Anything else: the content of an answer.
  case text([UInt8])

  /// Parses a datagram.
  public init(_ bytes: [UInt8]) {
    switch String(validating: bytes, as: UTF8.self) {
    case "OK\n": self = .ok
    case "PONG\n": self = .pong
    case "FAIL\n": self = .fail(nil)
    case "UNKNOWN COMMAND\n": self = .unknownCommand
    case let text?:
      let reason = text.utf8.dropFirst(5).dropLast()
      self = text.hasPrefix("FAIL-") && bytes.last == 0x0A && !reason.contains(0x0A) ? .fail(String(reason)) : .text(bytes)
    case nil: self = .text(bytes)
    }
  }

  /// The datagram.
  public var encoded: [UInt8] {
    switch self {
    case .ok: Array("OK\n".utf8)
    case .pong: Array("PONG\n".utf8)
    case .fail(nil): Array("FAIL\n".utf8)
    case .fail(let reason?): Array("FAIL-\(reason)\n".utf8)
    case .unknownCommand: Array("UNKNOWN COMMAND\n".utf8)
    case .text(let bytes): bytes
    }
  }

  /// The number that `ADD_NETWORK` answers with.
  public var number: Int? {
    guard case .text(let bytes) = self, bytes.last == 0x0A else { return nil }
    let digits = bytes.dropLast()
    guard !digits.isEmpty, digits.count < 10, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}

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

/// One network of wpa_supplicant's configuration, as `LIST_NETWORKS` has it.
public struct ControlNetwork: Hashable, Sendable {
  /// Its number, until the daemon ends.
  public var id: Int
  /// Its name.
  public var ssid: SSID
  /// The BSS that it is bound to.
  public var bssid: MACAddress?
  /// What stands in brackets, such as `CURRENT`, `DISABLED`, `TEMP-DISABLED`.
  public var flags: [String]

  /// Makes a network from its parts.
  public init(id: Int, ssid: SSID, bssid: MACAddress? = nil, flags: [String] = []) {
    self.id = id
    self.ssid = ssid
    self.bssid = bssid
    self.flags = flags
  }

  /// Whether it is the one in use.
  public var isCurrent: Bool { flags.contains("CURRENT") }
  /// Whether it is not to be joined.
  public var isDisabled: Bool { flags.contains("DISABLED") }

  private static let header = Array("network id / ssid / bssid / flags\n".utf8)

  /// Parses the answer to `LIST_NETWORKS`.
  ///
  /// - Throws: ``/WiFi/WireError`` at the line that is no network.
  public static func list(_ bytes: [UInt8]) throws(WireError) -> [ControlNetwork] {
    guard bytes.starts(with: header) else { throw WireError(offset: 0, reason: .invalid("no list of networks")) }
    var networks: [ControlNetwork] = []
    var start = header.count
    while start < bytes.count {
      guard let end = bytes[start...].firstIndex(of: 0x0A) else {
        throw WireError(offset: bytes.count, reason: .invalid("line without end"))
      }
      networks.append(try network(bytes[start..<end]))
      start = end + 1
    }
    return networks
  }

  private static func network(_ line: ArraySlice<UInt8>) throws(WireError) -> ControlNetwork {
    func invalid(_ what: String) -> WireError { WireError(offset: line.startIndex, reason: .invalid(what)) }
    let parts = line.split(separator: 0x09, omittingEmptySubsequences: false)
    guard parts.count == 4 else { throw invalid("line of \(parts.count) fields instead of 4") }
    let text = parts.map { String(decoding: $0, as: UTF8.self) }
    guard let id = Int(text[0]), String(id) == text[0] else { throw invalid("network without number") }
    let bytes: [UInt8]
    do { bytes = try ControlText.unescape(parts[1]) } catch {
      throw WireError(offset: parts[1].startIndex + error.offset, reason: error.reason)
    }
    guard let ssid = SSID(bytes) else { throw invalid("name of \(bytes.count) bytes") }
    let bssid = text[2] == "any" ? nil : MACAddress(text[2])
    guard text[2] == "any" || bssid != nil else { throw invalid("no address of a BSS") }
    var flags: [String] = []
    var rest = text[3][...]
    while let first = rest.first {
      guard first == "[", let close = rest.firstIndex(of: "]") else { throw invalid("flags without brackets") }
      flags.append(String(rest[rest.index(after: rest.startIndex)..<close]))
      rest = rest[rest.index(after: close)...]
    }
    return ControlNetwork(id: id, ssid: ssid, bssid: bssid, flags: flags)
  }

  /// The answer to `LIST_NETWORKS`.
  public static func encode(_ networks: [ControlNetwork]) -> [UInt8] {
    networks.reduce(header) { bytes, network in
      let bssid = network.bssid?.description ?? "any"
      let flags = network.flags.map { "[\($0)]" }.joined()
      return bytes + Array("\(network.id)\t\(ControlText.escape(network.ssid.bytes))\t\(bssid)\t\(flags)\n".utf8)
    }
  }
}
