/// What one block of a file gave: a few items at most.
struct CaptureQueue: Sendable {
  private var items: [CaptureWalk.Item] = []
  private var first = 0
  /// The hardware types of cooked packets that a complaint was made of.
  private var foreignHardwareTypes: Set<Int> = []
  /// The link types behind Apple's header that a complaint was made of.
  private var foreignLinkTypes: Set<Int> = []
  /// Whether messages of netlink are packets, too.
  var keepsMessages = false

  /// Whether packets of a link type are of use.
  func isKnown(_ type: Int) -> Bool { LinkType.isKnown(type) || keepsMessages && type == LinkType.netlink }

  var isEmpty: Bool { first == items.count }

  mutating func next() -> CaptureWalk.Item? {
    guard first < items.count else { return nil }
    defer {
      first += 1
      if first == items.count {
        items.removeAll(keepingCapacity: true)
        first = 0
      }
    }
    return items[first]
  }

  mutating func complain(_ offset: Int, _ reason: CaptureComplaint.Reason) {
    items.append(.complaint(CaptureComplaint(offset: offset, reason: reason)))
  }

  /// Whether as many bytes are available at an offset as are needed; complains where they are not.
  mutating func has(_ needed: Int, of available: Int, at offset: Int) -> Bool {
    if available < needed { complain(offset, .truncated(needed: needed, available: available)) }
    return available >= needed
  }

  /// Adds a packet, unless it can be no frame of IEEE 802.11; the first of each kind that can be none is reported.
  mutating func add(_ packet: CapturedPacket, of bytes: [UInt8]) {
    guard isKnown(packet.linkType) else { return }
    if packet.linkType == LinkType.packetTap { return unwrap(packet, of: bytes) }
    if let type = packet.cookedHardwareType(of: bytes), !CapturedPacket.isIEEE80211(hardwareType: type) {
      if foreignHardwareTypes.insert(type).inserted { complain(packet.range.lowerBound, .hardwareType(type)) }
      return
    }
    items.append(.packet(packet))
  }

  private mutating func unwrap(_ packet: CapturedPacket, of bytes: [UInt8]) {
    do throws(WireError) {
      let inner = try packet.behindPacketTap(of: bytes)
      // One header is enough: what is behind a second is no frame.
      if inner.linkType != LinkType.packetTap, LinkType.isKnown(inner.linkType) {
        add(inner, of: bytes)
      } else if foreignLinkTypes.insert(inner.linkType).inserted {
        complain(packet.range.lowerBound + 8, .linkType(inner.linkType))
      }
    } catch {
      complain(error.offset, .header(error.reason))
    }
  }
}
