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
  /// The driver of every simulated adapter, by the name that Linux has for it.
  static let driver = "mac80211_hwsim"

  /// The files about interfaces and adapters as they are now, in sysfs and procfs.
  public var files: [KernelFile] {
    run()
    var files = KernelPath.sysfs.map { KernelFile(path: $0, content: .folder) }
    func add(_ path: String, _ text: String) { files.append(KernelFile(path: path, content: .text(text + "\n"))) }
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
      // The kernel refuses to read it while the interface is down.
      if interface.isUp { add("\(folder)/carrier", interface.hasCarrier ? "1" : "0") }
      let kind = interface.wiphy == nil ? "" : "DEVTYPE=wlan\n"
      add("\(folder)/uevent", "\(kind)INTERFACE=\(interface.name)\nIFINDEX=\(interface.index)")
      guard let wiphy = interface.wiphy, let adapter = adapters.first(where: { $0.wiphy == wiphy }) else { continue }
      files.append(KernelFile(path: "\(folder)/wireless", content: .folder))
      files.append(KernelFile(path: "\(folder)/phy80211", content: .link("../../ieee80211/\(adapter.name)")))
      files.append(KernelFile(path: "\(folder)/device", content: .link("../../ieee80211/\(adapter.name)/device")))
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
      add("\(folder)/device/uevent", "DRIVER=\(Self.driver)")
      files.append(KernelFile(path: "\(folder)/device/driver", content: .link("../../../../bus/platform/drivers/\(Self.driver)")))
      for interface in adapter.interfaces {
        files.append(KernelFile(path: "\(folder)/device/net/\(interface.name)", content: .link("../../../../net/\(interface.name)")))
      }
    }
    addSettings(to: &files)
    for adapter in adapters { addRadioSwitch(adapter, to: &files) }
    return files
  }

  /// The switch of an adapter (`Documentation/ABI/stable/sysfs-class-rfkill`), and the name of the device that all are
  /// moved with.
  private func addRadioSwitch(_ adapter: SimulatedAdapter, to files: inout [KernelFile]) {
    let folder = "/sys/class/rfkill/rfkill\(adapter.wiphy)"
    let values = [
      ("hard", "0"), ("index", "\(adapter.wiphy)"), ("name", adapter.name), ("persistent", "0"), ("soft", adapter.isRFKilled ? "1" : "0"),
      ("state", adapter.isRFKilled ? "0" : "1"), ("type", "wlan"),
      ("uevent", "RFKILL_NAME=\(adapter.name)\nRFKILL_TYPE=wlan\nRFKILL_STATE=\(adapter.isRFKilled ? 0 : 1)"),
    ]
    for (name, value) in values { files.append(KernelFile(path: "\(folder)/\(name)", content: .text(value + "\n"))) }
    files.append(KernelFile(path: "\(folder)/device", content: .link("../../ieee80211/\(adapter.name)")))
  }

  /// Settings of each interface in `/proc/sys/net`, with the defaults of Linux
  /// (`Documentation/networking/ip-sysctl.rst`).
  ///
  /// Programs may write them. They have no effect: no interface but the loopback has an address.
  private func addSettings(to files: inout [KernelFile]) {
    func add(_ folder: String, _ settings: [(name: String, value: Int)]) {
      files += settings.map { KernelFile(path: "/proc/sys/net/\(folder)/\($0.name)", content: .text("\($0.value)\n")) }
    }
    for name in ["all", "default"] + networkInterfaces.map(\.name) {
      add("ipv4/conf/\(name)", Self.settings4)
      add("ipv6/conf/\(name)", Self.settings6)
      guard name != "all" else { continue }
      for family in ["ipv4", "ipv6"] { add("\(family)/neigh/\(name)", Self.neighborSettings) }
    }
  }

  private static let settings4: [(name: String, value: Int)] = [
    ("accept_local", 0), ("accept_redirects", 1), ("accept_source_route", 0), ("arp_announce", 0), ("arp_filter", 0), ("arp_ignore", 0),
    ("arp_notify", 0), ("forwarding", 0), ("log_martians", 0), ("promote_secondaries", 0), ("proxy_arp", 0), ("rp_filter", 0),
    ("send_redirects", 1),
  ]
  private static let settings6: [(name: String, value: Int)] = [
    ("accept_dad", 1), ("accept_ra", 1), ("accept_ra_defrtr", 1), ("accept_ra_pinfo", 1), ("accept_ra_rtr_pref", 1),
    ("accept_redirects", 1),
    ("addr_gen_mode", 0), ("autoconf", 1), ("dad_transmits", 1), ("disable_ipv6", 0), ("forwarding", 0), ("hop_limit", 64), ("mtu", 1500),
    ("router_solicitations", -1), ("use_tempaddr", 0),
  ]
  private static let neighborSettings: [(name: String, value: Int)] = [
    ("base_reachable_time_ms", 30_000), ("delay_first_probe_time", 5), ("gc_stale_time", 60), ("mcast_solicit", 3),
    ("retrans_time_ms", 1000),
    ("ucast_solicit", 3),
  ]

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
