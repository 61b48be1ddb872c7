public import WiFi

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
