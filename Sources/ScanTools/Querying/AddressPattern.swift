public import WiFi

/// An address, or how addresses begin, as those of one maker do: `02:00:00:00:00:01`, `02-00-00`, in upper or lower
/// case.
public struct AddressPattern: Hashable, Sendable {
  private var bytes: [UInt8] = []

  /// Reads one to six bytes in hexadecimal with colons or hyphens between them; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: text.contains("-") ? "-" : ":", omittingEmptySubsequences: false)
    guard parts.count <= 6 else { return nil }
    for part in parts {
      guard part.utf8.count == 2, part.allSatisfy(\.isHexDigit), let byte = UInt8(part, radix: 16) else { return nil }
      bytes.append(byte)
    }
  }

  /// Whether an address is meant.
  public func matches(_ address: MACAddress) -> Bool { address.bytes.starts(with: bytes) }
}
