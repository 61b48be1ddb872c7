import ArgumentParser
import CSecrets
import ScanTools
import WiFi

/// Where a password comes from: a file, standard input or the terminal; never an argument, which every user of the
/// machine can read.
struct PasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the password from the first line of this file, or of standard input for -; otherwise it is asked for on the terminal, without echo.",
      valueName: "file"), completion: .file())
  var passwordFile: String?

  /// The longest line that is read.
  private static let limit = 4096

  /// Refuses a password for a network that takes none.
  func validate(with security: JoinSecurity?) throws {
    guard passwordFile != nil, let security, !security.needsPassword else { return }
    throw ValidationError("--security \(security.rawValue) has no password: leave out --password-file.")
  }

  /// The password, or `nil` where no user can be asked.
  ///
  /// - Throws: ``Failure`` where the file cannot be read, or the question was cancelled.
  func password(for name: String) throws(Failure) -> Secret? {
    secrets_protect()
    guard let passwordFile, passwordFile != "-" || !StandardStreams.isInputInteractive else {
      return try PasswordPrompt.ask("Password for \(name): ", limit: Self.limit)
    }
    SecretFile.warnIfReadable(passwordFile, option: "--password-file")
    let bytes = try Failure.wrap(Files.readLine(passwordFile, limit: Self.limit))
    // What some editors put before all text is none of it.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return Secret(Array(bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).prefix { $0 != 0x0D }))
  }
}

/// Files that hold a secret.
enum SecretFile {
  /// Warns where others than the owner of a file may read it.
  static func warnIfReadable(_ path: String, option: String) {
    guard path != "-", Files.isReadableByOthers(path) else { return }
    let name = PrintableText.escape(path)
    StandardStreams.say("\(option): others can read \(name); make it yours alone with `chmod 600`.")
  }
}
