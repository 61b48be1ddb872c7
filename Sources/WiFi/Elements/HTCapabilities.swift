/// HT Capabilities, element 45 (IEEE 802.11-2020 9.4.2.55).
///
/// 26 bytes.
public struct HTCapabilities: FixedElement {
  public static let elementID = ElementID(45)
  public static let name: StaticString = "HT Capabilities"

  /// The schemes that can be received and sent.
  public var mcsSet = HTMCSSet(low: 0, high: 0)

  /// Bytes behind the fields below.
  public var trailing: [UInt8] = []

  /// Transmit Beamforming Capabilities, all bits.
  public var transmitBeamforming: UInt32 = 0

  /// HT Capability Information, all bits.
  public var capabilities: UInt16 = 0

  /// HT Extended Capabilities, all bits.
  public var extendedCapabilities: UInt16 = 0

  /// A-MPDU Parameters, all bits.
  public var ampduParameters: UInt8 = 0

  /// ASEL Capability, all bits.
  public var antennaSelection: UInt8 = 0

  /// Makes the element from its fields.
  public init(
    capabilities: UInt16, ampduParameters: UInt8, mcsSet: HTMCSSet, extendedCapabilities: UInt16 = 0, transmitBeamforming: UInt32 = 0,
    antennaSelection: UInt8 = 0
  ) {
    self.capabilities = capabilities
    self.ampduParameters = ampduParameters
    self.mcsSet = mcsSet
    self.extendedCapabilities = extendedCapabilities
    self.transmitBeamforming = transmitBeamforming
    self.antennaSelection = antennaSelection
  }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&capabilities)
    try codec.pass(&ampduParameters)
    try mcsSet.pass(to: &codec)
    try codec.pass(&extendedCapabilities)
    try codec.pass(&transmitBeamforming)
    try codec.pass(&antennaSelection)
  }

  /// Whether 40 MHz are supported besides 20 MHz.
  public var supports40MHz: Bool { capabilities.has(1) }

  /// The spatial streams that can be received with STBC, 0 to 3.
  public var rxSTBCStreams: Int { capabilities.bits(8, 2) }

  /// The longest A-MSDU, in bytes: 3839 or 7935.
  public var maximumAMSDULengthOctets: Int { capabilities.has(11) ? 7935 : 3839 }

  /// The longest A-MPDU that can be received, in bytes: 2^(13 + exponent) − 1.
  public var maximumAMPDULengthOctets: Int { 1 << (13 + ampduParameters.bits(0, 2)) - 1 }

  /// The least time between the starts of two MPDUs of an A-MPDU, in ns; 0 for no restriction.
  public var minimumMPDUStartSpacingNs: Int {
    let value = ampduParameters.bits(2, 3)
    return value == 0 ? 0 : 125 << value
  }

  public func describeFields(into fields: inout FieldWriter) {
    fields.flags("capabilities", "capabilitiesHex", capabilities, Self.capabilityNames)
    fields.field("smPowerSave", ["static", "dynamic", "reserved", "disabled"][capabilities.bits(2, 2)])
    fields.field("rxSTBCStreams", rxSTBCStreams)
    fields.field("maximumAMSDULengthOctets", maximumAMSDULengthOctets)
    fields.field("maximumAMPDULengthExponent", ampduParameters.bits(0, 2))
    fields.field("maximumAMPDULengthOctets", maximumAMPDULengthOctets)
    fields.field("minimumMPDUStartSpacingNs", minimumMPDUStartSpacingNs)
    fields.field("ampduParametersHex", hexNumber: ampduParameters)
    mcsSet.describe(into: &fields)
    fields.flags("extendedCapabilities", "extendedCapabilitiesHex", extendedCapabilities, Self.extendedNames)
    fields.field("pcoTransitionTime", extendedCapabilities.bits(1, 2))
    fields.field("mcsFeedback", extendedCapabilities.bits(8, 2))
    fields.flags("transmitBeamforming", "transmitBeamformingHex", transmitBeamforming, Self.beamformingNames)
    fields.field("calibration", transmitBeamforming.bits(6, 2))
    fields.field("explicitCSIFeedback", transmitBeamforming.bits(11, 2))
    fields.field("explicitNoncompressedFeedback", transmitBeamforming.bits(13, 2))
    fields.field("explicitCompressedFeedback", transmitBeamforming.bits(15, 2))
    fields.field("minimalGrouping", transmitBeamforming.bits(17, 2))
    fields.field("csiBeamformerAntennas", transmitBeamforming.bits(19, 2) + 1)
    fields.field("noncompressedSteeringBeamformerAntennas", transmitBeamforming.bits(21, 2) + 1)
    fields.field("compressedSteeringBeamformerAntennas", transmitBeamforming.bits(23, 2) + 1)
    fields.field("csiMaximumBeamformerRows", transmitBeamforming.bits(25, 2) + 1)
    fields.field("channelEstimationStreams", transmitBeamforming.bits(27, 2) + 1)
    fields.flags("antennaSelection", "antennaSelectionHex", antennaSelection, Self.antennaNames)
  }

  private static let capabilityNames: NumberNames = [
    0: "ldpcCoding", 1: "supportedChannelWidth40MHz", 4: "greenfield", 5: "shortGI20MHz", 6: "shortGI40MHz",
    7: "txSTBC", 10: "delayedBlockAck", 11: "maximumAMSDULength7935", 12: "dsssCCK40MHz", 13: "psmp",
    14: "fortyMHzIntolerant", 15: "lSIGTXOPProtection",
  ]

  private static let extendedNames: NumberNames = [0: "pco", 10: "htcHT", 11: "rdResponder"]

  private static let beamformingNames: NumberNames = [
    0: "implicitReceiving", 1: "receiveStaggeredSounding", 2: "transmitStaggeredSounding", 3: "receiveNDP",
    4: "transmitNDP", 5: "implicit", 8: "explicitCSI", 9: "explicitNoncompressedSteering",
    10: "explicitCompressedSteering",
  ]

  private static let antennaNames: NumberNames = [
    0: "antennaSelection", 1: "explicitCSIFeedbackTransmit", 2: "antennaIndicesFeedbackTransmit",
    3: "explicitCSIFeedback", 4: "antennaIndicesFeedback", 5: "receive", 6: "transmitSoundingPPDUs",
  ]
}
