import ArgumentParser
import Harness
import WiFi

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a password comes from: a file, standard input or the terminal; never an argument, which every user of the machine can read.
struct PasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the password from the first line of this file, or of standard input for -. Without it a terminal is asked.", valueName: "file"))
  var passwordFile: String?

  /// The longest file that is read.
  private static let limit = 4096

  /// The password, or `nil` where nobody can be asked.
  ///
  /// - Throws: ``Failure`` where the file cannot be read, or the question was cancelled.
  func password(for name: String) throws(Failure) -> Secret? {
    guard let passwordFile else { return try Self.ask("Password for \(name): ") }
    let bytes: [UInt8]
    do throws(FileFailure) { bytes = try Files.read(passwordFile, limit: Self.limit) } catch { throw Failure(error) }
    return Secret(Array(bytes.prefix { $0 != 0x0A && $0 != 0x0D }))
  }

  /// Asks on the terminal, without showing what is typed.
  private static func ask(_ question: String) throws(Failure) -> Secret? {
    let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var before = termios()
    guard unsafe tcgetattr(terminal, &before) == 0 else { return nil }
    var silent = before
    // Signals are off too: an interruption must not leave the terminal without echo.
    silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
    guard unsafe tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return nil }
    defer {
      unsafe tcsetattr(terminal, TCSAFLUSH, &before)
      _ = Files.write([0x0A], to: terminal)
    }
    _ = Files.write(Array(question.utf8), to: terminal)
    var line: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      let count = unsafe read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 || byte == 0x0A { break }
      // Ctrl-C and Ctrl-\ arrive as characters.
      if byte == 0x03 || byte == 0x1C { throw Failure(.checkFailed, "the join was cancelled.") }
      line.append(byte)
      guard line.count <= limit else { throw Failure(.usage, "no password is that long.") }
    }
    return Secret(line)
  }
}
