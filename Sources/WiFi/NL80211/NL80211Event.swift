/// What an nl80211 event says: who it is about, and for a scan what it covered.
public struct NL80211Event: Hashable, Sendable {
  /// The command, such as ``NL80211/Command/newScanResults``.
  public var command: UInt8
  /// The adapter (`NL80211_ATTR_WIPHY`).
  public var wiphy: UInt32?
  /// The interface (`NL80211_ATTR_IFINDEX`).
  public var interfaceIndex: UInt32?
  /// The wireless device (`NL80211_ATTR_WDEV`).
  public var wdev: UInt64?
  /// The frequencies that the scan was to cover, in kHz (`NL80211_ATTR_SCAN_FREQUENCIES`).
  public var frequenciesKHz: [UInt32]
  /// The SSIDs that the scan asked for (`NL80211_ATTR_SCAN_SSIDS`).
  public var ssids: [SSID]

  /// Makes an event from its parts.
  public init(
    command: UInt8, wiphy: UInt32? = nil, interfaceIndex: UInt32? = nil, wdev: UInt64? = nil,
    frequenciesKHz: [UInt32] = [], ssids: [SSID] = []
  ) {
    self.command = command
    self.wiphy = wiphy
    self.interfaceIndex = interfaceIndex
    self.wdev = wdev
    self.frequenciesKHz = frequenciesKHz
    self.ssids = ssids
  }

  /// Reads an event; what it does not understand it skips.
  public init(_ message: GenericNetlinkMessage) {
    self.init(command: message.command)
    let bytes = message.attributes
    for attribute in AttributeWalk(bytes) {
      switch attribute.type {
      case NL80211.Attribute.wiphy: wiphy = attribute.uint32(of: bytes)
      case NL80211.Attribute.interfaceIndex: interfaceIndex = attribute.uint32(of: bytes)
      case NL80211.Attribute.wdev: wdev = attribute.uint64(of: bytes)
      case NL80211.Attribute.scanFrequencies:
        if frequenciesKHz.isEmpty {
          frequenciesKHz = AttributeWalk(bytes, in: attribute.payload).compactMap { $0.uint32(of: bytes).map { $0 &* 1000 } }
        }
      case NL80211.Attribute.scanFrequenciesKHz:
        frequenciesKHz = AttributeWalk(bytes, in: attribute.payload).compactMap { $0.uint32(of: bytes) }
      case NL80211.Attribute.scanSSIDs:
        ssids = AttributeWalk(bytes, in: attribute.payload).compactMap { SSID($0.bytes(of: bytes)) }
      default: break
      }
    }
  }

  /// The event as the kernel would send it.
  public var message: GenericNetlinkMessage {
    var writer = AttributeWriter()
    if let wiphy { writer.write(NL80211.Attribute.wiphy, wiphy) }
    if let interfaceIndex { writer.write(NL80211.Attribute.interfaceIndex, interfaceIndex) }
    if let wdev { writer.write(NL80211.Attribute.wdev, wdev) }
    writer.writeScan(ssids, frequenciesKHz, from: 0, flagged: false)
    return GenericNetlinkMessage(command: command, version: 1, attributes: writer.bytes)
  }
}
