import WiFi

/// The part of rtnetlink(7) that programs ask of a Wi-Fi interface: links, and the addresses, routes and neighbours of
/// a machine that has none but the loopback's.
extension SimulatedKernel {
  /// `enum` of `<linux/rtnetlink.h>`.
  enum RouteMessage {
    static let newLink: UInt16 = 16
    static let deleteLink: UInt16 = 17
    static let getLink: UInt16 = 18
    static let setLink: UInt16 = 19
    static let newAddress: UInt16 = 20
  }

  func answerRoute(_ request: Request) {
    do throws(Refusal) {
      // A message without the structure of its family ends before anything is read.
      guard request.header.payload.count >= 1 else { throw Refusal(KernelError.Number.invalid) }
      if request.header.type >= RouteMessage.newLink, request.header.type & 3 == 2 { try checkListing(of: request) }
      switch request.header.type {
      case RouteMessage.getLink: try answerLinks(request)
      case RouteMessage.newLink, RouteMessage.setLink: try setLink(request)
      default:
        // RTM_NEW…, RTM_DEL…, RTM_GET… and RTM_SET… of a kind stand together, four by four.
        guard request.header.type >= RouteMessage.newLink, request.header.type & 3 == 2 else {
          throw Refusal(KernelError.Number.notSupported)
        }
        guard request.isDump else { throw Refusal(request.header.type == 26 ? 101 : KernelError.Number.notSupported) }  // ENETUNREACH
        var builder = builder(for: request)
        // The loopback has no address of AF_INET6.
        let family = request.bytes[request.header.payload.lowerBound]
        if request.header.type == RouteMessage.newAddress + 2, family != 10 { writeLoopbackAddress(into: &builder) }
        finishDump(request, builder)
      }
    } catch {
      acknowledge(request, error)
    }
  }

  /// `RTM_GETLINK`: all, or one by its number or name.
  private func answerLinks(_ request: Request) throws(Refusal) {
    var builder = builder(for: request)
    if request.isDump {
      for interface in networkInterfaces { write(interface, RouteMessage.newLink, flags: NetlinkMessage.Flag.multi, into: &builder) }
      return finishDump(request, builder)
    }
    write(try interface(ofLink: request), RouteMessage.newLink, flags: 0, into: &builder)
    replyAndAcknowledge(request, builder)
  }

  /// `RTM_SETLINK`, and `RTM_NEWLINK` of a link that is there: up or down, and what a supplicant says of its state; a
  /// change of anything else is refused, because it would have no effect.
  private func setLink(_ request: Request) throws(Refusal) {
    let interface = try interface(ofLink: request)
    if !request.link.isPrivileged { throw Refusal(KernelError.Number.notPermitted) }
    let payload = request.bytes[request.header.payload]
    func word(_ offset: Int) -> UInt32 {
      (0..<4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(payload[payload.startIndex + offset + $1]) }
    }
    // Without a mask all flags are meant, and without flags none (rtnl_dev_combine_flags, do_setlink).
    let (flags, mask) = (word(8), word(12))
    let changes = (flags ^ interface.flags) & (mask == 0 && flags != 0 ? .max : mask)
    try checkChange(of: interface, changes)
    let start = request.header.payload.lowerBound + Self.linkSize
    for attribute in AttributeWalk(request.bytes, in: start..<request.header.payload.upperBound) {
      let value = Array(request.bytes[attribute.payload])
      let isChange: Bool
      switch attribute.type {
      case 1: isChange = value != interface.address.bytes  // IFLA_ADDRESS
      case 3: isChange = attribute.string(of: request.bytes) != interface.name  // IFLA_IFNAME
      case 4: isChange = value != (0..<4).map { UInt8(truncatingIfNeeded: interface.mtu >> (8 * $0)) }  // IFLA_MTU
      case 13: isChange = value != [0xE8, 0x03, 0, 0]  // IFLA_TXQLEN of 1000
      case 10, 18, 19, 20, 28: isChange = true  // IFLA_MASTER, LINKINFO, NET_NS_PID, IFALIAS, NET_NS_FD
      default: isChange = false
      }
      if isChange { throw Refusal(KernelError.Number.notSupported) }
    }
    if changes & 1 != 0 { try setUp(interface, flags & 1 != 0) }
    acknowledge(request)
  }

  /// Refuses changes of flags that would have no effect: of IFF_NOARP, IFF_PROMISC and IFF_ALLMULTI, and of whether the
  /// loopback is up.
  func checkChange(of interface: NetworkInterface, _ flags: UInt32) throws(Refusal) {
    if flags & 0x380 != 0 || flags & 1 != 0 && interface.wiphy == nil { throw Refusal(KernelError.Number.notSupported) }
  }

