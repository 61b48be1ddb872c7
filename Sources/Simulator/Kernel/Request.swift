import WiFi

/// A request as the kernel reads it.
struct Request {
  let link: SimulatedLink
  /// The whole message.
  let bytes: [UInt8]
  let header: NetlinkHeader
  /// How long the answer takes.
  var delay: Duration

  var sequence: UInt32 { header.sequence }
  var isDump: Bool { header.flags & NetlinkMessage.Flag.dump == NetlinkMessage.Flag.dump }
  var command: UInt8 { header.command(of: bytes) ?? 0 }
  var attributes: AttributeWalk { AttributeWalk(bytes, in: header.attributes) }

  func attribute(_ type: UInt16) -> AttributeHeader? { attributes.first { $0.type == type } }

  func uint32(_ type: UInt16) -> UInt32? { attribute(type)?.uint32(of: bytes) }

  func uint16(_ type: UInt16) -> UInt16? { attribute(type)?.uint16(of: bytes) }

  func has(_ type: UInt16) -> Bool { attribute(type) != nil }

  /// The attributes inside an attribute.
  func nested(_ type: UInt16) -> [AttributeHeader]? {
    attribute(type).map { Array(AttributeWalk(bytes, in: $0.payload)) }
  }
}

extension SimulatedKernel {
  /// Reads the requests of a datagram and answers each.
  func handle(_ datagram: [UInt8], from link: SimulatedLink) {
    for header in NetlinkWalk(datagram) {
      let start = header.payload.lowerBound - NetlinkMessage.headerSize
      let bytes = Array(datagram[start..<header.payload.upperBound])
      // Offsets from the start of the request, as the kernel counts them.
      var walk = NetlinkWalk(bytes)
      guard let own = walk.next() else { continue }
      answer(Request(link: link, bytes: bytes, header: own, delay: configuration.answerDelay))
    }
  }

  private func answer(_ request: Request) {
    guard request.header.flags & NetlinkMessage.Flag.request != 0 else { return }
    if request.link.family == .route { return answerRoute(request) }
    switch request.header.type {
    case NetlinkMessage.ControlType.genericController: answerController(request)
    case configuration.family: answerNL80211(request)
    default: acknowledge(request, Refusal(KernelError.Number.noEntry))
    }
  }

  private func answerNL80211(_ request: Request) {
    var request = request
    do throws(Refusal) {
      try checkPrivilege(request)
      try checkPolicy(request)
      switch requestVerdict(request) {
      case .pass: break
      case .refuse(let number): throw Refusal(number)
      case .preempt: preempt(request)
      case .delay(let delay): request.delay += delay
      }
      switch request.command {
      case NL80211.Command.getInterface: try answerInterfaces(request)
      case NL80211.Command.getWiphy: try answerAdapters(request)
      case NL80211.Command.getProtocolFeatures: answerProtocolFeatures(request)
      case NL80211.Command.getPowerSave: try answerPowerSave(request)
      case NL80211.Command.setInterface: try setInterface(request)
      // Frames that are not about scanning never come, so nobody waits for one in vain who is told so.
      case NL80211.Command.registerFrame:
        _ = try interface(of: request)
        acknowledge(request)
      // There are no keys without a link (ieee80211_del_key).
      case NL80211.Command.deleteKey:
        _ = try interface(of: request)
        throw Refusal(KernelError.Number.noEntry)
      case NL80211.Command.getScan: answerScan(request)
      case NL80211.Command.getRegulatory: answerRegulatory(request)
      case NL80211.Command.getSurvey: answerSurvey(request)
      case NL80211.Command.getStation: answerStations(request)
      case NL80211.Command.triggerScan: try triggerScan(request)
      case NL80211.Command.abortScan: try abortScan(request)
      case NL80211.Command.startScheduledScan: try startScheduledScan(request)
      case NL80211.Command.stopScheduledScan: try stopScheduledScan(request)
      default: throw Refusal(KernelError.Number.notSupported)
      }
    } catch {
      acknowledge(request, error)
    }
  }

  /// Lets another program begin a scan on the adapter of a request.
  private func preempt(_ request: Request) {
    guard let (adapter, interface) = try? runningInterface(of: request), !scans.contains(where: { $0.wiphy == adapter.wiphy }) else {
      return
    }
    startScan(
      wiphy: adapter.wiphy, interface, channels: adapter.channels.filter { !$0.isDisabled }, ssids: [.wildcard])
  }

  /// `GENL_UNS_ADMIN_PERM`: checked before anything is read.
  private func checkPrivilege(_ request: Request) throws(Refusal) {
    switch request.command {
    case NL80211.Command.triggerScan, NL80211.Command.abortScan, NL80211.Command.startScheduledScan,
      NL80211.Command.stopScheduledScan:
      if !request.link.isPrivileged { throw Refusal(KernelError.Number.notPermitted) }
    default: break
    }
  }

  /// The attributes that the kernel validates before a command sees them (`nl80211_policy`).
  private func checkPolicy(_ request: Request) throws(Refusal) {
    for attribute in request.attributes {
      let width: Int
      switch attribute.type {
      case NL80211.Attribute.wiphy, NL80211.Attribute.interfaceIndex, NL80211.Attribute.scanFlags: width = 4
      case NL80211.Attribute.measurementDuration: width = 2
      default: continue
      }
      if attribute.payload.count != width {
        var refusal = Refusal(KernelError.Number.range, message: "Attribute failed policy validation")
        refusal.offset = UInt32(attribute.payload.lowerBound - 4)
        // NL_ATTR_TYPE_U32 with its range, or NL_ATTR_TYPE_U16.
        var policy = AttributeWriter()
        policy.write(4, [0, 0, 0, 0, 0, 0, 0, 0] as [UInt8])
        policy.writeFlag(11)  // NL_POLICY_TYPE_ATTR_PAD
        policy.write(5, UInt64(width == 4 ? UInt32.max : UInt32(UInt16.max)))
        policy.write(1, width == 4 ? 4 : 3 as UInt32)
        refusal.policy = policy.bytes
        throw refusal
      }
    }
  }

  /// The adapter and interface that a request names, which must be up where a driver is to do something.
  func interface(of request: Request) throws(Refusal) -> (adapter: SimulatedAdapter, interface: SimulatedInterface) {
    let index = request.uint32(NL80211.Attribute.interfaceIndex)
    let wdev = index == nil ? request.attribute(NL80211.Attribute.wdev)?.uint64(of: request.bytes) : nil
    for adapter in adapters {
      // Some programs name the wireless device (NL80211_ATTR_WDEV), others the interface.
      for interface in adapter.interfaces where interface.index == index || interface.wdev == wdev { return (adapter, interface) }
    }
    throw Refusal(KernelError.Number.noDevice)
  }

  func runningInterface(
    of request: Request
  ) throws(Refusal) -> (adapter: SimulatedAdapter, interface: SimulatedInterface) {
    let found = try interface(of: request)
    if !found.interface.isUp { throw Refusal(KernelError.Number.networkDown) }
    return found
  }
}
