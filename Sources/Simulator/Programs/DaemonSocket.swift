/// Unix sockets at which processes of a machine listen.
public enum DaemonSocket {
  /// Whether a program of a simulation must not talk with the listener at a path, or at an abstract name behind `@`: it
  /// may move real interfaces, hand over descriptors or run commands.
  ///
  /// What keeps logs, names and users, and what is of the user's own session, moves none.
  public static func isOfMachine(_ path: String) -> Bool {
    let place = path.hasPrefix("/var/run/") ? path.dropFirst(4) : path[...]
    return !harmless.contains { place.hasPrefix($0) } && !place.contains("/wifi-harness.")
  }

  private static let harmless = [
    "/run/user/", "/run/systemd/journal/", "/run/systemd/userdb/", "/run/systemd/resolve/", "/run/systemd/notify", "/run/nscd/",
    "/run/gpsd.sock", "/dev/log", "/var/lib/sss/pipes/", "/tmp/.X11-unix/", "/tmp/.ICE-unix/", "@/tmp/.X11-unix/", "@/tmp/.ICE-unix/",
    "@/tmp/dbus-",
  ]
}
