import Dispatch
import Synchronization
import WiFi

/// A program that is started for events, one after the other, without a shell and without blocking the sender.
///
/// An event waits while the program runs for an earlier one; of more than ``maximumWaiting`` the oldest is dropped.
/// What goes wrong is a sentence on standard error.
final class EventCommand: Sendable {
  /// What a program receives for an event.
  struct Event: Sendable {
    var environment: [(name: String, value: String)]
    var input: [UInt8]
  }

  /// The most events that wait.
  static let maximumWaiting = 100
  /// The most bytes of the output for one event that are shown.
  static let maximumOutput = 1 << 16
  /// How long a program that was asked to end may take before it is killed.
  private static let grace = Duration.seconds(1)

  private struct State {
    var waiting: [Event] = []
    var dropped = 0
    var isRunning = false
    var isEnding = false
    /// Whether the program that runs is to end before its limit.
    var isTerminated = false
    var process: pid_t?
  }

  private let words: [String]
  private let limit: TimeOption
  private let state = Mutex(State())
  // A thread of its own: those of tasks are few, and scans need them.
  private let queue = DispatchQueue(label: "exec")

  /// Starts nothing yet.
  ///
  /// - Parameter limit: how long the program may take for an event.
  init(_ words: [String], limit: TimeOption) {
    self.words = words
    self.limit = limit
  }

  /// Lets the program hear of an event, as soon as it is done with the earlier ones.
  func post(_ event: Event) {
    let starts = state.withLock { state in
      if state.isEnding { return false }
      state.waiting.append(event)
      if state.waiting.count > Self.maximumWaiting {
        state.waiting.removeFirst()
        state.dropped += 1
      }
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts { queue.async { self.work() } }
  }

  /// Waits until the program heard of every event.
  func finish() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  /// Drops what waits and takes nothing more; the event that the program is hearing of is finished.
  ///
  /// - Returns: whether this was so already.
  func drop() -> Bool {
    let (wasEnding, count) = state.withLock { state in
      defer { (state.isEnding, state.waiting) = (true, []) }
      return (state.isEnding, state.waiting.count)
    }
    if count > 0 { complain("\(count) waiting event\(count == 1 ? " is" : "s are") dropped, because the program is ending") }
    return wasEnding
  }

  /// Asks the program to end, and kills it where it is still there a second later.
  func terminate() { state.withLock { $0.isTerminated = true } }

  /// Kills the program.
  func kill() {
    if let process = state.withLock({ $0.process }) { sendSignal(SIGKILL, to: process) }
  }

  private func work() {
    while true {
      let (event, dropped) = state.withLock { state -> (Event?, Int) in
        defer { state.dropped = 0 }
        guard !state.waiting.isEmpty else {
          state.isRunning = false
          return (nil, state.dropped)
        }
        return (state.waiting.removeFirst(), state.dropped)
      }
      if dropped > 0 {
        complain("\(dropped) event\(dropped == 1 ? " was" : "s were") dropped, because the command was still busy with earlier ones")
      }
      guard let event else { return }
      if let sentence = run(event) { complain(sentence) }
    }
  }

  private func complain(_ sentence: String) {
    StandardStreams.say("--exec \(PrintableText.escape(words[0])): \(sentence).")
  }

  // MARK: One event

  /// Runs the program for an event; what went wrong, if anything did.
  private func run(_ event: Event) -> String? {
    let child: ChildProcess
    do throws(ChildProcess.StartFailure) {
      child = try ChildProcess(words[0], words, changes: event.environment.map { ($0.name, $0.value) }, isJob: true)
    } catch {
      return error.sentence
    }
    let process = child.id
    state.withLock { $0.process = process }
    var conversation = Conversation(event.input, with: child)
    let clock = ContinuousClock()
    let start = clock.now
    var asked: ContinuousClock.Instant?
    var reason: String?
    var isKilled = false
    var status: Int32 = 0
    while true {
      conversation.exchange(waitingMs: 20)
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process || ended < 0 && errno != EINTR { break }
      let isTerminated = state.withLock { $0.isTerminated }
      if asked == nil, isTerminated || clock.now - start >= limit.duration {
        asked = clock.now
        reason = isTerminated ? "was ended, because the program is ending" : "took longer than \(limit) and was ended"
        sendSignal(SIGTERM, to: process)
      }
      if let asked, !isKilled, clock.now - asked >= Self.grace {
        isKilled = true
        sendSignal(SIGKILL, to: process)
      }
    }
    // What it left running in the background goes with it where it had to be ended, and else lives on.
    if asked != nil { sendSignal(SIGKILL, to: process) }
    state.withLock { $0.process = nil }
    conversation.exchange(waitingMs: 0)
    show(conversation)
    if let reason { return reason }
    return status == 0 ? nil : ChildProcess.words(of: status)
  }

  /// Shows what the program printed, with everything that could act on a terminal escaped.
  private func show(_ conversation: Conversation) {
    if !conversation.output.isEmpty {
      var text = ""
      for line in conversation.output.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast(
        conversation.output.last == 0x0A ? 1 : 0)
      {
        let parts = line.split(separator: 0x09, omittingEmptySubsequences: false).map { Self.printable(Array($0)) }
        text += parts.joined(separator: "\t") + "\n"
      }
      StandardStreams.writeError(text)
    }
    if conversation.outputCount > conversation.output.count {
      complain("printed \(conversation.outputCount) bytes, of which \(conversation.output.count) are shown")
    }
  }

  /// Text whose backslashes stay as they are: it is a program's, not a name.
  private static func printable(_ bytes: [UInt8]) -> String {
    bytes.split(separator: UInt8(ascii: "\\"), omittingEmptySubsequences: false).map { PrintableText.escape($0) }
      .joined(separator: "\\")
  }
}

/// Signals a program and what it started.
private func sendSignal(_ signal: Int32, to process: pid_t) { kill(-process, signal) }

/// What goes to and comes from a program.
private struct Conversation {
  private var input: ArraySlice<UInt8>
  private var inputEnd: ChildProcess.PipeEnd?
  private var outputEnd: ChildProcess.PipeEnd?
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// The first bytes that the program printed.
  private(set) var output: [UInt8] = []
  /// How many it printed.
  private(set) var outputCount = 0