  /// Brings an interface up or down, as `dev_change_flags` does.
  func setUp(_ interface: NetworkInterface, _ isUp: Bool) throws(Refusal) {
    if isUp, adapters.contains(where: { $0.wiphy == interface.wiphy && $0.isRFKilled }) { throw Refusal(KernelError.Number.rfkill) }
    setInterface(interface.index, isUp: isUp)
  }

  private func interface(ofLink request: Request) throws(Refusal) -> NetworkInterface {
    let payload = request.header.payload
    guard payload.count >= Self.linkSize else { throw Refusal(KernelError.Number.invalid) }
    let start = payload.lowerBound
    let index = (4..<8).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(request.bytes[start + $1]) }
    var found = networkInterfaces.first { $0.index == index }
    if index == 0 {
      let attributes = AttributeWalk(request.bytes, in: start + Self.linkSize..<payload.upperBound)
      // IFLA_IFNAME
      let name = attributes.first { $0.type == 3 }?.string(of: request.bytes)
      found = networkInterfaces.first { $0.name == name }
    }
    guard let found else { throw Refusal(KernelError.Number.noDevice) }
    return found
  }

  /// The size of `struct ifinfomsg`, in bytes.
  private static let linkSize = 16

  /// Writes a link, in the order of `rtnl_fill_ifinfo`.
  func write(_ interface: NetworkInterface, _ type: UInt16, flags: UInt16, into builder: inout MessageBuilder) {
    builder.message(type: type, flags: flags, size: 512) { builder in
      let isWireless = interface.wiphy != nil
      builder.raw([0, 0, UInt8(interface.hardwareType & 0xFF), UInt8(interface.hardwareType >> 8)] as [UInt8])
      builder.raw(interface.index)
      builder.raw(interface.flags)
      builder.raw(0 as UInt32)
      builder.write(3, interface.name)  // IFLA_IFNAME
      builder.write(13, 1000 as UInt32)  // IFLA_TXQLEN
      // IF_OPER_UP, IF_OPER_DOWN, IF_OPER_UNKNOWN
      builder.write(16, !isWireless ? 0 : interface.hasCarrier ? 6 : 2 as UInt8)  // IFLA_OPERSTATE
      builder.write(17, 0 as UInt8)  // IFLA_LINKMODE
      builder.write(4, interface.mtu)  // IFLA_MTU
      builder.write(50, (isWireless ? 256 : 0) as UInt32)  // IFLA_MIN_MTU
      builder.write(51, (isWireless ? 2304 : 0) as UInt32)  // IFLA_MAX_MTU
      builder.write(27, 0 as UInt32)  // IFLA_GROUP
      builder.write(30, 0 as UInt32)  // IFLA_PROMISCUITY
      builder.write(31, (isWireless ? 4 : 1) as UInt32)  // IFLA_NUM_TX_QUEUES
      builder.write(32, 1 as UInt32)  // IFLA_NUM_RX_QUEUES
      builder.write(33, interface.hasCarrier ? 1 : 0 as UInt8)  // IFLA_CARRIER
      builder.write(6, isWireless ? "mq" : "noqueue")  // IFLA_QDISC
      builder.write(1, interface.address)  // IFLA_ADDRESS
      builder.write(2, isWireless ? MACAddress(0xFFFF_FFFF_FFFF) : MACAddress(0))  // IFLA_BROADCAST
      builder.write(7, [UInt8](repeating: 0, count: 96))  // IFLA_STATS
      builder.write(23, [UInt8](repeating: 0, count: 200))  // IFLA_STATS64
    }
  }

  /// 127.0.0.1/8 of the loopback (`struct ifaddrmsg`).
  private func writeLoopbackAddress(into builder: inout MessageBuilder) {
    builder.message(type: RouteMessage.newAddress, flags: NetlinkMessage.Flag.multi) { builder in
      builder.raw([2, 8, 0x80, 254] as [UInt8])
      builder.raw(1 as UInt32)
      builder.write(1, [127, 0, 0, 1] as [UInt8])  // IFA_ADDRESS
      builder.write(2, [127, 0, 0, 1] as [UInt8])  // IFA_LOCAL
      builder.write(3, "lo")  // IFA_LABEL
    }
  }

  /// Notifies programs of a link that came, went or changed (`RTNLGRP_LINK`).
  func announceLink(_ index: UInt32, _ type: UInt16 = RouteMessage.newLink) {
    guard let interface = networkInterfaces.first(where: { $0.index == index }) else { return }
    announce(interface, type)
  }

  func announce(_ interface: NetworkInterface, _ type: UInt16) {
    var builder = MessageBuilder()
    write(interface, type, flags: 0, into: &builder)
    send(&builder, to: 1, of: .route)
  }
}
