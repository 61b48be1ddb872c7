/// A command that may start scans of an adapter.
protocol ScansAdapter {
  /// Whether it was asked to.
  var scansAdapter: Bool { get }
  /// Whether it draws on the whole terminal.
  var drawsOnTerminal: Bool { get }
}

extension ScansAdapter {
  var drawsOnTerminal: Bool { false }
}

/// What a Debian package installs so that the members of a group scan without being root.
///
/// The command has no capability of its own. Where a scan needs one, it starts itself again through a program of the
/// package that has it, which only the members of a group may execute. Before anything of Swift runs, CCapabilities
/// keeps the capability from what this process starts.
enum PrivilegedStart {
  private static let command = "/usr/bin/wifi-harness"
  private static let program = "/usr/libexec/wifi-harness/wifi-harness-privileged"
  private static let group = "wifi-harness"
  /// Set by that program.
  private static let mark = "WIFI_HARNESS_PRIVILEGED"

  /// Whether that program started this process; what it set in the environment is not for what this process starts.
  private static func wasStarted() -> Bool {
    guard unsafe getenv(mark) != nil else { return false }
    for name in [mark, "SWIFT_BACKTRACE"] { _ = unsafe unsetenv(name) }
    return true
  }

  /// Starts this process again with the capability, where a command needs it, it is missing, and there is a way to get
  /// it.
  ///
  /// Nothing was written or opened before, so that the process that starts again does all of it.
  static func restartIfNeeded(for command: Any) {
    let scans = (command as? any ScansAdapter)?.scansAdapter == true
    if wasStarted() {
      if !scans { startAgainWithoutCapability() }
      // ncurses reads descriptions of terminals out of it, and the parser is no place for a user's file while the
      // capability is there.
      if (command as? any ScansAdapter)?.drawsOnTerminal == true { _ = unsafe unsetenv("HOME") }
      return
    }
    guard scans, isInstalled, !SystemFiles.hasNetAdmin, unsafe access(program, X_OK) == 0 else { return }
    // Where it fails, the scan says what it may not do.
    start(program)
  }

  /// Starts this process again without the capability, where a command asks no adapter: what it reads is from
  /// elsewhere.
  ///
  /// A thread can drop its own capabilities alone, and there are several by now. A program that is executed gets none,
  /// as nothing is left in the sets that it would inherit.
  private static func startAgainWithoutCapability() {
    if geteuid() == 0 || !SystemFiles.hasNetAdmin { return }
    if let path = SystemFiles.link("/proc/self/exe") { start(path) }
    StandardStreams.say("cannot start again without the capability CAP_NET_ADMIN.")
    StandardStreams.exit(.systemError)
  }

  /// Executes a program with the arguments of this one; returns only where that fails.
  private static func start(_ path: String) {
    var arguments = unsafe CommandLine.arguments.map { unsafe strdup($0) } + [nil]
    _ = unsafe execv(path, &arguments)
  }

  /// Whether this is the command of the package.
  private static var isInstalled: Bool { SystemFiles.link("/proc/self/exe") == command }

  /// How this user gets the permission to scan.
  static var advice: String {
    groupAdvice ?? "Run the program as root, or give it the capability: `sudo setcap cap_net_admin+ep $(command -v wifi-harness)`."
  }

  /// Advice for a user outside of the group that may scan; `nil` where there is no such group, or the user is a member.
  static var groupAdvice: String? {
    guard isInstalled, unsafe access(program, F_OK) == 0, unsafe access(program, X_OK) != 0 else { return nil }
    return "Join the group \(group), `sudo adduser $USER \(group)`, and log in again; or run the program as root."
  }
}
