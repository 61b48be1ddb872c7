/// Compression by Zstandard (RFC 8878), with libzstd.
public enum Zstandard {
  /// Why compressed content cannot be read or written.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in words.
    public var description: String
  }

  /// How the names of compressed files end.
  public static let suffix = ".zst"

  /// Whether this program was built with libzstd.
  public static var isAvailable: Bool {
    #if canImport(CZstd)
      true
    #else
      false
    #endif
  }

  /// The most that a file is expanded to while it is read piece by piece, in bytes.
  static let streamLimit = 64 << 30

  /// The most that a file is expanded to which is held in memory as a whole, in bytes.
  public static let wholeLimit = 1 << 30

  /// What frames begin with (RFC 8878 3.1.1), little-endian.
  static let magic: UInt32 = 0xFD2F_B528

  /// Whether content is compressed, by its first four bytes: those of a frame, or of one that is to be skipped.
  public static func isCompressed(_ head: some Collection<UInt8>) -> Bool {
    guard head.count >= 4 else { return false }
    let number = head.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return number == magic || isSkippable(number)
  }

  /// Whether a frame that begins so is to be skipped (RFC 8878 3.1.2).
  static func isSkippable(_ magic: UInt32) -> Bool { magic & 0xFFFF_FFF0 == 0x184D_2A50 }

  /// The content of compressed bytes, and whether they lack their end: then it is as much of it as can be read.
  ///
  /// - Throws: ``Failure`` where it is damaged or has more than ``wholeLimit``.
  public static func expanded(_ bytes: [UInt8]) throws(Failure) -> (content: [UInt8], isCut: Bool) {
    let expanded = try expanded(bytes, limit: wholeLimit)
    return (expanded.content, expanded.isWithinBlock || expanded.isWithinFrame)
  }

  /// The content, and where it ends: a recording that ends within a frame and between two blocks lacks nothing.
  static func expanded(
    _ bytes: [UInt8], limit: Int
  ) throws(Failure) -> (content: [UInt8], isWithinBlock: Bool, isWithinFrame: Bool) {
    var expander = try ZstandardExpander(limit: limit)
    var content: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
      try expander.expand(Array(bytes[start..<min(start + (1 << 16), bytes.count)])) { content += $0 }
    }
    return (content, expander.isWithinBlock, expander.isWithinFrame)
  }

  static let missing = Failure(
    description: "it is compressed with Zstandard, and this program was built without libzstd; expand it first: zstd -d FILE")
}
