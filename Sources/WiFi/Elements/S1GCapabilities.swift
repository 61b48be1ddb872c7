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

  public func describeFields(into fields: inout FieldWriter) {
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
  }

  private static let lowNames: NumberNames = [
    0: "s1gLong", 1: "shortGI1MHz", 2: "shortGI2MHz", 3: "shortGI4MHz", 4: "shortGI8MHz", 5: "shortGI16MHz",
    8: "rxLDPC", 9: "txSTBC", 10: "rxSTBC", 11: "suBeamformer", 12: "suBeamformee", 19: "muBeamformer",
    20: "muBeamformee", 21: "htcVHT", 24: "rdResponder", 25: "htDelayedBlockAck", 32: "uplinkSync", 33: "dynamicAID",
    34: "bat", 35: "timADE", 36: "nonTIM", 37: "groupAID", 40: "centralizedAuthenticationControl",
    41: "distributedAuthenticationControl", 42: "amsdu", 43: "ampdu", 44: "asymmetricBlockAck", 45: "flowControl",
    48: "obssMitigation", 49: "fragmentBA", 50: "ndpPSPoll", 51: "rawOperation", 52: "pageSlicing",
    53: "txopSharingImplicitAck", 56: "tackAsPSPollResponse", 57: "duplicate1MHz", 58: "mcsNegotiation",
    59: "controlResponsePreamble1MHz", 60: "ndpBeamformingReportPoll", 61: "unsolicitedDynamicAID",
    62: "sectorTrainingOperation", 63: "temporaryPSModeSwitch",
  ]

  private static let highNames: NumberNames = [
    0: "twtGrouping", 1: "bdt", 5: "twtRequester", 6: "twtResponder", 7: "pv1Frame",
    8: "linkAdaptationPerNormalControlResponse",
  ]
}
