import Harness
import WiFi

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A capture that is read piece by piece: a file, or standard input, to which another program may still write.
final class CaptureInput {
  private let path: String
  private let descriptor: Int32
  private var first: [UInt8]
  /// How long to wait for more before what came is shown, in ms.
  private static let patienceMs: Int32 = 250

  /// Whether it is a capture, by its first bytes.
  let isCapture: Bool

  /// Opens `path`, or standard input for `-`, and looks at its first bytes; `nil` where it cannot be opened.
  init?(_ path: String) throws(Failure) {
    self.path = path
    descriptor = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
    var head: [UInt8] = []
    if descriptor >= 0 {
      while head.count < 4 {
        let piece = try Self.bytes(of: descriptor, path, atMost: 4 - head.count)
        if piece.isEmpty { break }
        head += piece
      }
    }
    first = head
    isCapture = Capture.format(head) != nil
    if descriptor < 0 { return nil }
  }

  deinit { if descriptor > 0 { close(descriptor) } }

  private static func bytes(of descriptor: Int32, _ path: String, atMost count: Int) throws(Failure) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    while true {
      let number = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, count) }
      if number >= 0 { return Array(buffer[..<number]) }
      let error = errno
      if error == EISDIR { return [] }
      if error != EINTR {
        throw Failure(.inputOutput, "cannot read \(PrintableText.escape(Array(path.utf8))): \(unsafe String(cString: strerror(error))).")
      }
    }
  }

  /// The bytes that were looked at.
  var head: [UInt8] { first }

  /// The next piece.
  func next() throws(Failure) -> CaptureSource.Piece {
    if !first.isEmpty {
      defer { first = [] }
      return .bytes(first)
    }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if unsafe poll(&request, 1, Self.patienceMs) == 0 { return .idle }
    let piece = try Self.bytes(of: descriptor, path, atMost: 1 << 16)
    return piece.isEmpty ? .end : .bytes(piece)
  }

  /// The source of its scans.
  func source(pause: @escaping (Duration) async throws -> Void = { _ in }) -> CaptureSource {
    let path = path
    return CaptureSource(name: "capture", read: { try self.next() }, pause: pause) { complaint in
      StandardStreams.writeError("wifi-harness: \(PrintableText.escape(Array(path.utf8))): \(complaint).\n")
    }
  }
}
