/// Where one attribute is (`struct nlattr` in `<linux/netlink.h>`).
public struct AttributeHeader: Hashable, Sendable {
  /// The type, without the flag bits.
  public var type: UInt16
  /// Whether `NLA_F_NESTED` is set: the payload is attributes.
  ///
  /// nl80211 often leaves it out.
  public var isNested: Bool
  /// The offsets of the payload.
  public var payload: Range<Int>
}

extension AttributeHeader {
  /// The payload as an unsigned byte, or `nil` unless it is exactly one byte.
  public func uint8(of bytes: [UInt8]) -> UInt8? { payload.count == 1 ? bytes[payload.lowerBound] : nil }

  /// The payload as a u16, or `nil` unless it is exactly two bytes.
  public func uint16(of bytes: [UInt8]) -> UInt16? { integer(of: bytes) }

  /// The payload as a u32, or `nil` unless it is exactly four bytes.
  public func uint32(of bytes: [UInt8]) -> UInt32? { integer(of: bytes) }

  /// The payload as a u64, or `nil` unless it is exactly eight bytes.
  public func uint64(of bytes: [UInt8]) -> UInt64? { integer(of: bytes) }

  private func integer<Integer: FixedWidthInteger & BitwiseCopyable>(of bytes: [UInt8]) -> Integer? {
    guard payload.count == Integer.bitWidth / 8 else { return nil }
    return unsafe Integer(littleEndian: bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: payload.lowerBound, as: Integer.self))
  }

  /// The payload as a MAC address, or `nil` unless it is exactly six bytes.
  package func macAddress(of bytes: [UInt8]) -> MACAddress? {
    guard payload.count == 6 else { return nil }
    return MACAddress(payload.reduce(0) { $0 << 8 | UInt64(bytes[$1]) })
  }

  /// Whether the payload is `other`.
  func isEqual(_ other: [UInt8], of bytes: [UInt8]) -> Bool {
    let (whole, other) = (bytes.span.extracting(payload), other.span)
    guard whole.count == other.count else { return false }
    return unsafe whole.withUnsafeBytes { left in unsafe other.withUnsafeBytes { unsafe left.elementsEqual($0) } }
  }

  /// The payload as bytes of their own.
  public func bytes(of bytes: [UInt8]) -> [UInt8] { Array(bytes[payload]) }

  /// The payload as text without its final NUL; bytes that are not UTF-8 are escaped.
  public func string(of bytes: [UInt8]) -> String { PrintableText.escape(bytes[payload].prefix { $0 != 0 }) }
}
