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
          frequenciesKHz = AttributeWalk(bytes, in: attribute.payload).compactMap {
            $0.uint32(of: bytes).map { $0.multipliedReportingOverflow(by: 1000).partialValue }
          }
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
    if !ssids.isEmpty {
      writer.nest(NL80211.Attribute.scanSSIDs, flagged: false) { inner in
        for (index, ssid) in ssids.enumerated() { inner.write(UInt16(truncatingIfNeeded: index), ssid.bytes) }
      }
    }
    if !frequenciesKHz.isEmpty {
      writer.nest(NL80211.Attribute.scanFrequencies, flagged: false) { inner in
        for (index, frequency) in frequenciesKHz.enumerated() {
          inner.write(UInt16(truncatingIfNeeded: index), frequency / 1000)
        }
      }
    }
    return GenericNetlinkMessage(command: command, version: 1, attributes: writer.bytes)
  }
}

/// What to scan for, and how (`NL80211_CMD_TRIGGER_SCAN`).
public struct ScanRequest: Hashable, Sendable {
  /// SSIDs to ask for by name, which makes hidden networks answer.
  public var ssids: [SSID] = []
  /// Whether to ask for any network beside those named in ``ssids``.
  public var asksForAny = true
  /// Frequencies to visit, in kHz; empty visits all that are allowed.
  public var frequenciesKHz: [UInt32] = []
  /// Whether only to listen: no probe request is sent.
  public var isPassive = false
  /// How long to stay on each channel, in TU of 1024 µs (`NL80211_ATTR_MEASUREMENT_DURATION`, u16).
  public var dwellTU: UInt16?
  /// Whether the kernel first forgets what it heard before.
  public var flushes = false
  /// Whether traffic goes first.
  public var hasLowPriority = false
  /// Whether probe requests carry a random address instead of the adapter's.
  public var randomizesMAC = false
  /// Whether 6 GHz channels are visited where an access point on another band says it also is (RNR).
  public var includesColocated6GHz = false
  /// Elements to add to probe requests.
  public var extraElements: [UInt8] = []

  /// Asks for everything, actively.
  public init() {}

  /// The attributes of the request, those of the interface included.
  public func message(interfaceIndex: UInt32) -> GenericNetlinkMessage {
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.interfaceIndex, interfaceIndex)
    if !isPassive {
      writer.nest(NL80211.Attribute.scanSSIDs) { inner in
        for (index, ssid) in (asksForAny || ssids.isEmpty ? ssids + [SSID.wildcard] : ssids).enumerated() {
          inner.write(UInt16(truncatingIfNeeded: index + 1), ssid.bytes)
        }
      }
    }
    if !frequenciesKHz.isEmpty {
      writer.nest(NL80211.Attribute.scanFrequencies) { inner in
        for (index, frequency) in frequenciesKHz.enumerated() {
          inner.write(UInt16(truncatingIfNeeded: index + 1), frequency / 1000)
        }
      }
    }
    if let dwellTU { writer.write(NL80211.Attribute.measurementDuration, dwellTU) }
    if !extraElements.isEmpty { writer.write(NL80211.Attribute.informationElements, extraElements) }
    if flags != 0 { writer.write(NL80211.Attribute.scanFlags, flags) }
    return GenericNetlinkMessage(command: NL80211.Command.triggerScan, attributes: writer.bytes)
  }

  private var flags: UInt32 {
    (flushes ? NL80211.ScanFlag.flush : 0)
      | (hasLowPriority ? NL80211.ScanFlag.lowPriority : 0)
      | (randomizesMAC ? NL80211.ScanFlag.randomAddress : 0)
      | (includesColocated6GHz ? NL80211.ScanFlag.colocated6GHz : 0)
  }
}
