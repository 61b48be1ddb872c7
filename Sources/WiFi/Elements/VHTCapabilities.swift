/// VHT Capabilities, element 191 (IEEE 802.11-2020 9.4.2.157).
///
/// 12 bytes.
public struct VHTCapabilities: FixedElement {
  public static let elementID = ElementID(191)
  public static let name: StaticString = "VHT Capabilities"

  /// Bytes behind the fields below.
  public var trailing: [UInt8] = []

  /// VHT Capabilities Information, all bits.
  public var capabilities: UInt32 = 0

  /// The schemes that can be received.
  public var rxMCSMap = MCSMap(0)

  /// Rx Highest Supported Long GI Data Rate in 13 bits and Maximum NSTS,Total in 3.
  public var rxHighestRate: UInt16 = 0

  /// The schemes that can be sent.
  public var txMCSMap = MCSMap(0)

  /// Tx Highest Supported Long GI Data Rate in 13 bits and VHT Extended NSS BW Capable in bit 13.
  public var txHighestRate: UInt16 = 0

  /// Makes the element from its fields.
  public init(capabilities: UInt32, rxMCSMap: MCSMap, rxHighestRate: UInt16 = 0, txMCSMap: MCSMap, txHighestRate: UInt16 = 0) {
    self.capabilities = capabilities
    self.rxMCSMap = rxMCSMap
    self.rxHighestRate = rxHighestRate
    self.txMCSMap = txMCSMap
    self.txHighestRate = txHighestRate
  }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&capabilities)
    try codec.pass(&rxMCSMap.rawValue)
    try codec.pass(&rxHighestRate)
    try codec.pass(&txMCSMap.rawValue)
    try codec.pass(&txHighestRate)
  }

  /// The longest MPDU, in bytes: 3895, 7991 or 11454; `nil` for the reserved value.
  public var maximumMPDULengthOctets: Int? { [3895, 7991, 11454, nil][capabilities.bits(0, 2)] }

  /// Supported Channel Width Set: 0 neither 160 nor 80+80 MHz, 1 160 MHz, 2 both.
  public var supportedChannelWidthSet: Int { capabilities.bits(2, 2) }

  /// The longest A-MPDU, in bytes: 2^(13 + exponent) − 1.
  public var maximumAMPDULengthOctets: Int { 1 << (13 + capabilities.bits(23, 3)) - 1 }

  /// Extended NSS BW Support, 0 to 3.
  public var extendedNSSBWSupport: Int { capabilities.bits(30, 2) }

  /// The highest rate of long guard intervals that can be received, in Mb/s; 0 where the station does not say.
  public var rxHighestRateMbps: Int { rxHighestRate.bits(0, 13) }

  /// The highest rate of long guard intervals that can be sent, in Mb/s; 0 where the station does not say.
  public var txHighestRateMbps: Int { txHighestRate.bits(0, 13) }

  public func describeFields(into fields: inout FieldWriter) {
    fields.flags("capabilities", "capabilitiesHex", capabilities, Self.names)
    fields.fieldOrNull("maximumMPDULengthOctets", maximumMPDULengthOctets)
    fields.field("supportedChannelWidthSet", supportedChannelWidthSet)
    fields.field("rxSTBCStreams", capabilities.bits(8, 3))
    fields.field("beamformeeSTS", capabilities.bits(13, 3) + 1)
    fields.field("soundingDimensions", capabilities.bits(16, 3) + 1)
    fields.field("maximumAMPDULengthExponent", capabilities.bits(23, 3))
    fields.field("maximumAMPDULengthOctets", maximumAMPDULengthOctets)
    fields.field("linkAdaptation", ["noFeedback", "reserved", "unsolicited", "both"][capabilities.bits(26, 2)])
    fields.field("extendedNSSBWSupport", extendedNSSBWSupport)
    fields.vhtMCS("rxMaximumMCS", rxMCSMap)
    fields.field("rxMCSMapHex", hexNumber: rxMCSMap.rawValue)
    fields.field("rxHighestRateMbps", rxHighestRateMbps)
    fields.field("maximumNSTSTotal", rxHighestRate.bits(13, 3))
    fields.vhtMCS("txMaximumMCS", txMCSMap)
    fields.field("txMCSMapHex", hexNumber: txMCSMap.rawValue)
    fields.field("txHighestRateMbps", txHighestRateMbps)
    fields.field("extendedNSSBWCapable", txHighestRate.has(13))
  }

  private static let names: NumberNames = [
    4: "rxLDPC", 5: "shortGI80MHz", 6: "shortGI160MHz", 7: "txSTBC", 11: "suBeamformer", 12: "suBeamformee",
    19: "muBeamformer", 20: "muBeamformee", 21: "txopPS", 22: "htcVHT", 28: "rxAntennaPatternConsistency",
    29: "txAntennaPatternConsistency",
  ]
}
