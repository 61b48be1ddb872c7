/// S1G Beacon Compatibility, element 213 (IEEE 802.11-2020 9.4.2.196).
///
/// 8 bytes.
public struct S1GBeaconCompatibility: FixedElement {
  public static let elementID = ElementID(213)
  public static let name: StaticString = "S1G Beacon Compatibility"

  /// Compatibility Information: bits of Capability Information that an S1G beacon lacks.
  public var information: UInt16 = 0

  /// The beacon interval, in TU.
  public var beaconIntervalTU: UInt16 = 0

  /// The upper half of the timestamp.
  public var tsfCompletion: UInt32 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&information)
    try codec.pass(&beaconIntervalTU)
    try codec.pass(&tsfCompletion)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("informationHex", hexNumber: information)
    fields.field("beaconIntervalTU", beaconIntervalTU)
    fields.field("tsfCompletion", tsfCompletion)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}

/// Short Beacon Interval, element 214 (IEEE 802.11-2020 9.4.2.197).
///
/// 2 bytes.
public struct S1GShortBeaconInterval: FixedElement {
  public static let elementID = ElementID(214)
  public static let name: StaticString = "Short Beacon Interval"

  /// The time between two short beacons, in TU.
  public var intervalTU: UInt16 = 0

  /// Bytes behind the field above.
  public var trailing: [UInt8] = []

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass("intervalTU", &intervalTU)
  }
}

/// S1G Capabilities, element 217 (IEEE 802.11-2020 9.4.2.200).
///
/// 15 bytes.
public struct S1GCapabilities: FixedElement {
  public static let elementID = ElementID(217)
  public static let name: StaticString = "S1G Capabilities"

  /// S1G Capabilities Information, bits 0 to 63.
  public var low: UInt64 = 0

  /// Bytes behind the fields below.
  public var trailing: [UInt8] = []

  /// Supported S1G-MCS and NSS Set, bits 0 to 31.
  public var mcsLow: UInt32 = 0

  /// S1G Capabilities Information, bits 64 to 79.
  public var high: UInt16 = 0

  /// Supported S1G-MCS and NSS Set, bits 32 to 39.
  public var mcsHigh: UInt8 = 0

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&low)
    try codec.pass(&high)
    try codec.pass(&mcsLow)
    try codec.pass(&mcsHigh)
  }

  /// The widest channel, in MHz: 2, 4, 8 or 16.
  public var widestChannelMHz: Int { 2 << low.bits(6, 2) }

  public func describe(into fields: inout FieldWriter) {
    fields.flags("capabilities", low, Self.lowNames, and: high, Self.highNames)
    fields.field("widestChannelMHz", widestChannelMHz)
    fields.field("beamformeeSTS", low.bits(13, 3) + 1)
    fields.field("soundingDimensions", low.bits(16, 3) + 1)
    fields.field("travelingPilot", low.bits(22, 2))
    fields.field("maximumMPDULengthOctets", low.has(26) ? 7991 : 3895)
    fields.field("maximumAMPDULengthExponent", low.bits(27, 2))
    fields.field("minimumMPDUStartSpacing", low.bits(29, 3))
    fields.field("staType", low.bits(38, 2))
    fields.field("sectorizedBeam", low.bits(46, 2))
    fields.field("vhtLinkAdaptation", low.bits(54, 2))
    fields.field("color", high.bits(2, 3))
    var bytes = ByteWriter()
    bytes.write(low)
    bytes.write(high)
    fields.field("capabilitiesOctetsHex", hex: bytes.bytes)
    let mcs = UInt64(mcsLow) | UInt64(mcsHigh) << 32
    fields.field("rxMCSMap", mcs.bits(0, 8))
    fields.field("rxHighestRate500kbps", mcs.bits(8, 9))
    fields.field("txMCSMap", mcs.bits(17, 8))
    fields.field("txHighestRate500kbps", mcs.bits(25, 9))
    fields.field("rxSingleStream1MHz", mcs.bits(34, 2))
    fields.field("txSingleStream1MHz", mcs.bits(36, 2))
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }

  private static let lowNames: FlagNames = [
    .init(0, "s1gLong"), .init(1, "shortGI1MHz"), .init(2, "shortGI2MHz"), .init(3, "shortGI4MHz"), .init(4, "shortGI8MHz"),
    .init(5, "shortGI16MHz"), .init(8, "rxLDPC"), .init(9, "txSTBC"), .init(10, "rxSTBC"), .init(11, "suBeamformer"),
    .init(12, "suBeamformee"),
    .init(19, "muBeamformer"), .init(20, "muBeamformee"), .init(21, "htcVHT"), .init(24, "rdResponder"), .init(25, "htDelayedBlockAck"),
    .init(32, "uplinkSync"), .init(33, "dynamicAID"), .init(34, "bat"), .init(35, "timADE"), .init(36, "nonTIM"), .init(37, "groupAID"),
    .init(40, "centralizedAuthenticationControl"), .init(41, "distributedAuthenticationControl"), .init(42, "amsdu"), .init(43, "ampdu"),
    .init(44, "asymmetricBlockAck"), .init(45, "flowControl"), .init(48, "obssMitigation"), .init(49, "fragmentBA"), .init(50, "ndpPSPoll"),
    .init(51, "rawOperation"), .init(52, "pageSlicing"), .init(53, "txopSharingImplicitAck"), .init(56, "tackAsPSPollResponse"),
    .init(57, "duplicate1MHz"), .init(58, "mcsNegotiation"), .init(59, "controlResponsePreamble1MHz"),
    .init(60, "ndpBeamformingReportPoll"),
    .init(61, "unsolicitedDynamicAID"), .init(62, "sectorTrainingOperation"), .init(63, "temporaryPSModeSwitch"),
  ]

  private static let highNames: FlagNames = [
    .init(0, "twtGrouping"), .init(1, "bdt"), .init(5, "twtRequester"), .init(6, "twtResponder"), .init(7, "pv1Frame"),
    .init(8, "linkAdaptationPerNormalControlResponse"),
  ]
}

