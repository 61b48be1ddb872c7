/// One basic service set as the kernel knows it: what a scan heard of one BSSID (`NL80211_ATTR_BSS`).
///
/// ``encode()`` writes the very attributes that ``init(attributes:)`` read, in the order they stood in; what is not
/// known or has a wrong width is kept in ``otherAttributes``.
public struct BSS: Hashable, Sendable {
  /// The address of the BSS (`NL80211_BSS_BSSID`, 6 bytes).
  public var bssid: MACAddress
  /// The centre of the primary channel in MHz (`NL80211_BSS_FREQUENCY`, u32).
  public var frequencyMHz: UInt32
  /// kHz to add to ``frequencyMHz`` (`NL80211_BSS_FREQUENCY_OFFSET`, u32).
  public var frequencyOffsetKHz: UInt32?
  /// The timer of the access point in µs when the last beacon or probe response was heard (`NL80211_BSS_TSF`, u64).
  public var tsfUs: UInt64?
  /// The time between beacons in time units of 1024 µs (`NL80211_BSS_BEACON_INTERVAL`, u16).
  public var beaconIntervalTU: UInt16?
  /// The Capability Information field (`NL80211_BSS_CAPABILITY`, u16; IEEE 802.11-2020 9.4.1.4).
  public var capability: UInt16
  /// The elements of the frame heard last, beacon or probe response (`NL80211_BSS_INFORMATION_ELEMENTS`).
  public var informationElements: [UInt8]
  /// The elements of the last beacon, where they came along (`NL80211_BSS_BEACON_IES`).
  public var beaconElements: [UInt8]?
  /// The timer of the access point in µs at the last beacon (`NL80211_BSS_BEACON_TSF`, u64).
  public var beaconTSFUs: UInt64?
  /// Whether ``informationElements`` are those of a probe response (`NL80211_BSS_PRESP_DATA`, flag).
  public var isFromProbeResponse: Bool
  /// Signal strength in 1/100 dBm (`NL80211_BSS_SIGNAL_MBM`, s32).
  public var signalMBm: Int32?
  /// Signal strength 0 to 100 in no unit (`NL80211_BSS_SIGNAL_UNSPEC`, u8).
  public var signalUnspecified: UInt8?
  /// Authenticated 0, associated 1, IBSS joined 2 (`NL80211_BSS_STATUS`, u32).
  public var status: UInt32?
  /// How long ago the BSS was heard, in ms (`NL80211_BSS_SEEN_MS_AGO`, u32).
  public var seenMsAgo: UInt32?
  /// When the BSS was heard, in ns since boot, sleep included (`NL80211_BSS_LAST_SEEN_BOOTTIME`, u64).
  public var lastSeenBootTimeNs: UInt64?
  /// The width of the control channel, 0 for 20 MHz (`NL80211_BSS_CHAN_WIDTH`, u32).
  public var scanWidth: UInt32?
  /// The timer of ``parentBSSID`` when the BSS was heard, in µs (`NL80211_BSS_PARENT_TSF`, u64).
  public var parentTSFUs: UInt64?
  /// The BSS that ``parentTSFUs`` belongs to (`NL80211_BSS_PARENT_BSSID`, 6 bytes).
  public var parentBSSID: MACAddress?
  /// The link of a multi-link connection (`NL80211_BSS_MLO_LINK_ID`, u8).
  public var mloLinkID: UInt8?
  /// The address of the multi-link device (`NL80211_BSS_MLD_ADDR`, 6 bytes).
  public var mldAddress: MACAddress?
  /// What else the kernel said, in order; the type has its flag bits.
  public var otherAttributes: [RawAttribute]
  /// The bytes at the end that are no whole attribute, so that a part of what the kernel said is not known.
  public var trailing: [UInt8] = []

  /// The order of the attributes, where it is not the kernel's usual one.
  private var order: AttributeOrder?

  /// An attribute that is kept as it came.
  public struct RawAttribute: Hashable, Sendable {
    /// The type with its flag bits.
    public var type: UInt16
    /// The bytes of the payload.
    public var payload: [UInt8]

    /// Makes an attribute from its parts.
    public init(type: UInt16, payload: [UInt8]) {
      self.type = type
      self.payload = payload
    }
  }

