/// A 48-bit IEEE 802 address, such as a BSSID.
public struct MACAddress: Hashable, Sendable {
  /// The address as a number, the first byte on the air in the most significant place; the top 16 bits are zero.
  public let value: UInt64

  /// Makes an address from its number; the top 16 bits of `value` are ignored.
  @inlinable
  public init(_ value: UInt64) { self.value = value & 0xFFFF_FFFF_FFFF }

  /// Makes an address from six bytes, or `nil` for any other number of bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 6 else { return nil }
    self.init(bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// Makes an address from text such as `02:00:00:00:00:01` or `02-00-00-00-00-01`, or `nil` for any other text.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: text.contains("-") ? "-" : ":", omittingEmptySubsequences: false)
    guard parts.count == 6 else { return nil }
    var value: UInt64 = 0
    for part in parts {
      guard part.count == 2, part.allSatisfy(\.isHexDigit), let byte = UInt64(part, radix: 16) else { return nil }
      value = value << 8 | byte
    }
    self.init(value)
  }

  /// The six bytes, in the order they are sent.
  public var bytes: [UInt8] {
    (0..<6).map { UInt8(truncatingIfNeeded: value >> (40 - 8 * UInt64($0))) }
  }

  /// The first three bytes: who the address was assigned to, unless ``isLocallyAdministered``.
  public var oui: UInt32 { UInt32(truncatingIfNeeded: value >> 24) }

  /// Whether the address was made up locally instead of assigned by the IEEE (IEEE 802-2014 8.4).
  public var isLocallyAdministered: Bool { value & 0x0200_0000_0000 != 0 }

  /// Whether the address names a group of stations instead of one (IEEE 802-2014 8.4).
  public var isGroup: Bool { value & 0x0100_0000_0000 != 0 }
}

extension MACAddress: Comparable {
  /// Orders addresses by their number.
  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

extension MACAddress: CustomStringConvertible {
  /// Lower-case hexadecimal with colons, such as `02:00:00:00:00:01`.
  public var description: String {
    unsafe String(unsafeUninitializedCapacity: 17) { text in
      for index in 0..<6 {
        let byte = UInt8(truncatingIfNeeded: value >> UInt64(40 - 8 * index))
        if index > 0 { unsafe text[3 * index - 1] = UInt8(ascii: ":") }
        unsafe text[3 * index] = Hex.digit(byte >> 4)
        unsafe text[3 * index + 1] = Hex.digit(byte & 15)
      }
      return 17
    }
  }
}

extension ByteCursor {
  /// Reads a six-byte MAC address.
  public mutating func readMACAddress() throws(WireError) -> MACAddress {
    let offset = try advance(6)
    var value: UInt64 = 0
    for index in offset..<offset + 6 { value = value << 8 | UInt64(bytes[index]) }
    return MACAddress(value)
  }
}

extension ByteWriter {
  /// Writes a six-byte MAC address.
  public mutating func write(_ address: MACAddress) {
    for shift in stride(from: 40, through: 0, by: -8) { write(UInt8(truncatingIfNeeded: address.value >> UInt64(shift))) }
  }
}