/// S1G Operation, element 232: the channel of an S1G BSS (IEEE 802.11-2020 9.4.2.212).
///
/// 6 bytes.
public struct S1GOperation: FixedElement {
  public static let elementID = ElementID(232)
  public static let name: StaticString = "S1G Operation"

  /// Channel Width: primary width in bit 0 (1 for 1 MHz), operating width less one in 1 to 4, 1 MHz location in 5, MCS
  /// 10 in 7.
  public var width: UInt8 = 0

  /// The operating class (annex E).
  public var operatingClass: UInt8 = 0

  /// The number of the primary channel.
  public var primaryChannel: UInt8 = 0

  /// The channel number of the centre.
  public var centerChannel: UInt8 = 0

  /// Basic S1G-MCS and NSS Set.
  public var basicMCSAndNSS: UInt16 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(width: UInt8, operatingClass: UInt8, primaryChannel: UInt8, centerChannel: UInt8, basicMCSAndNSS: UInt16) {
    self.width = width
    self.operatingClass = operatingClass
    self.primaryChannel = primaryChannel
    self.centerChannel = centerChannel
    self.basicMCSAndNSS = basicMCSAndNSS
  }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&width)
    try codec.pass(&operatingClass)
    try codec.pass(&primaryChannel)
    try codec.pass(&centerChannel)
    try codec.pass(&basicMCSAndNSS)
  }

  /// The width of the BSS in MHz.
  public var operatingWidthMHz: Int { width.bits(1, 4) + 1 }

  /// The width of the primary channel in MHz: 1 or 2.
  public var primaryWidthMHz: Int { width.has(0) ? 1 : 2 }

  public func describe(into fields: inout FieldWriter) {
    fields.field("primaryWidthMHz", primaryWidthMHz)
    fields.field("operatingWidthMHz", operatingWidthMHz)
    fields.field("primary1MHzLocation", width.has(5) ? "upper" : "lower")
    fields.field("mcs10Disallowed", width.has(7))
    fields.field("channelWidthHex", hexNumber: width)
    fields.field("operatingClass", operatingClass)
    fields.field("primaryChannel", primaryChannel)
    fields.field("centerChannel", centerChannel)
    fields.field("basicMCSAndNSSHex", hexNumber: basicMCSAndNSS)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
