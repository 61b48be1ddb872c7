/// The frame check sequence at the end of a frame: CRC-32 of everything before it (IEEE 802.11-2020 9.2.4.9).
public enum FrameCheckSequence {
  private static let table: [UInt32] = (0..<256).map { index in
    var value = UInt32(index)
    for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    return value
  }

  /// The checksum of `bytes`; sent least significant byte first.
  ///
  /// The Short SSID of neighbour reports is the same sum of the bytes of an SSID (IEEE 802.11-2020 9.4.2.170.3).
  public static func of(_ content: some Sequence<UInt8>) -> UInt32 {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in content { value = value >> 8 ^ table[Int((value ^ UInt32(byte)) & 0xFF)] }
    return ~value
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
    let sum = of(bytes[range.lowerBound..<end])
    return (0..<size).allSatisfy { bytes[end + $0] == UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
  }
}
