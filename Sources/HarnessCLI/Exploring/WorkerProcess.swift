import Dispatch
import ScanTools
import Synchronization

/// Another process of this program, which answers lines with lines: see ``WorkerCommand``.
///
/// It ends when its standard input does, so with this process, however that ends.
final class WorkerProcess: Sendable {
  /// Why there is no answer.
  enum AnswerFailure: Error {
    /// The process could not be started.
    case noStart(String)
    /// The process ended, or was ended because it said nothing for too long.
    case ended(Ending)
  }

  /// How a process ended.
  struct Ending {
    /// Such as `was ended by signal 4`.
    var how: String
    /// The signal; `nil` where it ended by itself, or said nothing for too long.
    var signal: Int32?
    /// Whether it was ended here.
    var wasSilent = false
    /// What it had answered.
    var lines: [String]
    /// What it wrote to its standard error.
    var lastWords: [String] = []
  }

  private struct State {
    var child: ChildProcess?
    /// What it said that no answer has taken.
    var said: [UInt8] = []
    /// Why it answers nothing any more.
    var failure: AnswerFailure?
  }

  // A thread of its own, which waits for answers: those of tasks run seeds.
  private let queue = DispatchQueue(label: "worker")
  private let state = Mutex(State())
  private let errors = ErrorFile()

  /// Starts a process with these arguments, whose hashing is seeded, or fixed, whatever ours is.
  init(_ arguments: [String], fixesHashing: Bool = false) {
    queue.async {
      self.state.withLock { state in
        guard let program = Self.program else { return state.failure = .noStart("the path of this program is not known") }
        do throws(ChildProcess.StartFailure) {
          state.child = try ChildProcess(
            program, [CommandLine.arguments.first ?? program] + arguments,
            changes: [("SWIFT_DETERMINISTIC_HASHING", fixesHashing ? "1" : nil), ("SWIFT_BACKTRACE", "enable=no")], isJob: false,
            errors: self.errors.descriptor)
        } catch {
          state.failure = .noStart(error.sentence)
        }
      }
    }
  }

  /// Sends a line, and waits for an answer, up to the line that is the last.
  ///
  /// - Parameters:
  ///   - bytes: what follows the line.
  ///   - limit: how long it may say nothing.
  func ask(
    _ line: String, _ bytes: [UInt8] = [], limit: Duration, isLast: @escaping @Sendable (String) -> Bool
  ) async throws -> [String] {
    try await withCheckedThrowingContinuation { answer in
      queue.async {
        answer.resume(
          with: Result { try self.state.withLock { try self.ask(Array("\(line)\n".utf8) + bytes, limit, isLast, &$0) } })
      }
    }
  }

  private func ask(
    _ request: [UInt8], _ limit: Duration, _ isLast: (String) -> Bool, _ state: inout State
  ) throws(AnswerFailure) -> [String] {
    if let failure = state.failure { throw failure }
    guard let child = state.child else { throw .ended(Ending(how: "has ended", lines: [])) }
    _ = Files.write(request, to: child.input.descriptor)
    var answer: [String] = []
    var searched = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      while let end = state.said[searched...].firstIndex(of: 0x0A) {
        let line = String(decoding: state.said[..<end], as: UTF8.self)
        state.said.removeFirst(end + 1)
        searched = 0
        answer.append(line)
        if isLast(line) { return answer }
      }
      searched = state.said.count
      let isSilent = !Self.isReadable(child.output.descriptor, within: limit)
      if isSilent { kill(child.id, SIGKILL) }
      let got = isSilent ? 0 : unsafe buffer.withUnsafeMutableBytes { unsafe read(child.output.descriptor, $0.baseAddress, $0.count) }
      if got > 0 { state.said += buffer[..<got] }
      guard got > 0 || got < 0 && errno == EINTR else {
        child.input.close()
        let status = child.waitForStatus()
        var ending = Ending(how: ChildProcess.words(of: status), lines: answer, lastWords: errors.lines)
        if isSilent {
          (ending.how, ending.wasSilent) = ("said nothing for \(limit.components.seconds) s and was ended", true)
        } else if status & 0x7F != 0 {
          ending.signal = status & 0x7F
        }
        (state.child, state.failure) = (nil, .ended(ending))
        throw .ended(ending)
      }
    }
  }

  /// Whether there is something to be read, or nothing more will come, within a time.
  private static func isReadable(_ descriptor: Int32, within limit: Duration) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while true {
      var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = max(Int(clock.now.duration(to: end) / .milliseconds(1)), 0)
      let count = unsafe poll(&input, 1, Int32(clamping: left + 1))
      if count > 0 { return true }
      if count == 0, left == 0 { return false }
    }
  }

  /// Lets the process end, and waits until it has.
  ///
  /// - Parameter isStuck: whether it may have a thread that never ends, so that it is ended at once.
  func end(isStuck: Bool = false) async {
    await withCheckedContinuation { continuation in
      queue.async {
        let child = self.state.withLock { state in
          defer { state.child = nil }
          return state.child
        }
        child?.input.close()
        if isStuck, let child { kill(child.id, SIGKILL) }
        _ = child?.waitForStatus()
        continuation.resume()
      }
    }
  }

  /// The file of this program.
  private static var program: String? {
    #if os(Linux)
      // The one that runs, even where another was put in its place meanwhile.
      return "/proc/self/exe"
    #elseif canImport(Darwin)
      var buffer = [CChar](repeating: 0, count: 4096)
      var size = UInt32(buffer.count)
      guard unsafe _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
      return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      return nil
    #endif
  }
}

/// A file without a name that takes what a process writes to its standard error.
private final class ErrorFile: Sendable {
  /// The open file; `nil` where there can be none.
  let descriptor: Int32?

  init() {
    var copy: Int32 = -1
    if let file = unsafe tmpfile() {
      // The number outlives the stream.
      copy = unsafe dup(fileno(file))
      unsafe fclose(file)
      _ = fcntl(copy, F_SETFD, FD_CLOEXEC)
    }
    descriptor = copy >= 0 ? copy : nil
  }

  deinit { if let descriptor { close(descriptor) } }

  /// The first lines of what was written, without a stack trace.
  var lines: [String] {
    guard let descriptor else { return [] }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
    let text = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    return text.split(separator: "\n").prefix { $0 != "Current stack trace:" }.prefix(3).map(String.init)
  }
}
