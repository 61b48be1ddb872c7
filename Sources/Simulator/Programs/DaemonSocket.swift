/// Sockets at which daemons of a machine listen.
public enum DaemonSocket {
  /// Whether a program of a simulation must not talk with the listener at a path, or at an abstract name behind `@`: a
  /// daemon there may move real interfaces.
  ///
  /// What keeps logs, names and users, and what is of the user's own session, moves none.
  public static func isOfMachine(_ path: String) -> Bool {
    if path.hasPrefix("@") { return !path.hasPrefix("@/tmp/") }
    guard let rest = ["/run/", "/var/run/"].first(where: path.hasPrefix).map({ path.dropFirst($0.count) }) else { return false }
    return !harmless.contains { rest.hasPrefix($0) }
  }

  private static let harmless = [
    "user/", "systemd/journal/", "systemd/userdb/", "systemd/resolve/", "systemd/notify", "nscd/", "wifi-harness.", "gpsd.sock",
  ]
}
