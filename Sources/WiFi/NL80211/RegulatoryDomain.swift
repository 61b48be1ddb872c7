/// What may be sent where (`NL80211_CMD_GET_REG`).
public struct RegulatoryDomain: Hashable, Sendable {
  /// The country, two letters or digits; `00` is the world (`NL80211_ATTR_REG_ALPHA2`).
  public var alpha2: String
  /// The adapter that keeps this domain for itself, or `nil` for the domain of all others.
  public var wiphy: UInt32?
  /// How radar is to be watched for: 1 FCC, 2 ETSI, 3 Japan (`NL80211_ATTR_DFS_REGION`, u8).
  public var dfsRegion: UInt8?
  /// The rules, in the order of the kernel.
  public var rules: [Rule] = []

  /// One range of frequencies and what holds there (`enum nl80211_reg_rule_attr`).
  public struct Rule: Hashable, Sendable {
    /// Start of the range in kHz.
    public var startKHz: UInt32 = 0
    /// End of the range in kHz.
    public var endKHz: UInt32 = 0
    /// The widest channel in kHz.
    public var maximumBandwidthKHz: UInt32 = 0
    /// The most radiated power in 1/100 dBm.
    public var maximumPowerMBm: UInt32 = 0
    /// The most antenna gain in 1/100 dBi, or 0 where the kernel gives no limit.
    public var maximumAntennaGainMBi: UInt32 = 0
    /// How long to listen for radar before sending, in ms, or 0 for the kernel's own time of a minute.
    public var dfsCACTimeMs: UInt32 = 0
    /// `enum nl80211_reg_rule_flags`, bits.
    public var flags: UInt32 = 0
  }

  /// Reads the reply to `NL80211_CMD_GET_REG`; `nil` where it names no country.
  public init?(_ message: GenericNetlinkMessage) {
    let bytes = message.attributes
    alpha2 = ""
    for attribute in AttributeWalk(bytes) {
      switch attribute.type {
      case NL80211.Attribute.regulatoryAlpha2: alpha2 = attribute.string(of: bytes)
      case NL80211.Attribute.wiphy: wiphy = attribute.uint32(of: bytes)
      case NL80211.Attribute.dfsRegion: dfsRegion = attribute.uint8(of: bytes)
      case NL80211.Attribute.regulatoryRules:
        rules = AttributeWalk(bytes, in: attribute.payload).map { Rule(bytes, $0.payload) }
      default: break
      }
    }
    if alpha2.isEmpty { return nil }
  }
}

extension RegulatoryDomain.Rule {
  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.init()
    for attribute in AttributeWalk(bytes, in: range) {
      let value = attribute.uint32(of: bytes) ?? 0
      switch attribute.type {
      case 1: flags = value
      case 2: startKHz = value
      case 3: endKHz = value
      case 4: maximumBandwidthKHz = value
      case 5: maximumAntennaGainMBi = value
      case 6: maximumPowerMBm = value
      case 7: dfsCACTimeMs = value
      default: break
      }
    }
  }
}

extension RegulatoryDomain {
  /// The name of ``dfsRegion``, or `nil` where it is none or not known (`enum nl80211_dfs_regions`).
  public var dfsRegionName: String? { dfsRegion.flatMap { Self.dfsRegionNames.text($0) } }

  private static let dfsRegionNames: NumberNames = [1: "FCC", 2: "ETSI", 3: "Japan"]
}

extension RegulatoryDomain.Rule {
  private static let names: NumberNames = [
    0: "noOFDM", 1: "noCCK", 2: "noIndoor", 3: "indoorOnly", 4: "dfs", 5: "pointToPointOnly",
    6: "pointToMultipointOnly", 7: "noIR", 11: "autoBandwidth", 12: "irConcurrent", 13: "noHT40Minus", 14: "noHT40Plus",
    15: "no80MHz", 16: "no160MHz", 17: "noHE", 18: "no320MHz", 19: "noEHT", 20: "psd", 21: "dfsConcurrent",
  ]

  /// The names of the ``flags`` that are set, lowest first; one that is not known by its number
  /// (`enum nl80211_reg_rule_flags`).
  ///
  /// `indoorOnly` is `NL80211_RRF_NO_OUTDOOR`. A kernel of before 3.15 sets bit 8 with bit 7; it means the same.
  public var restrictions: [String] {
    (0..<32).compactMap { bit -> String? in
      guard flags & 1 << UInt32(bit) != 0 else { return nil }
      if bit == 8 { return flags & 1 << 7 == 0 ? "noIR" : nil }
      return Self.names.text(bit) ?? "bit\(bit)"
    }
  }
}

extension RegulatoryDomain: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("alpha2", alpha2)
    fields.fieldIfPresent("wiphy", wiphy)
    fields.fieldIfPresent("dfsRegion", dfsRegion)
    if let dfsRegionName { fields.field("dfsRegionName", dfsRegionName) }
    fields.objects("rules", rules) { fields, rule in
      fields.field("startKHz", rule.startKHz)
      fields.field("endKHz", rule.endKHz)
      fields.field("maximumBandwidthKHz", rule.maximumBandwidthKHz)
      fields.field("maximumPowerDBm", hundredths: Int(rule.maximumPowerMBm))
      if rule.maximumAntennaGainMBi > 0 { fields.field("maximumAntennaGainDBi", hundredths: Int(rule.maximumAntennaGainMBi)) }
      if rule.dfsCACTimeMs > 0 { fields.field("dfsCACTimeMs", rule.dfsCACTimeMs) }
      fields.field("flags", rule.flags)
      fields.field("restrictions", rule.restrictions)
    }
  }
}
