/// A file that stands in for one of the kernel about network interfaces.
public struct KernelFile: Hashable, Sendable {
  /// Where the kernel has it, such as `/sys/class/net/wlan0/address`.
  public var path: String
  /// What is there.
  public var content: Content

  /// What is at a path.
  public enum Content: Hashable, Sendable {
    /// A file of text.
    case text(String)
    /// A symbolic link to another path, relative to where it is.
    case link(String)
    /// A folder.
    case folder
  }
}

extension SimulatedKernel {
  /// The files about interfaces and adapters as they are now: `/sys/class/net` and `/sys/class/ieee80211`.
  public var files: [KernelFile] {
    run()
    var files: [KernelFile] = []
    func add(_ path: String, _ text: String) { files.append(KernelFile(path: path, content: .text(text + "\n"))) }
    files.append(KernelFile(path: "/sys/class/net", content: .folder))
    files.append(KernelFile(path: "/sys/class/ieee80211", content: .folder))
    for interface in networkInterfaces {
      let folder = "/sys/class/net/\(interface.name)"
      add("\(folder)/address", "\(interface.address)")
      add("\(folder)/addr_len", "6")
      add("\(folder)/broadcast", interface.wiphy == nil ? "00:00:00:00:00:00" : "ff:ff:ff:ff:ff:ff")
      add("\(folder)/flags", "0x" + String(interface.flags & 0xFFFF, radix: 16))
      add("\(folder)/ifindex", "\(interface.index)")
      add("\(folder)/iflink", "\(interface.index)")
      add("\(folder)/mtu", "\(interface.mtu)")
      add("\(folder)/operstate", interface.wiphy == nil ? "unknown" : interface.hasCarrier ? "up" : "down")
      add("\(folder)/type", "\(interface.hardwareType)")
      add("\(folder)/tx_queue_len", "1000")
      add("\(folder)/dev_id", "0x0")
      add("\(folder)/dev_port", "0")
      // Of an interface that is down the kernel lets nobody read it.
      if interface.isUp { add("\(folder)/carrier", interface.hasCarrier ? "1" : "0") }
      let kind = interface.wiphy == nil ? "" : "DEVTYPE=wlan\n"
      add("\(folder)/uevent", "\(kind)INTERFACE=\(interface.name)\nIFINDEX=\(interface.index)")
      guard let wiphy = interface.wiphy, let adapter = adapters.first(where: { $0.wiphy == wiphy }) else { continue }
      files.append(KernelFile(path: "\(folder)/wireless", content: .folder))
      files.append(KernelFile(path: "\(folder)/phy80211", content: .link("../../ieee80211/\(adapter.name)")))
    }
    add("/proc/net/dev", Self.table(of: networkInterfaces.map(\.name)))
    add("/proc/net/wireless", Self.wirelessTable)
    // No interface but the loopback's has an address, and there are no routes.
    add("/proc/net/route", "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT")
    files.append(KernelFile(path: "/proc/net/if_inet6", content: .text("")))
    for adapter in adapters {
      let folder = "/sys/class/ieee80211/\(adapter.name)"
      add("\(folder)/index", "\(adapter.wiphy)")
      add("\(folder)/name", adapter.name)
      if let first = adapter.interfaces.first { add("\(folder)/macaddress", "\(first.address)") }
      add("\(folder)/address_mask", "00:00:00:00:00:00")
      for interface in adapter.interfaces {
        files.append(KernelFile(path: "\(folder)/device/net/\(interface.name)", content: .link("../../../../net/\(interface.name)")))
      }
    }
    return files
  }

  /// `/proc/net/dev`: nothing was sent or received.
  private static func table(of names: [String]) -> String {
    let counts = (0..<16).map { _ in "0" }.joined(separator: " ")
    let heading = """
      Inter-|   Receive                                                |  Transmit
       face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
      """
    return ([heading] + names.map { String(repeating: " ", count: max(0, 6 - $0.utf8.count)) + "\($0): \(counts)" }).joined(separator: "\n")
  }

  /// `/proc/net/wireless`, which lists associated interfaces of old drivers alone.
  private static let wirelessTable = """
    Inter-| sta-|   Quality        |   Discarded packets               | Missed | WE
     face | tus | link level noise |  nwid  crypt   frag  retry   misc | beacon | 22
    """
}
