import WiFi

/// A request as the kernel reads it.
struct Request {
  let link: SimulatedLink
  /// The whole message.
  let bytes: [UInt8]
  let header: NetlinkHeader
  /// How long the answer takes.
  var delay = Duration.zero

  var sequence: UInt32 { header.sequence }
  var isDump: Bool { header.flags & NetlinkMessage.Flag.dump == NetlinkMessage.Flag.dump }
  var wantsAcknowledgement: Bool { header.flags & NetlinkMessage.Flag.acknowledge != 0 }
  var command: UInt8 { header.command(of: bytes) ?? 0 }
  var attributes: AttributeWalk { AttributeWalk(bytes, in: header.attributes) }

  func attribute(_ type: UInt16) -> AttributeHeader? { attributes.first { $0.type == type } }

  /// A number of an attribute, which may be longer than that: then its first bytes count (`nla_get_u32`).
  func uint32(_ type: UInt16) -> UInt32? { attribute(type)?.first(4).uint32(of: bytes) }

  func uint16(_ type: UInt16) -> UInt16? { attribute(type)?.first(2).uint16(of: bytes) }

  func uint64(_ type: UInt16) -> UInt64? { attribute(type)?.first(8).uint64(of: bytes) }

  func has(_ type: UInt16) -> Bool { attribute(type) != nil }

  func nested(_ type: UInt16) -> [AttributeHeader]? {
    attribute(type).map { Array(AttributeWalk(bytes, in: $0.payload)) }
  }
}

