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
      "Read the password from the first line of this file, or of standard input for -. Without it, or where that is a terminal, the terminal is asked.",
      valueName: "file"))
  var passwordFile: String?

  /// The longest line that is read.
  private static let limit = 4096

  /// The password, or `nil` where nobody can be asked.
  ///
  /// - Throws: ``Failure`` where the file cannot be read, or the question was cancelled.
  func password(for name: String) throws(Failure) -> Secret? {
    Self.keepOutOfCores()
    guard let passwordFile, passwordFile != "-" || !StandardStreams.isInputInteractive else {
      return try PasswordPrompt.ask("Password for \(name): ", limit: Self.limit)
    }
    let bytes: [UInt8]
    do throws(FileFailure) { bytes = try Files.readLine(passwordFile, limit: Self.limit) } catch { throw Failure(error) }
    // What some editors put before all text is none of it.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return Secret(Array(bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).prefix { $0 != 0x0D }))
  }

  /// Lets no core of this process be written from now on, in which the password would stand.
  private static func keepOutOfCores() {
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    #else
      unsafe setrlimit(RLIMIT_CORE, &limit)
    #endif
  }
}