  /// Makes a BSS of what every BSS has; the rest is set afterwards.
  public init(bssid: MACAddress, frequencyMHz: UInt32, capability: UInt16, informationElements: [UInt8]) {
    self.bssid = bssid
    self.frequencyMHz = frequencyMHz
    self.capability = capability
    self.informationElements = informationElements
    isFromProbeResponse = false
    otherAttributes = []
  }

  /// The centre of the primary channel in kHz.
  public var frequencyKHz: Int { Int(frequencyMHz) * 1000 + Int(frequencyOffsetKHz ?? 0) }

  /// The order in which `nl80211_send_bss` of Linux 6 writes what is known here.
  private static let usualOrder: [UInt16] = [
    NL80211.BSSAttribute.bssid, NL80211.BSSAttribute.probeResponseData, NL80211.BSSAttribute.tsf,
    NL80211.BSSAttribute.informationElements, NL80211.BSSAttribute.beaconTSF, NL80211.BSSAttribute.beaconElements,
    NL80211.BSSAttribute.beaconInterval, NL80211.BSSAttribute.capability, NL80211.BSSAttribute.frequency,
    NL80211.BSSAttribute.frequencyOffset, NL80211.BSSAttribute.channelWidth, NL80211.BSSAttribute.seenMsAgo,
    NL80211.BSSAttribute.parentTSF, NL80211.BSSAttribute.parentBSSID, NL80211.BSSAttribute.lastSeenBootTime,
    NL80211.BSSAttribute.signalMBm, NL80211.BSSAttribute.signalUnspecified, NL80211.BSSAttribute.status,
    NL80211.BSSAttribute.mloLinkID, NL80211.BSSAttribute.mldAddress,
  ]

  /// The place of each type in ``usualOrder``, 255 for what is not known.
  private static let usualRanks: [UInt8] = {
    var ranks = [UInt8](repeating: 255, count: 32)
    for (rank, type) in usualOrder.enumerated() { ranks[Int(type)] = UInt8(rank) }
    return ranks
  }()

  private static func usualRank(_ type: UInt16) -> Int { type < 32 ? Int(usualRanks[Int(type)]) : 255 }

  /// Reads the payload of `NL80211_ATTR_BSS`.
  ///
  /// - Throws: ``WireError`` only where there is no BSSID; every other defect keeps the BSS.
  public init(attributes bytes: [UInt8]) throws(WireError) {
    try self.init(attributes: bytes, in: 0..<bytes.count)
  }

  /// Reads `range` of `bytes`, the payload of `NL80211_ATTR_BSS`.
  ///
  /// - Throws: ``WireError`` only where there is no BSSID; every other defect keeps the BSS.
  public init(attributes bytes: [UInt8], in range: Range<Int>) throws(WireError) {
    self.init(bssid: MACAddress(0), frequencyMHz: 0, capability: 0, informationElements: [])
    present = 0
    var seen: UInt32 = 0
    var lastRank = -1
    var isUsual = true
    var types = AttributeOrder()
    var walk = AttributeWalk(bytes, in: range)
    while let attribute = walk.next() {
      let bit: UInt32 = attribute.type < 32 ? 1 << UInt32(attribute.type) : 0
      let rank = Self.usualRank(attribute.type)
      let isKnown = rank < 255 && !attribute.isNested && seen & bit == 0 && read(attribute, bytes)
      seen |= bit
      let type = attribute.isNested ? attribute.type | 0x8000 : attribute.type
      if !isKnown { otherAttributes.append(RawAttribute(type: type, payload: attribute.bytes(of: bytes))) }
      if !isKnown || rank <= lastRank { isUsual = false }
      lastRank = rank
      types.append(type)
    }
    if !isUsual { order = types }
    if let error = walk.error { trailing = Array(bytes[error.offset..<range.upperBound]) }
    guard isPresent(NL80211.BSSAttribute.bssid) else {
      throw WireError(offset: range.lowerBound, reason: .invalid("a BSS without a BSSID"))
    }
  }

