import WiFi

/// An interface of a machine as every program sees it, wireless or not (`struct net_device`).
struct NetworkInterface: Hashable {
  var index: UInt32
  var name: String
  var address: MACAddress
  /// `IFF_UP` and others.
  var flags: UInt32
  /// The largest packet in bytes.
  var mtu: UInt32
  /// `ARPHRD_ETHER` or `ARPHRD_LOOPBACK`.
  var hardwareType: UInt16
  /// The adapter of a wireless one.
  var wiphy: UInt32?
  /// Whether it is wireless and associated, or the loopback.
  var hasCarrier: Bool

  /// Whether it is up (`IFF_UP`).
  var isUp: Bool { flags & 1 != 0 }
}

extension SimulatedKernel {
  /// The interfaces of the machine: the loopback, then those of the adapters.
  var networkInterfaces: [NetworkInterface] {
    [Self.loopback]
      + adapters.flatMap { adapter in
        adapter.interfaces.map { interface in
          // IFF_BROADCAST | IFF_MULTICAST, with a link IFF_RUNNING | IFF_LOWER_UP, too.
          let hasCarrier = interface.isUp && interface.associated != nil
          return NetworkInterface(
            index: interface.index, name: interface.name, address: interface.address,
            flags: 0x1002 | (interface.isUp ? 1 : 0) | (hasCarrier ? 0x10040 : 0), mtu: 1500, hardwareType: 1, wiphy: adapter.wiphy,
            hasCarrier: hasCarrier)
        }
      }
  }

  /// The loopback: IFF_UP | IFF_LOOPBACK | IFF_RUNNING | IFF_LOWER_UP.
  static let loopback = NetworkInterface(
    index: 1, name: "lo", address: MACAddress(0), flags: 0x10049, mtu: 65_536, hardwareType: 772, wiphy: nil, hasCarrier: true)
}
