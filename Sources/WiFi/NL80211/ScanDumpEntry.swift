/// One part of the kernel's answer to `NL80211_CMD_GET_SCAN`: a `NL80211_CMD_NEW_SCAN_RESULTS` with one BSS.
public struct ScanDumpEntry: Hashable, Sendable {
  /// Counts changes of the kernel's list, to notice that a dump is mixed (`NL80211_ATTR_GENERATION`, u32).
  public var generation: UInt32?
  /// The interface (`NL80211_ATTR_IFINDEX`, u32).
  public var interfaceIndex: UInt32?
  /// The wireless device (`NL80211_ATTR_WDEV`, u64).
  public var wdev: UInt64?
  /// What was heard.
  public var bss: BSS
  /// Other attributes, in order.
  public var otherAttributes: [BSS.RawAttribute] = []
  /// The bytes at the end that are no whole attribute.
  public var trailing: [UInt8] = []

  /// Makes an entry from its parts.
  public init(generation: UInt32?, interfaceIndex: UInt32?, wdev: UInt64?, bss: BSS) {
    self.generation = generation
    self.interfaceIndex = interfaceIndex
    self.wdev = wdev
    self.bss = bss
  }

  /// Reads the attributes of the message.
  ///
  /// - Throws: ``WireError`` where there is no BSS, or no BSSID in it.
  public init(attributes bytes: [UInt8], in range: Range<Int>) throws(WireError) {
    var found: BSS?
    var generation: UInt32?
    var interfaceIndex: UInt32?
    var wdev: UInt64?
    var others: [BSS.RawAttribute] = []
    var walk = AttributeWalk(bytes, in: range)
    while let attribute = walk.next() {
      switch attribute.type {
      case NL80211.Attribute.generation where generation == nil && attribute.payload.count == 4:
        generation = attribute.uint32(of: bytes)
      case NL80211.Attribute.interfaceIndex where interfaceIndex == nil && attribute.payload.count == 4:
        interfaceIndex = attribute.uint32(of: bytes)
      case NL80211.Attribute.wdev where wdev == nil && attribute.payload.count == 8:
        wdev = attribute.uint64(of: bytes)
      case NL80211.Attribute.bss where found == nil:
        found = try BSS(attributes: bytes, in: attribute.payload)
      default:
        let type = attribute.isNested ? attribute.type | 0x8000 : attribute.type
        others.append(BSS.RawAttribute(type: type, payload: attribute.bytes(of: bytes)))
      }
    }
    guard let found else { throw WireError(offset: range.lowerBound, reason: .invalid("a scan result without a BSS")) }
    self.init(generation: generation, interfaceIndex: interfaceIndex, wdev: wdev, bss: found)
    otherAttributes = others
    if let error = walk.error { trailing = Array(bytes[error.offset..<range.upperBound]) }
  }

  /// Reads the attributes of the message.
  public init(_ message: GenericNetlinkMessage) throws(WireError) {
    try self.init(attributes: message.attributes, in: 0..<message.attributes.count)
  }

  /// The message, in the order that the kernel writes it.
  public var message: GenericNetlinkMessage {
    var writer = AttributeWriter()
    if let generation { writer.write(NL80211.Attribute.generation, generation) }
    if let interfaceIndex { writer.write(NL80211.Attribute.interfaceIndex, interfaceIndex) }
    if let wdev { writer.write(NL80211.Attribute.wdev, wdev) }
    writer.write(NL80211.Attribute.bss, bss.encode())
    for other in otherAttributes { writer.write(other.type, other.payload) }
    writer.writeTrailing(trailing)
    return GenericNetlinkMessage(command: NL80211.Command.newScanResults, version: 1, attributes: writer.bytes)
  }
}
