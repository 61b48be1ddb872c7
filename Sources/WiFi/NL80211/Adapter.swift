/// What a wireless adapter can do (`NL80211_CMD_NEW_WIPHY`, put together from the parts of a split dump).
public struct Adapter: Hashable, Sendable {
  /// Its number (`NL80211_ATTR_WIPHY`, u32).
  public var wiphy: UInt32
  /// Its name, such as `phy0` (`NL80211_ATTR_WIPHY_NAME`).
  public var name: String = ""
  /// The most SSIDs in one scan request, the wildcard included (`NL80211_ATTR_MAX_NUM_SCAN_SSIDS`, u8).
  public var maximumScanSSIDs: UInt8?
  /// The most bytes of extra elements in a probe request (`NL80211_ATTR_MAX_SCAN_IE_LEN`, u16).
  public var maximumScanElementsLength: UInt16?
  /// The most SSIDs in one scheduled scan (`NL80211_ATTR_MAX_NUM_SCHED_SCAN_SSIDS`, u8).
  public var maximumScheduledScanSSIDs: UInt8?
  /// The most match sets in one scheduled scan (`NL80211_ATTR_MAX_MATCH_SETS`, u8).
  public var maximumMatchSets: UInt8?
  /// Commands that the driver understands, by number (`NL80211_ATTR_SUPPORTED_COMMANDS`).
  public var commands: [UInt32] = []
  /// What interfaces of it can be (`NL80211_ATTR_SUPPORTED_IFTYPES`).
  public var interfaceTypes: [InterfaceType] = []
  /// `enum nl80211_feature_flags`, bits (`NL80211_ATTR_FEATURE_FLAGS`, u32).
  public var features: UInt32 = 0
  /// `enum nl80211_ext_feature_index`, bits by index (`NL80211_ATTR_EXT_FEATURES`).
  public var extendedFeatures: [UInt8] = []
  /// Whether the adapter keeps its own regulatory domain (`NL80211_ATTR_WIPHY_SELF_MANAGED_REG`, flag).
  public var isSelfManaged = false
  /// The channels it has, in the order of the kernel.
  public var frequencies: [Frequency] = []

  /// A channel that an adapter has (`NL80211_BAND_ATTR_FREQS`).
  public struct Frequency: Hashable, Sendable {
    /// The centre of the channel, in kHz.
    public var frequencyKHz: UInt32
    /// Whether the regulatory domain forbids it.
    public var isDisabled = false
    /// Whether nothing may be sent before something was heard: only passive scans (`NO_IR`).
    public var isNoIR = false
    /// Whether radar must be watched for.
    public var needsRadarDetection = false
    /// The most power, in 1/100 dBm.
    public var maximumPowerMBm: UInt32?
    /// Whether it may be used indoors only (`INDOOR_ONLY`).
    public var isIndoorOnly = false
    /// Whether something may be sent nonetheless while another interface is connected there (`IR_CONCURRENT`).
    public var isIRConcurrent = false
    /// Whether radar was watched for, where it must be (`DFS_STATE`).
    public var dfsState: DFSState?
    /// For how long ``dfsState`` has been so, in ms (`DFS_TIME`).
    public var dfsStateTimeMs: UInt32?
    /// How long to listen for radar before sending, in ms (`DFS_CAC_TIME`).
    public var dfsCACTimeMs: UInt32?
    /// The widths and generations that may not be used, such as `no80MHz`, in alphabetical order.
    public var restrictions: [String] = []

    /// Whether radar was watched for (`enum nl80211_dfs_state`).
    public enum DFSState: UInt32, Hashable, Sendable, CaseIterable {
      /// It has to be, before anything is sent.
      case usable = 0
      /// Radar was detected: nothing may be sent for half an hour.
      case unavailable = 1
      /// It was, and there is none.
      case available = 2

      /// A name for programs, the same in every version.
      public var name: String { "\(self)" }
    }
  }

  /// An adapter of which nothing is known yet.
  public init(wiphy: UInt32) { self.wiphy = wiphy }

  /// The adapters that the parts of a split dump describe, in the order of the kernel.
  public static func adapters(of messages: [GenericNetlinkMessage]) -> [Adapter] {
    var adapters: [Adapter] = []
    for message in messages where message.command == NL80211.Command.newWiphy {
      let number = AttributeWalk(message.attributes).first { $0.type == NL80211.Attribute.wiphy }
      guard let wiphy = number?.uint32(of: message.attributes) else { continue }
      if let index = adapters.firstIndex(where: { $0.wiphy == wiphy }) {
        adapters[index].merge(message)
      } else {
        var adapter = Adapter(wiphy: wiphy)
        adapter.merge(message)
        adapters.append(adapter)
      }
    }
    return adapters
  }

  /// Takes over what one part of the dump says.
  private mutating func merge(_ message: GenericNetlinkMessage) {
    let bytes = message.attributes
    for attribute in AttributeWalk(bytes) {
      switch attribute.type {
      case NL80211.Attribute.wiphyName: name = attribute.string(of: bytes)
      case NL80211.Attribute.maximumScanSSIDs: maximumScanSSIDs = attribute.uint8(of: bytes)
      case NL80211.Attribute.maximumScanElementsLength: maximumScanElementsLength = attribute.uint16(of: bytes)
      case NL80211.Attribute.maximumScheduledScanSSIDs: maximumScheduledScanSSIDs = attribute.uint8(of: bytes)
      case NL80211.Attribute.maximumMatchSets: maximumMatchSets = attribute.uint8(of: bytes)
      case NL80211.Attribute.supportedCommands:
        commands = AttributeWalk(bytes, in: attribute.payload).compactMap { $0.uint32(of: bytes) }
      case NL80211.Attribute.supportedInterfaceTypes:
        interfaceTypes = AttributeWalk(bytes, in: attribute.payload).map { InterfaceType(UInt32($0.type)) }
      case NL80211.Attribute.featureFlags: features = attribute.uint32(of: bytes) ?? 0
      case NL80211.Attribute.extendedFeatures: extendedFeatures = attribute.bytes(of: bytes)
      case NL80211.Attribute.selfManagedRegulatory: isSelfManaged = true
      case NL80211.Attribute.wiphyBands: mergeBands(bytes, attribute.payload)
      default: break
      }
    }
  }