  /// Takes over one attribute; `false` where its width is wrong.
  private mutating func read(_ attribute: AttributeHeader, _ bytes: [UInt8]) -> Bool {
    typealias Kind = NL80211.BSSAttribute
    switch attribute.type {
    case Kind.bssid:
      guard let value = attribute.macAddress(of: bytes) else { return false }
      bssid = value
    case Kind.frequency:
      guard let value = attribute.uint32(of: bytes) else { return false }
      frequencyMHz = value
    case Kind.capability:
      guard let value = attribute.uint16(of: bytes) else { return false }
      capability = value
    case Kind.informationElements:
      informationElements = attribute.bytes(of: bytes)
    case Kind.beaconElements:
      // The kernel sends the same bytes twice while no probe response was heard: keep them once.
      let isSame = attribute.isEqual(informationElements, of: bytes)
      beaconElements = isSame ? informationElements : attribute.bytes(of: bytes)
      return true
    case Kind.probeResponseData:
      guard attribute.payload.isEmpty else { return false }
      isFromProbeResponse = true
      return true
    case Kind.frequencyOffset: return Self.take(attribute.uint32(of: bytes), into: &frequencyOffsetKHz)
    case Kind.tsf: return Self.take(attribute.uint64(of: bytes), into: &tsfUs)
    case Kind.beaconInterval: return Self.take(attribute.uint16(of: bytes), into: &beaconIntervalTU)
    case Kind.beaconTSF: return Self.take(attribute.uint64(of: bytes), into: &beaconTSFUs)
    case Kind.signalMBm: return Self.take(attribute.uint32(of: bytes).map(Int32.init(bitPattern:)), into: &signalMBm)
    case Kind.signalUnspecified: return Self.take(attribute.uint8(of: bytes), into: &signalUnspecified)
    case Kind.status: return Self.take(attribute.uint32(of: bytes), into: &status)
    case Kind.seenMsAgo: return Self.take(attribute.uint32(of: bytes), into: &seenMsAgo)
    case Kind.lastSeenBootTime: return Self.take(attribute.uint64(of: bytes), into: &lastSeenBootTimeNs)
    case Kind.channelWidth: return Self.take(attribute.uint32(of: bytes), into: &scanWidth)
    case Kind.parentTSF: return Self.take(attribute.uint64(of: bytes), into: &parentTSFUs)
    case Kind.parentBSSID: return Self.take(attribute.macAddress(of: bytes), into: &parentBSSID)
    case Kind.mloLinkID: return Self.take(attribute.uint8(of: bytes), into: &mloLinkID)
    case Kind.mldAddress: return Self.take(attribute.macAddress(of: bytes), into: &mldAddress)
    default: return false
    }
    present |= 1 << UInt32(attribute.type)
    return true
  }

  /// Takes over a field that may be `nil`; returns whether it was there in its width.
  @inline(__always)
  private static func take<Value>(_ value: Value?, into field: inout Value?) -> Bool {
    field = value
    return value != nil
  }

  /// Which of the fields that cannot be `nil` were there, as bits by attribute type.
  private var present: UInt32 = .max

  /// Whether a field that cannot be `nil` was there.
  private func isPresent(_ type: UInt16) -> Bool { present & 1 << UInt32(type) != 0 }

  /// The payload of `NL80211_ATTR_BSS`: the very bytes that were read, alignment padding as zeros.
  public func encode() -> [UInt8] {
    var writer = AttributeWriter()
    var emitted: UInt32 = 0
    var others = otherAttributes[...]
    for type in order?.types ?? [] {
      if Self.usualRank(type) < 255, emitted & 1 << UInt32(type) == 0, write(type, into: &writer) {
        emitted |= 1 << UInt32(type)
      } else if let other = others.popFirst() {
        writer.write(other.type, other.payload)
      }
    }
    for type in Self.usualOrder where emitted & 1 << UInt32(type) == 0 { _ = write(type, into: &writer) }
    for other in others { writer.write(other.type, other.payload) }
    writer.writeTrailing(trailing)
    return writer.bytes
  }