extension AttributeHeader {
  /// The header of the first bytes of the attribute alone.
  fileprivate func first(_ count: Int) -> AttributeHeader {
    var header = self
    header.payload = payload.lowerBound..<Swift.min(payload.upperBound, payload.lowerBound + count)
    return header
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
      answer(Request(link: link, bytes: bytes, header: own))
    }
  }

  private func answer(_ request: Request) {
    // What is no request, and control messages such as NLMSG_NOOP, are skipped (netlink_rcv_skb).
    let isRequest = request.header.flags & NetlinkMessage.Flag.request != 0
    guard isRequest, request.header.type >= NetlinkMessage.ControlType.genericController else {
      if request.wantsAcknowledgement { acknowledge(request) }
      return
    }
    if request.link.family == .route { return answerRoute(request) }
    switch request.header.type {
    case NetlinkMessage.ControlType.genericController: answerController(request)
    case configuration.family: answerNL80211(request)
    default: acknowledge(request, Refusal(KernelError.Number.noEntry))
    }
  }

  /// What every family of generic netlink is checked for before anything is read (`genl_family_rcv_msg`).
  func checkOperation(of request: Request, _ operations: [GenericOperation]) throws(Refusal) {
    guard request.header.payload.count >= 4 else { throw Refusal(KernelError.Number.invalid) }
    guard let operation = operations.first(where: { $0.command == request.command }),
      request.isDump ? operation.canList : operation.canDo
    else { throw Refusal(KernelError.Number.notSupported) }
    if operation.isPrivileged, !request.link.isPrivileged { throw Refusal(KernelError.Number.notPermitted) }
    try checkListing(of: request)
  }

  /// A socket reads one list at a time (`__netlink_dump_start`).
  func checkListing(of request: Request) throws(Refusal) {
    if request.isDump, request.link.isListing { throw Refusal(KernelError.Number.busy) }
  }

  private func answerNL80211(_ request: Request) {
    var request = request
    var isListBegun = false
    do throws(Refusal) {
      try checkOperation(of: request, GenericOperation.nl80211)
      isListBegun = request.isDump
      try checkPolicy(request)
      switch requestVerdict(request) {
      case nil: break
      case .refuse(let number): return acknowledge(request, Refusal(number))
      case .preempt: preempt(request)
      case .delay(let delay): request.delay += delay
      }
      switch request.command {
      case NL80211.Command.getInterface: try answerInterfaces(request)
      case NL80211.Command.getWiphy: try answerAdapters(request)
      case NL80211.Command.getProtocolFeatures: answerProtocolFeatures(request)
      case NL80211.Command.getPowerSave: try answerPowerSave(request)
      case NL80211.Command.setInterface: try setInterface(request)
      // Frames that are not about scanning never come; the refusal keeps a program from waiting for one in vain.
      case NL80211.Command.registerFrame:
        _ = try interface(of: request)
        acknowledge(request)
      // There are no keys without a link (ieee80211_del_key).
      case NL80211.Command.deleteKey:
        _ = try interface(of: request)
        throw Refusal(KernelError.Number.noEntry)
      case NL80211.Command.getScan: try answerScan(request)
      case NL80211.Command.getRegulatory: answerRegulatory(request)
      case NL80211.Command.getSurvey: try answerSurvey(request)
      case NL80211.Command.getStation: try answerStations(request)
      case NL80211.Command.triggerScan: try triggerScan(request)
      case NL80211.Command.abortScan: try abortScan(request)
      case NL80211.Command.startScheduledScan: try startScheduledScan(request)
      case NL80211.Command.stopScheduledScan: try stopScheduledScan(request)
      default: throw Refusal(KernelError.Number.notSupported)
      }
    } catch {
      // Where a list is asked for, its attributes are read when it begins, without an extended acknowledgement
      // (nl80211_prepare_wdev_dump, nl80211_dump_wiphy_parse).
      if isListBegun { finishDump(request, builder(for: request), error: error.number) } else { acknowledge(request, error) }
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

  /// What an attribute may hold, of those that requests about scans have (`nl80211_policy`).
  private enum Policy {
    case number(bytes: Int)
    case nest
    case elements

    init?(_ attribute: UInt16) {
      switch attribute {
      case NL80211.Attribute.wiphy, NL80211.Attribute.interfaceIndex, NL80211.Attribute.scanFlags: self = .number(bytes: 4)
      case NL80211.Attribute.measurementDuration: self = .number(bytes: 2)
      case NL80211.Attribute.wdev: self = .number(bytes: 8)
      case NL80211.Attribute.scanSSIDs, NL80211.Attribute.scanFrequencies, NL80211.Attribute.scanFrequenciesKHz: self = .nest
      case NL80211.Attribute.informationElements: self = .elements
      default: return nil
      }
    }

    /// `IEEE80211_MAX_DATA_LEN`.
    static let maximumElementsLength = 2304

    /// As `validate_nla`, which lets numbers pass that are longer than they have to be.
    func allows(_ length: Int) -> Bool {
      switch self {
      case .number(let bytes): length >= bytes
      case .nest: length == 0 || length >= 4
      case .elements: length <= Self.maximumElementsLength
      }
    }

    /// The policy as it is dumped (`__netlink_policy_dump_write_attr`): type and, of numbers, the range.
    var encoded: [UInt8] {
      var policy = AttributeWriter()
      switch self {
      case .number(let bytes):
        policy.write(4, [0, 0, 0, 0, 0, 0, 0, 0] as [UInt8])
        policy.writeFlag(11)  // NL_POLICY_TYPE_ATTR_PAD
        policy.write(5, UInt64.max >> UInt64(64 - 8 * bytes))
        // NL_ATTR_TYPE_U16, NL_ATTR_TYPE_U32, NL_ATTR_TYPE_U64
        policy.write(1, (bytes == 2 ? 3 : bytes == 4 ? 4 : 5) as UInt32)
      case .nest: policy.write(1, 13 as UInt32)  // NL_ATTR_TYPE_NESTED
      case .elements:
        policy.write(7, UInt32(Self.maximumElementsLength))
        policy.write(1, 10 as UInt32)  // NL_ATTR_TYPE_BINARY
      }
      return policy.bytes
    }
  }

  /// The attributes that the kernel validates before a command sees them, in the order in which they stand there.
  private func checkPolicy(_ request: Request) throws(Refusal) {
    for attribute in request.attributes {
      guard let policy = Policy(attribute.type) else { continue }
      if !policy.allows(attribute.payload.count) {
        var refusal = Refusal(KernelError.Number.range, message: "Attribute failed policy validation")
        refusal.offset = UInt32(attribute.payload.lowerBound - 4)
        refusal.policy = policy.encoded
        throw refusal
      }
      if case .elements = policy, !Self.isElementList(attribute.bytes(of: request.bytes)) {
        var refusal = Refusal(KernelError.Number.invalid, message: "malformed information elements")
        refusal.offset = UInt32(attribute.payload.lowerBound - 4)
        throw refusal
      }
    }
  }

  /// Whether bytes are elements to the end (`validate_ie_attr`).
  private static func isElementList(_ bytes: [UInt8]) -> Bool {
    var position = 0
    while position + 2 <= bytes.count { position += 2 + Int(bytes[position + 1]) }
    return position == bytes.count
  }

  /// The adapter and interface that a request names, which must be up where a driver is to do something.
  func interface(of request: Request) throws(Refusal) -> (adapter: SimulatedAdapter, interface: SimulatedInterface) {
    let index = request.uint32(NL80211.Attribute.interfaceIndex)
    let wdev = index == nil ? request.uint64(NL80211.Attribute.wdev) : nil
    if index == nil, wdev == nil { throw Refusal(KernelError.Number.invalid) }
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
