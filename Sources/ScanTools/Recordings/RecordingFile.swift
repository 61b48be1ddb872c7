public import WiFi

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that a recording is appended to, one line at a time.
///
/// Every line is one call of `write` and is at the disk (`fdatasync`) before the next is taken, so a kill costs at most
/// the line that was being written. Where a line does not fit, what was written of it is taken back.
///
/// A file whose name ends in `.zst` is compressed (`compactFormat`); a recording that is there stays what it is. Each
/// scan can be expanded once it is written, and a frame that a kill left open is ended before the next is begun.
public final class RecordingFile {
  private let path: String
  private let isDurable: Bool
  private let descriptor: Int32
  private var length: Int64
  private var compression: Compression?
  /// Whether something was taken back that the open frame counts on: it ends, and another begins with a scan in full.
  private var needsNewFrame = false
  /// Whether the file ends in a frame that was begun here and not ended.
  private var isFrameOpen = false

  /// What is known of the open frame of a compressed recording.
  private final class Compression {
    var compressor: ZstandardCompressor
    var scans = CompactScanWriter()
    init() throws(Zstandard.Failure) { compressor = try ZstandardCompressor() }
  }

  /// Why a recording cannot be appended to.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file could not be opened, read or written.
    case file(FileFailure)
    /// The file holds something else; it was not touched.
    case foreign(path: String, Recording.Failure)
    /// The file is the recording of another source and is not to be replaced; it was not touched.
    case otherSource(path: String, source: String)
    /// Another process records to the file; it was not touched.
    case inUse(path: String)
    /// The file cannot be compressed.
    case compression(path: String, Zstandard.Failure)

