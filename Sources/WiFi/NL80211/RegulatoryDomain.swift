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
      case 6: maximumPowerMBm = value
      default: break
      }
    }
  }
}

extension RegulatoryDomain: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("alpha2", alpha2)
    if let wiphy { fields.field("wiphy", wiphy) }
    if let dfsRegion { fields.field("dfsRegion", dfsRegion) }
    fields.array("rules", rules) { fields, rule in
      fields.object { fields in
        fields.field("startKHz", rule.startKHz)
        fields.field("endKHz", rule.endKHz)
        fields.field("maximumBandwidthKHz", rule.maximumBandwidthKHz)
        fields.field("maximumPowerDBm", hundredths: Int(rule.maximumPowerMBm))
        fields.field("flags", rule.flags)
      }
    }
  }
}
