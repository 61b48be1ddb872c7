/// The frame check sequence at the end of a frame: CRC-32 of everything before it (IEEE 802.11-2020 9.2.4.9).
public enum FrameCheckSequence {
  /// What each byte makes of the sum, and of one that has one to seven bytes more behind it: eight bytes are taken in
  /// at once.
  private static let table: [UInt32] = {
    var table = (0..<256).map { index in
      var value = UInt32(index)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
      return value
    }
    for index in 256..<2048 { table.append(table[index - 256] >> 8 ^ table[Int(table[index - 256] & 0xFF)]) }
    return table
  }()

  /// The sum over `range` of `bytes`.
  package static func of(_ bytes: [UInt8], in range: Range<Int>) -> UInt32 {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "region outside the buffer")
    var value = UInt32.max
    let (bytes, table) = (bytes.span, table.span)
    var position = range.lowerBound
    // Every index into the table is below 2048, and every offset is within the range.
    while range.upperBound - position >= 8 {
      let word = unsafe UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)) ^ UInt64(value)
      var next: UInt32 = 0
      for index in 0..<8 { next ^= unsafe table[unchecked: (7 - index) << 8 | Int(word >> UInt64(8 * index) & 0xFF)] }
      value = next
      position += 8
    }
    while position < range.upperBound {
      value = value >> 8 ^ table[Int((value ^ UInt32(bytes[position])) & 0xFF)]
      position += 1
    }
    return ~value
  }

  /// The checksum of `bytes`; sent least significant byte first.
  ///
  /// The Short SSID of neighbour reports is the same sum of the bytes of an SSID (IEEE 802.11-2020 9.4.2.170.3).
  public static func of(_ content: some Sequence<UInt8>) -> UInt32 {
    let bytes = Array(content)
    return of(bytes, in: 0..<bytes.count)
  }

  /// The bytes of the sequence itself.
  public static let size = 4

  /// Whether the last four bytes of `range` are the checksum of those before them.
  ///
  /// Of random bytes, one in 2³² is.
  ///
  /// - Returns: `false` where there are no four bytes.
  public static func isRight(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
    guard range.count >= size else { return false }
    let end = range.upperBound - size
    let sum = of(bytes, in: range.lowerBound..<end)
    return (0..<size).allSatisfy { bytes[end + $0] == UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
  }
}
