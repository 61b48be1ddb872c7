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
      guard names.count == 2, let bytes = Hex.bytes(names[0]), let ssid = SSID(bytes), let number = UInt8(names[1]),
        let family = Security.Family(rawValue: number)
      else { return nil }
      id = .network(ssid, family)
    default: return nil
    }
  }

  /// Such as `n:486f6d65:3`.
  public var text: String {
    switch id {
    case .network(let ssid, let family): "n:\(Hex.string(ssid.bytes)):\(family.rawValue)"
    case .bss(let address): "b:\(address)"
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
    guard parts.count == 3, parts[0] == "k", let key = Hex.bytes(parts[1]), let key = String(validating: key, as: UTF8.self),
      let name = Hex.bytes(parts[2]), let ssid = SSID(name)
    else { return nil }
    id = KnownNetwork.ID(key: key, ssid: ssid)
  }

  /// Such as `k:33:486f6d65`.
  public var text: String { "k:\(Hex.string(id.key.utf8)):\(Hex.string(id.ssid.bytes))" }
}
