import Dispatch
import ScanTools
import Synchronization

/// Another process of this program, which answers lines with lines: see ``SecondRunCommand``.
///
/// It ends when its standard input does, so with this process, however that ends.
final class WorkerProcess: Sendable {
  /// Why there is no answer.
  enum AnswerFailure: Error {
    /// The process could not be started.
    case noStart(String)
    /// The process ended, or said something else.
    case noAnswer(String)
  }

  private struct State {
    var child: ChildProcess?
    /// What it said that no answer has taken.
    var said: [UInt8] = []
    /// Why it answers nothing any more.
    var failure: AnswerFailure?
  }

  // A thread of its own, which waits for answers: those of tasks run seeds.
  private let queue = DispatchQueue(label: "second process")
  private let state = Mutex(State())

  /// Starts a process with these arguments, whose hashing is seeded, or fixed, whatever ours is.
  init(_ arguments: [String], fixesHashing: Bool = false) {
    queue.async {
      self.state.withLock { state in
        guard let program = Self.program else { return state.failure = .noStart("the path of this program is not known") }
        do throws(ChildProcess.StartFailure) {
          state.child = try ChildProcess(
            program, [CommandLine.arguments.first ?? program] + arguments,
            changes: [("SWIFT_DETERMINISTIC_HASHING", fixesHashing ? "1" : nil)], isJob: false)
        } catch {
          state.failure = .noStart(error.sentence)
        }
      }
    }
  }

  /// Sends a line, and waits for an answer of so many.
  func ask(_ line: String, lines count: Int) async throws -> [String] {
    try await withCheckedThrowingContinuation { answer in
      queue.async { answer.resume(with: Result { try self.state.withLock { try Self.ask(line, lines: count, &$0) } }) }
    }
  }

  private static func ask(_ line: String, lines count: Int, _ state: inout State) throws(AnswerFailure) -> [String] {
    if let failure = state.failure { throw failure }
    guard let child = state.child else { throw .noAnswer("has ended") }
    _ = Files.write(Array("\(line)\n".utf8), to: child.input.descriptor)
    var answer: [String] = []
    var searched = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      while answer.count < count, let end = state.said[searched...].firstIndex(of: 0x0A) {
        answer.append(String(decoding: state.said[..<end], as: UTF8.self))
        state.said.removeFirst(end + 1)
        searched = 0
      }
      searched = state.said.count
      if answer.count == count { return answer }
      let got = unsafe buffer.withUnsafeMutableBytes { unsafe read(child.output.descriptor, $0.baseAddress, $0.count) }
      if got > 0 { state.said += buffer[..<got] }
      guard got > 0 || got < 0 && errno == EINTR else {
        child.input.close()
        let failure = AnswerFailure.noAnswer(child.waitForEnd())
        (state.child, state.failure) = (nil, failure)
        throw failure
      }
    }
  }

  /// Lets the process end, and waits until it has.
  func end() async {
    await withCheckedContinuation { continuation in
      queue.async {
        let child = self.state.withLock { state in
          defer { state.child = nil }
          return state.child
        }
        child?.input.close()
        _ = child?.waitForEnd()
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