    /// One sentence.
    public var description: String {
      switch self {
      case .file(let failure): "\(failure)"
      case .foreign(let path, let failure):
        "\(PrintableText.escape(path)) is there already and is no recording to append to (\(failure)); "
          + "it was left as it is. Give another name."
      case .otherSource(let path, let source):
        "\(PrintableText.escape(path)) is there already, a recording of \(PrintableText.escape(source)); "
          + "it was left as it is. Give another name."
      case .inUse(let path):
        "\(PrintableText.escape(path)) is being recorded to by another process; it was left as it is. "
          + "Give another name, or end the other."
      case .compression(let path, let failure): "cannot record to \(PrintableText.escape(path)): \(failure)."
      }
    }
  }

  /// Opens `path`, makes it where it is missing, and appends a header.
  ///
  /// - Parameters:
  ///   - isDurable: whether each scan is to be at the disk before the next; without it a crash of the machine, but not
  ///     of this process, may cost more than one.
  ///   - mayReplace: whether a recording that begins with this header is to be emptied first; without it every
  ///     recording is appended to, but none of a simulation to one of another source.
  /// - Throws: ``Failure``; the file is as it was.
  public init(path: String, header: Recording.Header, isDurable: Bool = true, mayReplace: ((Recording.Header) -> Bool)? = nil)
    throws(Failure)
  {
    self.path = path
    self.isDurable = isDurable
    var isCompressed = path.hasSuffix(Zstandard.suffix)
    if isCompressed { _ = try Self.compression(path) }
    // A pipe that were open for reading too would fill up once its reader went, and never say so.
    let mode = Self.type(of: path) == S_IFIFO ? O_WRONLY : O_RDWR
    // Names, addresses and perhaps positions: not for all users of the machine, unless its owner says so.
    do throws(FileFailure) { descriptor = try Files.open(path, mode | O_CREAT | O_APPEND, 0o600, operation: "open") } catch {
      throw .file(error)
    }
    // A pipe or a device has no length and nothing to append to.
    length = -1
    // From here on `deinit` closes it, whatever is thrown.
    if Self.type(of: path) == S_IFREG {
      // Two writers would each take back what the other wrote when the disk is full. The lock goes with the process.
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw .inUse(path: path) }
      length = Int64(lseek(descriptor, 0, SEEK_END))
    }
    if length > 0 {
      let head = try content(from: 0, count: Recording.maximumHeaderLength)
      let isExpanded = !Zstandard.isCompressed(head)
      let old: Recording.Header
      do throws(Recording.Failure) { old = try Recording.header(in: isExpanded ? head : Self.expanded(head)) } catch {
        throw .foreign(path: path, error)
      }
      if let mayReplace {
        guard mayReplace(old) else { throw .otherSource(path: path, source: old.source) }
        try cut(to: 0)
      } else {
        // Two worlds in one file would be one network of them all.
        let isSimulated = [old, header].contains { $0.source.hasPrefix("simulation ") }
        if isSimulated, old.source != header.source { throw .otherSource(path: path, source: old.source) }
        isCompressed = !isExpanded
        if isCompressed {
          try endFrame()
        } else if try content(from: length - 1, count: 1) != [0x0A] {
          // A line that was cut off stays what it is, on a line of its own.
          try write([0x0A])
        }
      }
    }
    if isCompressed {
      compression = try Self.compression(path)
      // The frame before may have ended within a line.
      try append(line: (length > 0 ? [0x0A] : []) + Recording.line(header, isCompact: true))
    } else {
      try append(line: Recording.line(header))
    }
  }

  private static func compression(_ path: String) throws(Failure) -> Compression {
    do throws(Zstandard.Failure) { return try Compression() } catch { throw .compression(path: path, error) }
  }

  private static func expanded(_ head: [UInt8]) throws(Recording.Failure) -> [UInt8] {
    do throws(Zstandard.Failure) { return try Zstandard.expanded(head).content } catch {
      throw Recording.Failure(line: 1, reason: error.description)
    }
  }

  private func cut(to newLength: Int64) throws(Failure) {
    guard ftruncate(descriptor, off_t(newLength)) == 0 else {
      throw .file(FileFailure(operation: "write to", path: path, number: errno))
    }
    length = newLength
  }

  /// Ends the frame that a kill left open; costs reading the file once, without expanding it.
  private func endFrame() throws(Failure) {
    var frames = ZstandardFrames()
    var offset: Int64 = 0
    while offset < length, frames.damage == nil {
      let piece = try content(from: offset, count: 1 << 16)
      if piece.isEmpty { break }
      frames.walk(piece)
      offset += Int64(piece.count)
    }
    if let damage = frames.damage {
      throw .foreign(path: path, Recording.Failure(line: 1, reason: "its compressed content is damaged at byte \(damage)"))
    }
    if frames.needsChecksum {
      throw .foreign(path: path, Recording.Failure(line: 1, reason: "it was cut off within a frame that has a checksum"))
    }
    if Int64(frames.boundary) < length { try cut(to: Int64(frames.boundary)) }
    if frames.isWithinFrame { try write(ZstandardFrames.end) }
  }

  /// What is at `path` (`S_IFMT`), 0 where there is nothing.
  private static func type(of path: String) -> mode_t {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  private func content(from offset: Int64, count: Int) throws(Failure) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let read = unsafe buffer.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, count, off_t(offset)) }
    guard read >= 0 else { throw .file(FileFailure(operation: "read", path: path, number: errno)) }
    return Array(buffer[..<read])
  }

  deinit {
    // Only a frame that ended is whole for other programs.
    if isFrameOpen, let end = needsNewFrame ? ZstandardFrames.end : try? compression?.compressor.finish() { try? write(end) }
    close(descriptor)
  }

  /// Appends one scan.
  ///
  /// - Throws: ``Failure`` where it could not be written whole; what was there before is kept.
  public func append(_ scan: Scan) throws(Failure) {
    try beginFrame()
    try append(line: compression?.scans.line(scan) ?? Recording.line(scan))
  }

  /// Appends another header, from which the times of the scans behind it count.
  ///
  /// - Throws: ``Failure`` where it could not be written whole; what was there before is kept.
  public func append(_ header: Recording.Header) throws(Failure) {
    try beginFrame()
    // No scan counts on one in front of a header.
    compression?.scans = CompactScanWriter()
    try append(line: Recording.line(header, isCompact: compression != nil))
  }

  /// Begins a frame where the open one is of no use any more.
  private func beginFrame() throws(Failure) {
    guard needsNewFrame else { return }
    if isFrameOpen { try write(ZstandardFrames.end) }
    isFrameOpen = false
    compression = try Self.compression(path)
    needsNewFrame = false
  }

  private func append(line: [UInt8]) throws(Failure) {
    guard let compression else { return try write(line) }
    let bytes: [UInt8]
    do throws(Zstandard.Failure) { bytes = try compression.compressor.flush(line) } catch { throw .compression(path: path, error) }
    do throws(Failure) { try write(bytes) } catch {
      needsNewFrame = length >= 0
      throw error
    }
    isFrameOpen = true
  }

  private func write(_ bytes: [UInt8]) throws(Failure) {
    let (written, error) = Files.write(bytes, to: descriptor)
    if let error {
      if length >= 0, written > 0 { _ = ftruncate(descriptor, off_t(length)) }
      throw .file(FileFailure(operation: "write to", path: path, number: error))
    }
    // Pipes and devices cannot be synchronised, which is no failure.
    if isDurable, fdatasync(descriptor) != 0, errno == EIO || errno == ENOSPC || errno == EDQUOT {
      let number = errno
      if length >= 0 { _ = ftruncate(descriptor, off_t(length)) }
      throw .file(FileFailure(operation: "write to", path: path, number: number))
    }
    if length >= 0 { length += Int64(bytes.count) }
  }
}
