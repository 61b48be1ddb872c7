import Synchronization

/// Signals of the process, written to a pipe instead of what they do otherwise.
///
/// They are caught when the initialiser returns, and not any more when ``restore()`` returns. A signal source of
/// Dispatch does both some time later, on a thread of its own, and so undoes handlers that were installed since.
final class SignalPipe: Sendable {
  /// Readable when a signal came; it does not block.
  let reader: CInt
  private let writer: CInt
  private let earlier: [SignalAction]

  /// Pipes without a reader now, which are never closed, as a handler may still run on another thread.
  private static let spare = Mutex<[(reader: CInt, writer: CInt)]>([])
  /// Where the handler of each signal writes.
  nonisolated(unsafe) private static let writers: UnsafeMutableBufferPointer<CInt> = {
    let writers = UnsafeMutableBufferPointer<CInt>.allocate(capacity: 128)
    unsafe writers.initialize(repeating: -1)
    return unsafe writers
  }()

  /// Catches signals, but those that the process ignores.
  ///
  /// - Parameter evenIgnored: those of them that are caught although the process ignores them, as a shell has it ignore
  ///   `SIGINT` in the background.
  /// - Returns: `nil` where the process has no more descriptors.
  init?(_ numbers: [CInt], evenIgnored: Set<CInt> = []) {
    guard let ends = Self.ends() else { return nil }
    reader = ends.reader
    writer = ends.writer
    earlier = numbers.map { SignalAction($0) }.filter { !$0.isIgnored || evenIgnored.contains($0.number) }
    for action in earlier {
      unsafe Self.writers[Int(action.number)] = writer
      _ = signal(action.number) { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(SignalPipe.writers[Int(number)], &byte, 1)
        errno = error
      }
    }
  }

  /// The signal that came first of those that were not taken; `nil` where there is none.
  func next() -> CInt? {
    var byte: UInt8 = 0
    return unsafe read(reader, &byte, 1) == 1 ? CInt(byte) : nil
  }

  /// Lets the signals do what they did before.
  func restore() { for action in earlier { action.restore() } }

  /// Keeps the pipe for another one, once it has no reader any more.
  func recycle() {
    while next() != nil {}
    Self.spare.withLock { $0.append((reader, writer)) }
  }

  private static func ends() -> (reader: CInt, writer: CInt)? {
    if let ends = spare.withLock({ $0.popLast() }) { return ends }
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    return (ends[0], ends[1])
  }
}
