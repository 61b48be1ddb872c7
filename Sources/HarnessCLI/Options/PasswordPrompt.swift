import ScanTools
import WiFi

/// A question for a password on the terminal of the process, without showing what is typed.
///
/// The terminal is as it was before whatever ends the question, but for a signal that cannot be caught. Stopped with
/// Ctrl-Z and continued, the question is asked again.
enum PasswordPrompt {
  private enum Answer {
    case line([UInt8])
    case signal(CInt)
    case tooLong
    /// Ctrl-D, or a terminal that went away, before anything was typed.
    case end
  }

  /// What ends the question; a terminal sends the first three for Ctrl-C, Ctrl-\ and Ctrl-Z.
  private static let signals = [SIGINT, SIGQUIT, SIGTSTP, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM]

  /// Asks, and returns what was typed up to the end of the line; `nil` where the process has no terminal.
  ///
  /// The terminal is the controlling one, or else that of standard input.
  ///
  /// - Throws: ``Failure`` where the question was cancelled.
  static func ask(_ question: String, limit: Int) throws(Failure) -> Secret? {
    var terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    if terminal < 0, StandardStreams.isInputInteractive { terminal = dup(0) }
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    while true {
      guard let answer = answer(question, terminal, limit) else { return nil }
      switch answer {
      case .line(let line): return Secret(line)
      case .tooLong: throw Failure(.usage, "no password is that long.")
      case .end, .signal(SIGINT): throw Failure(.checkFailed, "the question for the password was cancelled.")
      // Its own handling is back, which stops the process here or ends it.
      case .signal(let number): SignalAction.raise(number)
      }
    }
  }

  /// Asks once; `nil` where there is no terminal to ask on.
  private static func answer(_ question: String, _ terminal: CInt, _ limit: Int) -> Answer? {
    var before = termios()
    guard unsafe tcgetattr(terminal, &before) == 0 else { return nil }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    // A wait for a line ends with a signal, too.
    guard let caught = SignalPipe(signals) else { return nil }
    defer {
      caught.restore()
      caught.recycle()
    }
    guard unsafe tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return nil }
    defer {
      unsafe tcsetattr(terminal, TCSAFLUSH, &before)
      _ = Files.write([0x0A], to: terminal)
    }
    _ = Files.write(Array(question.utf8), to: terminal)
    var line: [UInt8] = []
    while true {
      var polled = [pollfd(fd: caught.reader, events: Int16(POLLIN), revents: 0), pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)]
      guard unsafe poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
      if polled[0].revents != 0 {
        guard let number = caught.next() else { continue }
        return .signal(number)
      }
      var byte: UInt8 = 0
      let count = unsafe read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0, line.isEmpty { return .end }
      if count <= 0 || byte == 0x0A { return .line(line) }
      line.append(byte)
      guard line.count <= limit else { return .tooLong }
    }
  }
}
