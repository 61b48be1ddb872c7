import WiFi

#if canImport(CZstd)
  import CZstd
#endif

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

  /// Whether content is compressed, by its first four bytes: those of a frame, or of one that is to be skipped (RFC
  /// 8878 3.1.2).
  public static func isCompressed(_ head: some Collection<UInt8>) -> Bool {
    guard head.count >= 4 else { return false }
    let number = head.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return number == magic || number & 0xFFFF_FFF0 == 0x184D_2A50
  }

  /// The content of compressed bytes that are there as a whole; of a frame that was cut off, what can be read of it.
  ///
  /// - Throws: ``Failure`` where it is damaged or has more than ``wholeLimit``.
  public static func expanded(_ bytes: [UInt8]) throws(Failure) -> [UInt8] { try expanded(bytes, limit: wholeLimit).content }

  /// The content, and whether it was cut off within a block.
  static func expanded(_ bytes: [UInt8], limit: Int) throws(Failure) -> (content: [UInt8], isCut: Bool) {
    var expander = try ZstandardExpander(limit: limit)
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
      try expander.expand(Array(bytes[start..<min(start + (1 << 16), bytes.count)])) { result += $0 }
    }
    return (result, expander.isWithinBlock)
  }

  static let missing = Failure(
    description: "it is compressed with Zstandard, and this program was built without libzstd; expand it first: zstd -d FILE")
}

/// Compresses piece by piece; each piece can be expanded as soon as it is written.
@safe struct ZstandardCompressor: ~Copyable {
  #if canImport(CZstd)
    private let context: OpaquePointer

    /// Starts a frame.
    init() throws(Zstandard.Failure) {
      guard let context = unsafe ZSTD_createCCtx() else { throw Zstandard.Failure(description: "memory is short") }
      unsafe self.context = context
    }

    deinit { unsafe ZSTD_freeCCtx(context) }

    /// The compressed bytes of `bytes`, complete: what was given can be expanded from them.
    mutating func flush(_ bytes: [UInt8]) throws(Zstandard.Failure) -> [UInt8] { try compress(bytes, ZSTD_e_flush) }

    /// The end of the frame; what is compressed next begins another.
    mutating func finish() throws(Zstandard.Failure) -> [UInt8] { try compress([], ZSTD_e_end) }

    private mutating func compress(_ bytes: [UInt8], _ directive: ZSTD_EndDirective) throws(Zstandard.Failure) -> [UInt8] {
      var result: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: ZSTD_CStreamOutSize())
      var position = 0
      while true {
        var written = 0
        let left = unsafe bytes.withUnsafeBytes { source in
          unsafe buffer.withUnsafeMutableBytes { target in
            var input = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: position)
            var output = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
            let left = unsafe ZSTD_compressStream2(context, &output, &input, directive)
            (position, written) = unsafe (input.pos, output.pos)
            return left
          }
        }
        if ZSTD_isError(left) != 0 {
          throw Zstandard.Failure(description: "libzstd could not compress: \(unsafe String(cString: ZSTD_getErrorName(left)))")
        }
        result += buffer[..<written]
        if left == 0 { return result }
      }
    }
  #else
    init() throws(Zstandard.Failure) {
      throw Zstandard.Failure(description: "this program was built without libzstd and compresses nothing; leave out \(Zstandard.suffix)")
    }

    mutating func flush(_ bytes: [UInt8]) throws(Zstandard.Failure) -> [UInt8] { [] }

    mutating func finish() throws(Zstandard.Failure) -> [UInt8] { [] }
  #endif
}

/// Expands frames piece by piece, however they are divided, in the memory of a frame's window.
///
/// The window has at most 128 MiB, as for `zstd -d`.
@safe struct ZstandardExpander: ~Copyable {
  private let limit: Int
  private var total = 0
  /// What follows what was given so far: where frames and blocks end.
  private var frames = ZstandardFrames()

  /// Whether what was given so far ends within a block, and so was cut off.
  var isWithinBlock: Bool { !frames.isAtBoundary }

  #if canImport(CZstd)
    private let context: OpaquePointer

    /// Makes an expander of at most `limit` bytes.
    init(limit: Int) throws(Zstandard.Failure) {
      guard let context = unsafe ZSTD_createDCtx() else { throw Zstandard.Failure(description: "memory is short") }
      unsafe self.context = context
      self.limit = limit
    }

    deinit { unsafe ZSTD_freeDCtx(context) }

    /// Gives what the next bytes expand to, piece by piece.
    ///
    /// - Throws: ``Zstandard/Failure`` where they are damaged, or where the limit is passed.
    mutating func expand(_ bytes: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) throws(Zstandard.Failure) {
      frames.walk(bytes)
      var buffer = [UInt8](repeating: 0, count: 1 << 17)
      var position = 0
      while true {
        var written = 0
        let hint = unsafe bytes.withUnsafeBytes { source in
          unsafe buffer.withUnsafeMutableBytes { target in
            var input = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: position)
            var output = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
            let hint = unsafe ZSTD_decompressStream(context, &output, &input)
            (position, written) = unsafe (input.pos, output.pos)
            return hint
          }
        }
        if ZSTD_isError(hint) != 0 { throw Self.failure(hint) }
        total += written
        if total > limit {
          throw Zstandard.Failure(
            description: "it expands to more than \(limit >> 20) MiB, which is not read; expand it first: zstd -d FILE")
        }
        if written > 0 { body(buffer[..<written]) }
        // What is still inside comes out once there is room for it.
        if position == bytes.count, written < buffer.count { return }
      }
    }

    private static func failure(_ code: Int) -> Zstandard.Failure {
      switch ZSTD_getErrorCode(code) {
      case ZSTD_error_frameParameter_windowTooLarge:
        return Zstandard.Failure(
          description: "it was compressed with a window of more than 128 MiB; expand it first: zstd -d --long=31 FILE")
      default:
        let reason = unsafe String(cString: ZSTD_getErrorName(code))
        return Zstandard.Failure(description: "its Zstandard content is damaged (libzstd: \(reason))")
      }
    }
  #else
    init(limit: Int) throws(Zstandard.Failure) { throw Zstandard.missing }

    mutating func expand(_ bytes: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) throws(Zstandard.Failure) {}
  #endif
}
