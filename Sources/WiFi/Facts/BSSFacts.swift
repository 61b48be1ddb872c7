/// Everything a BSS announces, decoded once: what the kernel reported, the elements, and what follows from them.
public struct BSSFacts: Hashable, Sendable {
  /// What the kernel reported.
  public private(set) var bss: BSS
  /// The elements, with every complaint.
  public let elements: ElementList
  /// The name, of no bytes where it is hidden or not known.
  public let ssid: SSID
  /// Whether the name could be read: `false` where what carries it is cut off or malformed.
  public let isSSIDKnown: Bool
  /// How it is secured.
  public let security: Security
  /// Where it sends.
  public let channel: Channel
  /// The newest generation of Wi-Fi it speaks, or `nil` for a band that is not known.
  public let generation: Generation?

  /// Decodes every element of `bss`.
  public init(_ bss: consuming BSS) {
    let elements = ElementList(parsing: bss.informationElements)
    self.init(bss, elements: elements)
  }

  /// Processes a BSS whose elements, capability and frequency are the same, heard again.
  mutating func hear(_ bss: BSS) { self.bss = bss }

  init(_ bss: consuming BSS, elements: ElementList) {
    if let ssid = elements.ssid {
      self.ssid = ssid
      isSSIDKnown = true
    } else {
      ssid = SSID.wildcard
      isSSIDKnown = !bss.lacksElements && !elements.lacksSSID
    }
    channel = Channel(elements: elements, frequencyKHz: bss.frequencyKHz)
    let security = Security(elements: elements, capabilities: bss.capability)
    // A network that sets Privacy is taken for WEP only where its elements are known to say nothing else.
    // In the 60 GHz band and below 1 GHz there is none.
    let isUnknown =
      bss.lacksElements || bss.lacksSecurity && security.family == .open
      || security.family == .wep && (channel.band == .ghz60 || channel.band == .s1g)
    self.security = isUnknown ? .unknown : security
    generation = Generation(elements: elements, band: channel.band)
    // Last, so that both are moved here and not copied.
    self.elements = elements
    self.bss = bss
  }

  /// Whether the name is kept to itself; a name that could not be read is not known to be.
  public var isHidden: Bool { isSSIDKnown && ssid.isHidden }

  /// The Capability Information field.
  public var capabilities: Capabilities {
    Capabilities(rawValue: bss.capability, isDMG: channel.band == .ghz60)
  }

  /// Strength from 0 to 1: −100 dBm and below is 0, −40 dBm and above is 1, linear between (NetworkManager's mapping).
  public var connectivity: Double { bss.connectivity }

  /// Writes every field.
  ///
  /// - Parameters:
  ///   - lastSeenMs: how long ago the BSS was heard.
  ///   - maker: who registered its address.
  ///   - withProfiles: whether to write what its elements say of other BSSs and links, and what those inherit.
  ///   - pass: as for ``ElementList/describeProfiles(bssid:into:origin:pass:)``.
  public func describe(
    into fields: inout FieldWriter, lastSeenMs: Int?, maker: String? = nil, withProfiles: Bool = false,
    pass: (inout FieldWriter) -> Void = { _ in }
  ) {
    fields.field("bssid", bss.bssid.description)
    if let maker { fields.field("maker", maker) }
    ssid.describe(isKnown: isSSIDKnown, into: &fields)
    channel.describe(into: &fields, frequencyKHz: bss.frequencyKHz)
    fields.fieldOrNull("generation", generation?.number)
    if let generation { fields.field("generationName", generation.summary) }
    if let signal = bss.signalMBm { fields.field("signalDBm", hundredths: Int(signal)) }
    fields.fieldIfPresent("signalPercent", bss.signalUnspecified)
    let chains = bss.chainSignalsDBm
    if !chains.isEmpty {
      fields.objects("chainSignals", chains) { fields, chain in
        fields.field("chain", chain.chain)
        fields.field("signalDBm", chain.signalDBm)
      }
    }
    fields.fieldIfPresent("lastSeenMs", lastSeenMs)
    fields.fieldIfPresent("lastSeenBootTimeNs", bss.lastSeenBootTimeNs)
    fields.fieldIfPresent("tsfUs", bss.tsfUs)
    fields.fieldIfPresent("beaconIntervalTU", bss.beaconIntervalTU)
    fields.field("capabilities", capabilities.names)
    fields.field("capabilityBits", bss.capability)
    if let status = bss.status { fields.field("status", Self.statusName(status)) }
    fields.field("fromProbeResponse", bss.isFromProbeResponse)
    if let parent = bss.parentBSSID { fields.field("parentBSSID", parent.description) }
    fields.fieldIfPresent("parentTSFUs", bss.parentTSFUs)
    fields.fieldIfPresent("scanWidth", bss.scanWidth)
    fields.fieldIfPresent("mloLinkID", bss.mloLinkID)
    if let address = bss.mldAddress { fields.field("mldAddress", address.description) }
    if let name = elements.apName { fields.field("apName", name) }
    fields.object("security") { security.describe(into: &$0) }
    // As in the frame, so that the same element has the same offset here and there.
    let origin = ElementList.offsetInBeacon
    elements.describe(into: &fields, of: bss.informationElements, band: channel.band, origin: origin)
    if withProfiles { elements.describeProfiles(bssid: bss.bssid, into: &fields, origin: origin, pass: pass) }
    if let beacon = bss.beaconElements, beacon != bss.informationElements {
      fields.object("beacon") { fields in
        fields.fieldIfPresent("tsfUs", bss.beaconTSFUs)
        ElementList(parsing: beacon).describe(into: &fields, of: beacon, band: channel.band, origin: origin)
      }
    } else if let tsf = bss.beaconTSFUs {
      fields.object("beacon") { $0.field("tsfUs", tsf) }
    }
    if let truncation = bss.truncation { fields.field("truncation", "\(truncation)") }
    fields.fieldIfPresent("trailingAttributesHex", hex: bss.trailing)
    let others = bss.unknownAttributes
    if !others.isEmpty {
      fields.objects("otherAttributes", others) { fields, attribute in
        fields.field("type", attribute.type & 0x3FFF)
        fields.field("hex", hex: attribute.payload)
      }
    }
  }

  private static func statusName(_ status: UInt32) -> String {
    switch status {
    case 0: "authenticated"
    case 1: "associated"
    case 2: "ibssJoined"
    default: "\(status)"
    }
  }
}

extension BSS {
  /// Strength from 0 to 1: −100 dBm and below is 0, −40 dBm and above is 1, linear between (NetworkManager's mapping).
  ///
  /// A driver that gives no unit gives percent (`NL80211_BSS_SIGNAL_UNSPEC`); one that gives nothing counts as 0.
  public var connectivity: Double {
    if let signalMBm { return Network.connectivity(signalMBm: signalMBm) }
    if let signalUnspecified { return min(Double(signalUnspecified) / 100, 1) }
    return 0
  }
}
