#if canImport(CZstd)
  import CZstd
#endif

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
  /// Whether the last frame that was begun has no end yet, though its last block may have one.
  var isWithinFrame: Bool { frames.isWithinFrame }

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
