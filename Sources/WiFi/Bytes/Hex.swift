/// Hexadecimal text of bytes and back.
public enum Hex {
  /// The lower-case digit of a number below 16, as ASCII.
  @inline(__always)
  static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

  /// Two lower-case digits per byte, nothing between them.
  public static func string(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of hexadecimal text, or `nil` for an odd number of digits or any other character.
  public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    // Of a kind of text that is not known here each character would cost several calls.
    if let bytes = text.utf8.withContiguousStorageIfAvailable({ unsafe bytes(digits: $0) }) { return bytes }
    return unsafe Array(text.utf8).withUnsafeBufferPointer { unsafe bytes(digits: $0) }
  }

  private static func bytes(digits: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard digits.count % 2 == 0 else { return nil }
    let whole = digits.count / 2
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: whole) { memory, count in
      while count < whole, let high = unsafe value(digits[2 * count]), let low = unsafe value(digits[2 * count + 1]) {
        unsafe memory.initializeElement(at: count, to: high << 4 | low)
        count += 1
      }
    }
    return bytes.count == whole ? bytes : nil
  }

  /// The value of one ASCII digit, or `nil` for any other character.
  public static func value(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x41...0x46: character - 0x41 + 10
    case 0x61...0x66: character - 0x61 + 10
    default: nil
    }
  }
}
