public import WiFi

/// The identity of a network as text that means the same to the page and back.
///
/// `n:` with the name in hexadecimal and the number of its family of security, or `b:` with an address.
public struct PageKey: Hashable, Sendable {
  /// The network.
  public let id: NetworkID

  /// The key of a network.
  public init(_ id: NetworkID) { self.id = id }

  /// The network that a text names, or `nil` where it is none.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "b":
      guard let address = MACAddress(parts[1]) else { return nil }
      id = .bss(address)
    case "n":
      let names = parts[1].split(separator: ":", omittingEmptySubsequences: false)
      guard names.count == 2, let bytes = Self.bytes(names[0]), let ssid = SSID(bytes), let number = UInt8(names[1]),
        let family = Security.Family(rawValue: number)
      else { return nil }
      id = .network(ssid, family)
    default: return nil
    }
  }

  /// Such as `n:486f6d65:3`.
  public var text: String {
    switch id {
    case .network(let ssid, let family):
      return "n:\(Self.digits(ssid.bytes)):\(family.rawValue)"
    case .bss(let address): return "b:\(address)"
    }
  }

  static func digits(_ bytes: some Sequence<UInt8>) -> String {
    var digits = ""
    for byte in bytes { digits += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return digits
  }

  static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digit(digits[index]), let low = digit(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}

/// The identity of a known network as text that means the same to the page and back: key and name in hexadecimal.
public struct PageKnownKey: Hashable, Sendable {
  /// The known network.
  public let id: KnownNetwork.ID

  /// The key of a known network.
  public init(_ id: KnownNetwork.ID) { self.id = id }

  /// The known network that a text names, or `nil` where it is none.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "k", let key = PageKey.bytes(parts[1]), let key = String(validating: key, as: UTF8.self),
      let name = PageKey.bytes(parts[2]), let ssid = SSID(name)
    else { return nil }
    id = KnownNetwork.ID(key: key, ssid: ssid)
  }

  /// Such as `k:33:486f6d65`.
  public var text: String { "k:\(PageKey.digits(id.key.utf8)):\(PageKey.digits(id.ssid.bytes))" }
}
