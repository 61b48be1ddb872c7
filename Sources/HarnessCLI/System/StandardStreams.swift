import ScanTools
import Synchronization

/// Standard output and error, and what is known of the terminal behind them.
enum StandardStreams {
  /// Whether standard output is a terminal.
  static var isInteractive: Bool { isatty(1) == 1 }

  /// Whether standard output is a terminal that understands control sequences.
  static var canMoveCursor: Bool { isInteractive && environment("TERM") != "dumb" }

  /// Whether standard error is a terminal.
  static var isErrorInteractive: Bool { isatty(2) == 1 }

  /// Whether standard input is a terminal.
  static var isInputInteractive: Bool { isatty(0) == 1 }

  /// Makes sure that the next file that is opened does not become standard input, output or error.
  ///
  /// A caller that closes one of them, as with `>&-`, would otherwise find the found and lost lines in the middle of a
  /// recording. What stands in for it can be neither read from nor written to, so its use is an error as it should be.
  static func reserveStandardStreams() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Columns and rows of the terminal, or `nil` where standard output is none.
  static var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Writes to standard output.
  ///
  /// - Throws: ``Failure`` with status 74 where it cannot, such as on a full disk. A reader that went away ends the
  ///   command quietly, unless it called ``outliveReader(_:)`` or ``endWithoutReader(as:)``.
  static func write(_ bytes: [UInt8]) throws(Failure) { try write(bytes[...]) }

  /// As ``write(_:)`` of an array does.
  static func write(_ bytes: ArraySlice<UInt8>) throws(Failure) {
    if let number = Files.write(bytes, to: 1).error {
      if number == EPIPE { return readerWentAway() }
      throw Failure(.inputOutput, "cannot write to standard output: \(Failure.words(of: number)).")
    }
  }

  /// What happens where the reader of standard output goes away.
  private enum ReaderLoss: Sendable {
    case ends(ExitStatus)
    case isSaid(String)
    case wasSaid
  }

  private static let readerLoss = Mutex(ReaderLoss.ends(.success))

  /// Lets the command go on where the reader of standard output goes away, and say this sentence once.
  static func outliveReader(_ sentence: String) { readerLoss.withLock { $0 = .isSaid(sentence) } }

  /// Lets the command end with this status where the reader of standard output goes away.
  static func endWithoutReader(as status: ExitStatus) { readerLoss.withLock { $0 = .ends(status) } }

  private static func readerWentAway() {
    let loss = readerLoss.withLock { loss in
      defer { if case .isSaid = loss { loss = .wasSaid } }
      return loss
    }
    switch loss {
    case .ends(let status): exit(status)
    case .isSaid(let sentence): say(sentence)
    case .wasSaid: break
    }
  }

  /// Writes to standard output.
  static func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

  /// Writes to standard output, and ends the process with a sentence where it cannot.
  static func writeOrExit(_ bytes: ArraySlice<UInt8>) {
    do throws(Failure) { try write(bytes) } catch {
      say(error.sentence)
      exit(error.status)
    }
  }

  /// Writes to standard error; nothing can be done where that fails.
  static func writeError(_ text: String) { _ = Files.write(Array(text.utf8), to: 2) }

  /// Says a sentence on standard error, behind the name of the program.
  static func say(_ sentence: String) { writeError("wifi-harness: \(sentence)\n") }

  /// Ends the process.
  static func exit(_ status: ExitStatus) -> Never { _exit_(status.rawValue) }

  /// Lets a reader that goes away show as an error of `write` instead of ending the process.
  static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

  /// An environment variable that is set and not empty.
  static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The time now.
  static func now() -> UTCTime { UTCTime(nanoseconds: nanoseconds(of: CLOCK_REALTIME)) }

  /// The time since boot, sleep included, where the system has it.
  static func bootTime() -> Duration? {
    #if os(Linux)
      .nanoseconds(nanoseconds(of: CLOCK_BOOTTIME))
    #else
      nil
    #endif
  }

  /// What a clock of the system shows.
  static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

private func _exit_(_ status: Int32) -> Never { exit(status) }
