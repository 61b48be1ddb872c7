import Harness
import Subprocess

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

#if canImport(Darwin)
  import Darwin
#endif

/// Another process of this program, which answers lines with lines: see ``SecondRunCommand``.
///
/// It ends when its standard input does, so with this process, however that ends.
final class WorkerProcess: Sendable {
  /// Why there is no answer.
  enum Trouble: Error {
    /// The process could not be started.
    case noStart(String)
    /// The process ended, or said something else.
    case noAnswer(String)
  }

  private struct Request: Sendable {
    var line: String
    /// The number of lines of the answer.
    var count: Int
    var answer: CheckedContinuation<[String], any Error>
  }

  private let requests: AsyncStream<Request>.Continuation
  private let process: Task<Void, Never>

  /// Starts a process with these arguments, whose hashing is seeded, or fixed, whatever ours is.
  init(_ arguments: [String], fixesHashing: Bool = false) {
    let (stream, continuation) = AsyncStream<Request>.makeStream()
    requests = continuation
    process = Task {
      let trouble = await Self.serve(stream, arguments, fixesHashing)
      continuation.finish()
      for await request in stream { request.answer.resume(throwing: trouble) }
    }
  }

  /// Sends a line, and waits for an answer of so many.
  func ask(_ line: String, lines count: Int) async throws -> [String] {
    try await withCheckedThrowingContinuation { answer in
      let request = Request(line: line, count: count, answer: answer)
      if case .enqueued = requests.yield(request) { return }
      answer.resume(throwing: Trouble.noAnswer("has ended"))
    }
  }

  /// Lets the process end, and waits until it has.
  func end() async {
    requests.finish()
    await process.value
  }

  /// Hands requests to a process, one after the other, as long as it answers, and says why it did not.
  private static func serve(
    _ stream: AsyncStream<Request>, _ arguments: [String], _ fixesHashing: Bool
  ) async -> Trouble {
    var open: Request?
    var trouble: Trouble
    do {
      guard let program else { throw Trouble.noStart("nobody knows the path of this program") }
      let done = try await Subprocess.run(
        .path(program), arguments: Arguments(executablePathOverride: CommandLine.arguments.first, remainingValues: arguments),
        environment: .inherit.updating(["SWIFT_DETERMINISTIC_HASHING": fixesHashing ? "1" : nil]), input: .inputWriter, output: .sequence,
        error: .currentStandardError
      ) { process in
        let lines = process.standardOutput.strings(separatedBy: .unicodeScalarSequence("\n".unicodeScalars), bufferingPolicy: .unbounded)
        var iterator = lines.makeAsyncIterator()
        for await request in stream {
          open = request
          _ = try? await process.standardInputWriter.write(request.line + "\n")
          var answer: [String] = []
          while answer.count < request.count, let line = try? await iterator.next() { answer.append(line) }
          guard answer.count == request.count else { return }
          open = nil
          request.answer.resume(returning: answer)
        }
      }
      trouble = .noAnswer(done.terminationStatus.words)
    } catch {
      trouble = error as? Trouble ?? .noStart("\(error)")
    }
    open?.answer.resume(throwing: trouble)
    return trouble
  }

  /// The file of this program.
  private static var program: FilePath? {
    #if os(Linux)
      // The one that runs, even where another was put in its place meanwhile.
      return "/proc/self/exe"
    #elseif canImport(Darwin)
      var buffer = [CChar](repeating: 0, count: 4096)
      var size = UInt32(buffer.count)
      guard unsafe _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
      return FilePath(String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    #else
      return nil
    #endif
  }
}

extension TerminationStatus {
  /// How a process ended, in words.
  fileprivate var words: String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .signaled(let signal): "was ended by signal \(signal)"
    }
  }
}
