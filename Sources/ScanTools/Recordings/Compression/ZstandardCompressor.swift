#if canImport(CZstd)
  import CZstd
#endif

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
