/// Appends integers and regions to a buffer: the other direction of ``ByteCursor``.
public struct ByteWriter: Sendable {
  /// What was written so far.
  public private(set) var bytes: [UInt8]

  /// Starts with nothing written and room for `capacity` bytes.
  public init(capacity: Int = 0) {
    bytes = []
    if capacity > 0 { bytes.reserveCapacity(capacity) }
  }

  /// What `write` writes, with room for `capacity` bytes at first.
  package static func bytes(capacity: Int = 0, _ write: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter(capacity: capacity)
    write(&writer)
    return writer.bytes
  }

  /// The number of bytes written so far.
  public var count: Int { bytes.count }

  /// Writes one byte.
  public mutating func write(_ value: UInt8) { bytes.append(value) }

  /// Writes one signed byte.
  public mutating func write(_ value: Int8) { bytes.append(UInt8(bitPattern: value)) }

  /// Writes two bytes, least significant first.
  public mutating func write(_ value: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: value))
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
  }

  /// Writes the three low bytes of `value`, least significant first.
  public mutating func writeUInt24(_ value: UInt32) {
    write(UInt16(truncatingIfNeeded: value))
    write(UInt8(truncatingIfNeeded: value >> 16))
  }

  /// Writes four bytes, least significant first.
  public mutating func write(_ value: UInt32) {
    write(UInt16(truncatingIfNeeded: value))
    write(UInt16(truncatingIfNeeded: value >> 16))
  }

  /// Writes the six low bytes of `value`, least significant first.
  package mutating func writeUInt48(_ value: UInt64) {
    write(UInt32(truncatingIfNeeded: value))
    write(UInt16(truncatingIfNeeded: value >> 32))
  }

  /// Writes eight bytes, least significant first.
  public mutating func write(_ value: UInt64) {
    write(UInt32(truncatingIfNeeded: value))
    write(UInt32(truncatingIfNeeded: value >> 32))
  }

  /// Writes the three low bytes of `value`, most significant first, such as an OUI.
  package mutating func writeUInt24BigEndian(_ value: UInt32) {
    write(UInt8(truncatingIfNeeded: value >> 16))
    write(UInt8(truncatingIfNeeded: value >> 8))
    write(UInt8(truncatingIfNeeded: value))
  }

  /// Writes four bytes, most significant first.
  package mutating func writeBigEndian(_ value: UInt32) { write(value.byteSwapped) }

  /// Writes `content` as it is.
  public mutating func write(_ content: [UInt8]) { bytes.append(contentsOf: content) }

  /// Writes `content` as it is.
  public mutating func write(_ content: ArraySlice<UInt8>) { bytes.append(contentsOf: content) }

  /// Takes back all but the first `count` bytes.
  mutating func cut(to count: Int) { bytes.removeSubrange(count...) }

  /// Overwrites the byte at `offset`, which was written before, such as a length that is known only now.
  public mutating func patch(_ value: UInt8, at offset: Int) { bytes[offset] = value }

  /// Overwrites two bytes at `offset`, least significant first.
  public mutating func patch(_ value: UInt16, at offset: Int) {
    bytes[offset] = UInt8(truncatingIfNeeded: value)
    bytes[offset + 1] = UInt8(truncatingIfNeeded: value >> 8)
  }
}

/// The zero bytes that align `length` to four (`NLMSG_ALIGN`, `NLA_ALIGN`, pcapng, PPI, TLVs of radiotap).
func paddingToFour(_ length: Int) -> Int { (4 - length & 3) & 3 }