  private mutating func mergeBands(_ bytes: [UInt8], _ range: Range<Int>) {
    for band in AttributeWalk(bytes, in: range) {
      for part in AttributeWalk(bytes, in: band.payload) where part.type == 1 {
        for channel in AttributeWalk(bytes, in: part.payload) {
          if let frequency = Frequency(bytes, channel.payload),
            !frequencies.contains(where: { $0.frequencyKHz == frequency.frequencyKHz })
          {
            frequencies.append(frequency)
          }
        }
      }
    }
  }

  /// Whether probe requests can carry a random address (`NL80211_FEATURE_SCAN_RANDOM_MAC_ADDR`).
  public var canRandomizeMAC: Bool { features & 1 << 29 != 0 }

  /// Whether a scan can flush what was heard before (`NL80211_FEATURE_SCAN_FLUSH`).
  public var canFlush: Bool { features & 1 << 7 != 0 }

  /// Whether a scan can have low priority (`NL80211_FEATURE_LOW_PRIORITY_SCAN`).
  public var canScanWithLowPriority: Bool { features & 1 << 6 != 0 }

  /// Whether the time on a channel can be set (`NL80211_EXT_FEATURE_SET_SCAN_DWELL`).
  public var canSetDwell: Bool { extendedFeatures.bit(5) }

  /// Whether a scan can be ended early (`NL80211_CMD_ABORT_SCAN`).
  public var canAbortScan: Bool { commands.contains(UInt32(NL80211.Command.abortScan)) }
}

extension Adapter.Frequency {
  /// Flags of `enum nl80211_frequency_attr` that forbid a width or a generation.
  private static let restrictionNames: [UInt16: String] = [
    9: "noHT40Minus", 10: "noHT40Plus", 11: "no80MHz", 12: "no160MHz", 16: "no20MHz", 17: "no10MHz", 19: "noHE", 26: "no320MHz",
    27: "noEHT",
  ]

  /// Reads `enum nl80211_frequency_attr`; `nil` where there is no frequency.
  init?(_ bytes: [UInt8], _ range: Range<Int>) {
    var megahertz: UInt32?
    var offset: UInt32 = 0
    self.init(frequencyKHz: 0)
    for attribute in AttributeWalk(bytes, in: range) {
      switch attribute.type {
      case 1: megahertz = attribute.uint32(of: bytes)
      case 2: isDisabled = true
      case 3: isNoIR = true
      case 5: needsRadarDetection = true
      case 6: maximumPowerMBm = attribute.uint32(of: bytes)
      case 7: dfsState = attribute.uint32(of: bytes).flatMap(Adapter.Frequency.DFSState.init)
      case 8: dfsStateTimeMs = attribute.uint32(of: bytes)
      case 13: dfsCACTimeMs = attribute.uint32(of: bytes)
      case 14: isIndoorOnly = true
      case 15: isIRConcurrent = true
      case 20: offset = attribute.uint32(of: bytes) ?? 0
      case let type: if let name = Self.restrictionNames[type] { restrictions.append(name) }
      }
    }
    guard let megahertz else { return nil }
    restrictions.sort()
    frequencyKHz = megahertz &* 1000 &+ offset
  }
}

extension Adapter: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("name", name)
    fields.field("wiphy", wiphy)
    fields.field("interfaceTypes", interfaceTypes.map(\.name))
    fields.fieldIfPresent("maximumScanSSIDs", maximumScanSSIDs)
    fields.fieldIfPresent("maximumScheduledScanSSIDs", maximumScheduledScanSSIDs)
    fields.fieldIfPresent("maximumMatchSets", maximumMatchSets)
    fields.field("canRandomizeMAC", canRandomizeMAC)
    fields.field("canFlush", canFlush)
    fields.field("canScanWithLowPriority", canScanWithLowPriority)
    fields.field("canSetDwell", canSetDwell)
    fields.field("canAbortScan", canAbortScan)
    fields.field("isSelfManaged", isSelfManaged)
    fields.objects("frequencies", frequencies) { fields, frequency in
      fields.field("frequencyKHz", frequency.frequencyKHz)
      fields.field("disabled", frequency.isDisabled)
      fields.field("noIR", frequency.isNoIR)
      fields.field("radar", frequency.needsRadarDetection)
      if let power = frequency.maximumPowerMBm { fields.field("maximumPowerDBm", hundredths: Int(power)) }
      fields.field("indoorOnly", frequency.isIndoorOnly)
      if frequency.isIRConcurrent { fields.field("irConcurrent", true) }
      if let state = frequency.dfsState { fields.field("dfsState", state.name) }
      fields.fieldIfPresent("dfsStateTimeMs", frequency.dfsStateTimeMs)
      fields.fieldIfPresent("dfsCACTimeMs", frequency.dfsCACTimeMs)
      if !frequency.restrictions.isEmpty { fields.field("restrictions", frequency.restrictions) }
    }
  }
}