  /// Writes an attribute; `false` where there is nothing to write.
  private func write(_ type: UInt16, into writer: inout AttributeWriter) -> Bool {
    typealias Kind = NL80211.BSSAttribute
    switch type {
    case Kind.bssid where isPresent(type): writer.write(type, bssid)
    case Kind.frequency where isPresent(type): writer.write(type, frequencyMHz)
    case Kind.capability where isPresent(type): writer.write(type, capability)
    case Kind.informationElements where isPresent(type): writer.write(type, informationElements)
    case Kind.probeResponseData where isFromProbeResponse: writer.writeFlag(type)
    case Kind.beaconElements: return beaconElements.map { writer.write(type, $0) } != nil
    case Kind.frequencyOffset: return frequencyOffsetKHz.map { writer.write(type, $0) } != nil
    case Kind.tsf: return tsfUs.map { writer.write(type, $0) } != nil
    case Kind.beaconInterval: return beaconIntervalTU.map { writer.write(type, $0) } != nil
    case Kind.beaconTSF: return beaconTSFUs.map { writer.write(type, $0) } != nil
    case Kind.signalMBm: return signalMBm.map { writer.write(type, $0) } != nil
    case Kind.signalUnspecified: return signalUnspecified.map { writer.write(type, $0) } != nil
    case Kind.status: return status.map { writer.write(type, $0) } != nil
    case Kind.seenMsAgo: return seenMsAgo.map { writer.write(type, $0) } != nil
    case Kind.lastSeenBootTime: return lastSeenBootTimeNs.map { writer.write(type, $0) } != nil
    case Kind.channelWidth: return scanWidth.map { writer.write(type, $0) } != nil
    case Kind.parentTSF: return parentTSFUs.map { writer.write(type, $0) } != nil
    case Kind.parentBSSID: return parentBSSID.map { writer.write(type, $0) } != nil
    case Kind.mloLinkID: return mloLinkID.map { writer.write(type, $0) } != nil
    case Kind.mldAddress: return mldAddress.map { writer.write(type, $0) } != nil
    default: return false
    }
    return true
  }

  /// What is wrong with ``trailing``, or `nil` where nothing is left over; the offset is from the start of the
  /// attributes.
  public var truncation: WireError? {
    AttributeWalk.defect(of: trailing).map { WireError(offset: encode().count - trailing.count + $0.offset, reason: $0.reason) }
  }

  /// Whether the elements, which carry the name, are among what is not known.
  public var lacksElements: Bool { !trailing.isEmpty && !isPresent(NL80211.BSSAttribute.informationElements) }

  /// Whether the elements or the capabilities, which say how a network is secured, are among what is not known.
  public var lacksSecurity: Bool {
    !trailing.isEmpty && !(isPresent(NL80211.BSSAttribute.informationElements) && isPresent(NL80211.BSSAttribute.capability))
  }

  /// Signal strength of each antenna chain in dBm, by chain number (`NL80211_BSS_CHAIN_SIGNAL`, nested s8).
  public var chainSignalsDBm: [(chain: Int, signalDBm: Int)] {
    guard let raw = otherAttributes.first(where: { $0.type & 0x3FFF == NL80211.BSSAttribute.chainSignal }) else {
      return []
    }
    return raw.chainSignalsDBm.signals
  }

  /// The attributes of ``otherAttributes`` that no other property gives: not the chain signals, where they are whole,
  /// and no padding.
  public var unknownAttributes: [RawAttribute] {
    var isFirst = true
    return otherAttributes.filter { attribute in
      switch attribute.type & 0x3FFF {
      case NL80211.BSSAttribute.padding: return !attribute.payload.isEmpty
      case NL80211.BSSAttribute.chainSignal where isFirst:
        isFirst = false
        return !attribute.chainSignalsDBm.areWhole
      default: return true
      }
    }
  }
}

extension BSS.RawAttribute {
  /// The payload as signal strengths by chain, and whether it is nothing else.
  fileprivate var chainSignalsDBm: (signals: [(chain: Int, signalDBm: Int)], areWhole: Bool) {
    var walk = AttributeWalk(payload)
    var signals: [(chain: Int, signalDBm: Int)] = []
    var areWhole = true
    while let attribute = walk.next() {
      if let value = attribute.uint8(of: payload) {
        signals.append((Int(attribute.type), Int(Int8(bitPattern: value))))
      } else {
        areWhole = false
      }
    }
    return (signals, areWhole && walk.error == nil)
  }
}

/// The types of attributes in the order they came, which allocates nothing up to 16 of them.
private struct AttributeOrder: Hashable, Sendable {
  /// One type a byte, the first in the low byte of the first word.
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  private var count: UInt8 = 0
  /// Those that come behind, from the first on that does not fit into a byte.
  private var rest: [UInt16] = []

  mutating func append(_ type: UInt16) {
    guard count < 16, type < 256, rest.isEmpty else { return rest.append(type) }
    if count < 8 { low |= UInt64(type) << UInt64(8 * count) } else { high |= UInt64(type) << UInt64(8 * (count - 8)) }
    count += 1
  }

  var types: [UInt16] {
    (0..<Int(count)).map { UInt16(truncatingIfNeeded: ($0 < 8 ? low : high) >> UInt64(8 * ($0 & 7)) & 0xFF) } + rest
  }
}
