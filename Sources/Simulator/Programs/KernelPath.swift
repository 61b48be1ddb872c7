/// A path of the file system as a program of a simulation uses it: whether the simulated kernel has what is there.
public struct KernelPath: Hashable, Sendable {
  /// The path, absolute, without `.`, `..` and `//`, and with `/proc/net` for the tables of any process.
  public let text: String
  private let parts: [Substring]

  /// The verdict on a call with a path.
  public enum Verdict: Hashable, Sendable {
    /// The machine's own file, which says nothing of its interfaces.
    case pass
    /// A file or folder of the simulated kernel, by its path there.
    case standIn(String)
    /// The device of rfkill.
    case radioSwitch
    /// Nothing is there (`ENOENT`): it would be of the machine's interfaces.
    case absent
    /// The machine is not changed (`EROFS`).
    case readOnly
  }

  /// Takes a path apart; of a relative one it reads `folder` first.
  public init(_ path: String, in folder: String = "/") {
    var parts: [Substring] = []
    // Bytes, as the kernel reads it: a character of Swift can be a slash with the accent that a name begins with.
    let whole = path.utf8.first == 0x2F ? path : "\(folder)/\(path)"
    for part in whole.utf8.split(separator: 0x2F).map({ Substring($0) }) where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    // /proc/self/net, /proc/7/net and /proc/7/task/8/net are what /proc/net is a link to.
    if parts.first == "proc", parts.count >= 3, let second = parts[1].utf8.first {
      let isProcess = parts[1] == "self" || parts[1] == "thread-self" || (0x30...0x39).contains(second)
      if isProcess, parts[2] == "net" { parts.removeSubrange(1...1) }
      if isProcess, parts.count >= 5, parts[2] == "task", parts[4] == "net" { parts.removeSubrange(1...3) }
    }
    self.parts = parts
    text = "/" + parts.joined(separator: "/")
  }

  /// Whether the kernel or a daemon of the machine keeps what is there, so that ``verdict(isChange:)`` may be other
  /// than ``Verdict/pass``.
  public var isOfKernel: Bool {
    switch parts.first {
    case "sys", "proc": true
    case "dev": parts.dropFirst().first == "rfkill"
    case "run": parts.dropFirst().first == "udev"
    case "var": parts.count >= 3 && parts[1] == "run" && parts[2] == "udev"
    default: false
    }
  }

  /// The verdict on a call that reads what is there, or changes it.
  public func verdict(isChange: Bool) -> Verdict {
    switch parts.first {
    case "sys": inSysfs(isChange)
    case "proc": inProcfs(isChange)
    case "dev": text == "/dev/rfkill" ? .radioSwitch : .pass
    // What udev knows of interfaces (`n3`), and of devices of these classes.
    case "run", "var": isOfKernel && parts.last.map(Self.isOfInterface) == true ? .absent : .pass
    default: .pass
    }
  }

  private func inSysfs(_ isChange: Bool) -> Verdict {
    for prefix in Self.sysfs where text == prefix || text.utf8.starts(with: (prefix + "/").utf8) {
      return isChange ? .readOnly : .standIn(text)
    }
    if parts.contains(where: { Self.classes.contains(String($0)) }) { return isChange ? .readOnly : .absent }
    // Groups of processes are no interfaces, and programs that start others make them.
    return isChange && !text.hasPrefix("/sys/fs/cgroup") ? .readOnly : .pass
  }

  private func inProcfs(_ isChange: Bool) -> Verdict {
    if parts.dropFirst().first == "net" {
      if isChange { return .readOnly }
      guard parts.count > 2 else { return .standIn(text) }
      if Self.tables.contains(String(parts[2])) { return .standIn(text) }
      return Self.socketTables.contains(String(parts[2])) ? .pass : .absent
    }
    if parts.count == 1 { return isChange ? .readOnly : .pass }
    guard parts[1] == "sys" else { return .pass }
    if parts.count >= 5, parts[2] == "net", parts[4] == "conf" || parts[4] == "neigh" { return .standIn(text) }
    return isChange ? .readOnly : .pass
  }

  private static func isOfInterface(_ name: Substring) -> Bool {
    let isNumbered = name.first == "n" && name.dropFirst().allSatisfy(\.isNumber) && name.count > 1
    return isNumbered || name.hasPrefix("+ieee80211:") || name.hasPrefix("+rfkill:")
  }

  /// The folders of sysfs that the simulated kernel has.
  static let sysfs = [
    "/sys/class/net", "/sys/class/ieee80211", "/sys/class/rfkill", "/sys/bus/platform/drivers/\(SimulatedKernel.driver)",
  ]
  /// Folders of sysfs, wherever they are, that are about interfaces.
  private static let classes: Set<String> = ["net", "ieee80211", "rfkill", "wireless"]
  /// The tables of `/proc/net` that the simulated kernel has.
  private static let tables: Set<String> = ["dev", "wireless", "route", "if_inet6"]
  /// Tables of sockets, which are the machine's in a simulation, too.
  private static let socketTables: Set<String> = [
    "unix", "tcp", "tcp6", "udp", "udp6", "udplite", "udplite6", "raw", "raw6", "icmp", "icmp6", "snmp", "snmp6", "netstat", "sockstat",
    "sockstat6", "protocols",
  ]
}