  init(_ input: [UInt8], with child: ChildProcess) {
    self.input = input[...]
    inputEnd = child.input
    outputEnd = child.output
    for end in [child.input, child.output] { _ = fcntl(end.descriptor, F_SETFL, O_NONBLOCK) }
  }

  /// Writes and reads what can be, and waits at most that long for the first of it.
  mutating func exchange(waitingMs: Int32) {
    // What is closed is left out by its negative number.
    var requests = [
      pollfd(fd: outputEnd?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: inputEnd?.descriptor ?? -1, events: Int16(POLLOUT), revents: 0),
    ]
    _ = unsafe poll(&requests, 2, waitingMs)
    if requests[1].revents != 0 { writeInput() }
    if requests[0].revents != 0 { readOutput() }
  }

  private mutating func writeInput() {
    guard let end = inputEnd else { return }
    let count = unsafe input.withUnsafeBytes { unsafe write(end.descriptor, $0.baseAddress, $0.count) }
    if count >= 0 { input = input.dropFirst(count) }
    // A program need not read its standard input.
    if input.isEmpty || count < 0 && errno != EAGAIN && errno != EINTR {
      end.close()
      inputEnd = nil
    }
  }

  private mutating func readOutput() {
    guard let end = outputEnd else { return }
    // So much at once that a program that prints without end leaves time to look at the clock.
    for _ in 0..<16 {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(end.descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return }
      guard count > 0 else {
        end.close()
        outputEnd = nil
        return
      }
      outputCount += count
      output += buffer[..<min(count, EventCommand.maximumOutput - output.count)]
    }
  }
}
