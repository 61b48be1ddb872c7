import WiFi

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A recording, a capture or saved scans, read piece by piece from a file, or from standard input, to which another
/// program may still write; expanded where it is compressed.
public final class RecordingInput {
  /// What there is to read, by its first bytes.
  public enum Kind: Hashable, Sendable { case recording, capture, savedScans }

  /// The file, or `-`.
  public let path: String
  /// What there is to read.
  public private(set) var kind = Kind.recording
  /// Whether compressed content was cut off.
  public private(set) var isCut = false
  /// Whether the same file was read before, so that what is wrong with it was reported.
  public var isReported = false

  private let descriptor: Int32
  private var head: [UInt8] = []
  private var expander: Expander?
  private var isAtEnd = false
  /// How long to wait for more before what came is shown, in ms.
  private static let patienceMs: Int32 = 250

  /// A box, as optional values that cannot be copied are not stored in classes everywhere.
  private final class Expander {
    var expander: ZstandardExpander
    init() throws(Zstandard.Failure) { expander = try ZstandardExpander(limit: Zstandard.streamLimit) }
  }

  /// Why an input cannot be read.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// It could not be opened or read.
    case file(FileFailure)
    /// It is compressed, and damaged, too large, or of no use here.
    case compressed(path: String, Zstandard.Failure)
    /// It begins as files of another format do, such as gzip.
    case foreign(path: String, format: String)

    /// What expands files of its format.
    private static let programs = ["xz", "bzip2", "lz4"]

    /// Such as `air.ndjson.zst: its compressed content is damaged (…)`.
    public var description: String {
      switch self {
      case .file(let failure): "\(failure)"
      case .compressed(let path, let failure): "\(Files.shownName(path)): \(failure)"
      case .foreign(let path, let format):
        "\(Files.shownName(path)) is \(format), and read are recordings, captures and saved scans, also compressed by Zstandard or gzip."
          + (Self.programs.contains(format.lowercased())
            ? " Give its content on standard input, as the file “-”: \(format.lowercased()) -dc FILE | wifi-harness …" : "")
      }
    }
  }

  /// Opens `path`, or standard input for `-`, and looks at its first bytes.
  public init(_ path: String) throws(Failure) {
    self.path = path
    descriptor = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(FileFailure(operation: "open", path: path, number: errno)) }
    while head.count < 4 {
      let piece = try raw(atMost: 4 - head.count)
      if piece.isEmpty { break }
      head += piece
    }
    if Gzip.isCompressed(head) {
      try expandGzip()
    } else if Zstandard.isCompressed(head) {
      do throws(Zstandard.Failure) { expander = try Expander() } catch { throw .compressed(path: path, error) }
      head = try expanded(head)
      while head.count < 4, case .bytes(let piece) = try piece() { head += piece }
    }
    if head.isEmpty, isCut {
      throw .compressed(path: path, Zstandard.Failure(description: "it was cut off before anything that could be read"))
    }
    if Capture.format(head) != nil {
      kind = .capture
    } else {
      // A saved scan says so in its first line.
      while head.count < 256, !head.contains(0x0A), case .bytes(let piece) = try piece() { head += piece }
      if SavedScan.isSavedScan(head) { kind = .savedScans }
      if let format = InputDetection.foreignFormat(head) { throw .foreign(path: path, format: format) }
    }
  }

  /// Reads what is compressed by gzip to its end, and continues with its content.
  private func expandGzip() throws(Failure) {
    var bytes = head
    while true {
      let more = try raw(atMost: 1 << 16)
      if more.isEmpty { break }
      bytes += more
      if bytes.count > Zstandard.wholeLimit {
        throw .file(FileFailure(operation: "read", path: path, number: EFBIG, limit: Zstandard.wholeLimit))
      }
    }
    isAtEnd = true
    do throws(Gzip.Failure) { (head, isCut) = try Gzip.expanded(bytes) } catch {
      throw .compressed(path: path, Zstandard.Failure(description: error.description))
    }
  }

  deinit { if descriptor > 0 { close(descriptor) } }

  private func raw(atMost count: Int) throws(Failure) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    while true {
      let number = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, count) }
      if number >= 0 { return Array(buffer[..<number]) }
      if errno != EINTR { throw .file(FileFailure(operation: "read", path: path, number: errno)) }
    }
  }

  private func expanded(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
    guard let expander else { return bytes }
    var result: [UInt8] = []
    do throws(Zstandard.Failure) { try expander.expander.expand(bytes) { result += $0 } } catch { throw .compressed(path: path, error) }
    return result
  }

  /// The next bytes, however long they take.
  private func piece() throws(Failure) -> CaptureSource.Piece {
    while true {
      if isAtEnd { return .end }
      // Compressed bytes become many.
      let bytes = try raw(atMost: expander == nil ? 1 << 16 : 1 << 12)
      if bytes.isEmpty {
        isAtEnd = true
        isCut = expander?.expander.isWithinBlock ?? false
        return .end
      }
      let content = try expanded(bytes)
      if !content.isEmpty { return .bytes(content) }
    }
  }

  /// The next piece.
  public func next() throws(Failure) -> CaptureSource.Piece {
    if !head.isEmpty {
      defer { head = [] }
      return .bytes(head)
    }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if unsafe poll(&request, 1, Self.patienceMs) == 0 { return .idle }
    return try piece()
  }

  /// All that is left.
  ///
  /// - Parameter limit: the most bytes that it may have.
  public func rest(limit: Int = Zstandard.wholeLimit) throws(Failure) -> [UInt8] {
    var result = head
    head = []
    while case .bytes(let piece) = try piece() {
      result += piece
      if result.count > limit { throw .file(FileFailure(operation: "read", path: path, number: EFBIG, limit: limit)) }
    }
    return result
  }
}
