/// HE Capabilities, element 255/35 (IEEE 802.11ax-2021 9.4.2.248).
///
/// 21 bytes or more behind the Element ID Extension.
public struct HECapabilities: ElementBody {
  public static let elementID = ElementID(extension: 35)
  public static let name: StaticString = "HE Capabilities"

  /// HE PHY Capabilities Information, bits 0 to 63.
  public var phyLow: UInt64

  /// PPE Thresholds, where the PHY capabilities announce them, and bytes behind them.
  public var rest: [UInt8]

  /// HE MAC Capabilities Information, bits 0 to 31.
  public var macLow: UInt32

  /// HE PHY Capabilities Information, bits 64 to 87.
  public var phyHigh: UInt32

  /// HE MAC Capabilities Information, bits 32 to 47.
  public var macHigh: UInt16

  /// The schemes up to 80 MHz that can be received and sent.
  public var rx80: MCSMap, tx80: MCSMap

  /// The schemes for 160 MHz; meaningful only where ``supports160MHz``.
  public var rx160: MCSMap, tx160: MCSMap

  /// The schemes for 80+80 MHz; meaningful only where ``supports80Plus80MHz``.
  public var rx80Plus80: MCSMap, tx80Plus80: MCSMap

  /// Makes the element of its MAC bits (48), PHY bits (88), maps, and the bytes behind them.
  public init(
    mac: UInt64, phyLow: UInt64, phyHigh: UInt32 = 0, rx80: MCSMap, tx80: MCSMap, rx160: MCSMap = MCSMap(0xFFFF),
    tx160: MCSMap = MCSMap(0xFFFF),
    rx80Plus80: MCSMap = MCSMap(0xFFFF), tx80Plus80: MCSMap = MCSMap(0xFFFF), rest: [UInt8] = []
  ) {
    macLow = UInt32(truncatingIfNeeded: mac)
    macHigh = UInt16(truncatingIfNeeded: mac >> 32)
    self.phyLow = phyLow
    self.phyHigh = phyHigh & 0xFF_FFFF
    self.rx80 = rx80
    self.tx80 = tx80
    self.rx160 = rx160
    self.tx160 = tx160
    self.rx80Plus80 = rx80Plus80
    self.tx80Plus80 = tx80Plus80
    self.rest = rest
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    macLow = try cursor.readUInt32()
    macHigh = try cursor.readUInt16()
    phyLow = try cursor.readUInt64()
    phyHigh = try cursor.readUInt24()
    rx80 = MCSMap(try cursor.readUInt16())
    tx80 = MCSMap(try cursor.readUInt16())
    (rx160, tx160, rx80Plus80, tx80Plus80) = (MCSMap(0xFFFF), MCSMap(0xFFFF), MCSMap(0xFFFF), MCSMap(0xFFFF))
    if phyLow.has(3) {
      rx160 = MCSMap(try cursor.readUInt16())
      tx160 = MCSMap(try cursor.readUInt16())
    }
    if phyLow.has(4) {
      rx80Plus80 = MCSMap(try cursor.readUInt16())
      tx80Plus80 = MCSMap(try cursor.readUInt16())
    }
    rest = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(macLow)
    writer.write(macHigh)
    writer.write(phyLow)
    writer.writeUInt24(phyHigh)
    writer.write(rx80.rawValue)
    writer.write(tx80.rawValue)
    if supports160MHz {
      writer.write(rx160.rawValue)
      writer.write(tx160.rawValue)
    }
    if supports80Plus80MHz {
      writer.write(rx80Plus80.rawValue)
      writer.write(tx80Plus80.rawValue)
    }
    writer.write(rest)
  }

  /// HE MAC Capabilities Information, 48 bits.
  public var mac: UInt64 { UInt64(macLow) | UInt64(macHigh) << 32 }

  /// Whether 40 MHz are supported in the 2.4 GHz band.
  public var supports40MHzIn2_4GHz: Bool { phyLow.has(1) }

  /// Whether 40 and 80 MHz are supported in the 5 and 6 GHz bands.
  public var supports80MHz: Bool { phyLow.has(2) }

  /// Whether 160 MHz are supported in the 5 and 6 GHz bands.
  public var supports160MHz: Bool { phyLow.has(3) }

  /// Whether 80+80 MHz are supported in the 5 and 6 GHz bands.
  public var supports80Plus80MHz: Bool { phyLow.has(4) }

  /// PPE Thresholds, or `nil` where there are none.
  ///
  /// Some stations announce thresholds and then leave them out or cut them short, which does not invalidate the rest of
  /// the element: ``hasAllPPEThresholds``.
  public var ppeThresholds: PPEThresholds? {
    guard phyLow.has(55), let first = rest.first else { return nil }
    let size = PPEThresholds.size(first: first, second: 0, isEHT: false)
    return PPEThresholds(bytes: Array(rest.prefix(size)), isEHT: false)
  }

  /// Whether the PPE Thresholds that the PHY capabilities announce are there in full; true where none are announced.
  public var hasAllPPEThresholds: Bool {
    guard phyLow.has(55) else { return true }
    guard let first = rest.first else { return false }
    return rest.count >= PPEThresholds.size(first: first, second: 0, isEHT: false)
  }

  /// Bytes behind all fields that are defined.
  public var trailing: [UInt8] { Array(rest.dropFirst(ppeThresholds?.bytes.count ?? 0)) }

  public func describe(into fields: inout FieldWriter) {
    fields.flags("mac", mac, Self.macNames)
    fields.field("macHex", hexNumber: mac, digits: 12)
    fields.field("dynamicFragmentationLevel", macLow.bits(3, 2))
    fields.field("maximumFragmentedMSDUsExponent", macLow.bits(5, 3))
    fields.field("minimumFragmentSizeOctets", [0, 128, 256, 512][macLow.bits(8, 2)])
    fields.field("triggerFramePaddingUs", macLow.bits(10, 2) * 8)
    fields.field("multiTIDAggregationRx", macLow.bits(12, 3))
    fields.field("heLinkAdaptation", ["noFeedback", "reserved", "unsolicited", "both"][macLow.bits(15, 2)])
    fields.field("maximumAMPDULengthExponentExtension", macLow.bits(27, 2))
    fields.field("multiTIDAggregationTx", mac.bits(39, 3))
    fields.flags("phy", phyLow, Self.phyLowNames, and: phyHigh, Self.phyHighNames)
    var phyBytes = ByteWriter()
    phyBytes.writeUInt24BigEndian(phyHigh)
    phyBytes.write(phyLow.byteSwapped)
    fields.field("phyHex", "0x" + Hex.string(phyBytes.bytes))
    fields.field("channelWidthSet", phyLow.bits(1, 7))
    fields.field("puncturedPreambleRx", phyLow.bits(8, 4))
    fields.field("deviceClass", phyLow.has(12) ? "A" : "B")
    fields.field("midambleMaximumNSTS", phyLow.bits(15, 2))
    fields.field("dcmMaximumConstellationTx", phyLow.bits(24, 2))
    fields.field("dcmMaximumNSSTx", phyLow.bits(26, 1) + 1)
    fields.field("dcmMaximumConstellationRx", phyLow.bits(27, 2))
    fields.field("dcmMaximumNSSRx", phyLow.bits(29, 1) + 1)
    fields.field("beamformeeSTSUpTo80MHz", phyLow.bits(34, 3) + 1)
    fields.field("beamformeeSTSAbove80MHz", phyLow.bits(37, 3) + 1)
    fields.field("soundingDimensionsUpTo80MHz", phyLow.bits(40, 3) + 1)
    fields.field("soundingDimensionsAbove80MHz", phyLow.bits(43, 3) + 1)
    fields.field("maximumNC", phyLow.bits(59, 3) + 1)
    fields.field("dcmMaximumRU", ["242", "484", "996", "2x996"][phyHigh.bits(6, 2)])
    fields.field("nominalPacketPadding", phyHigh.bits(14, 2))
    fields.heMCS("rxMaximumMCSUpTo80MHz", rx80)
    fields.heMCS("txMaximumMCSUpTo80MHz", tx80)
    if supports160MHz {
      fields.heMCS("rxMaximumMCS160MHz", rx160)
      fields.heMCS("txMaximumMCS160MHz", tx160)
    }
    if supports80Plus80MHz {
      fields.heMCS("rxMaximumMCS80Plus80MHz", rx80Plus80)
      fields.heMCS("txMaximumMCS80Plus80MHz", tx80Plus80)
    }
    if !hasAllPPEThresholds { fields.field("ppeThresholdsComplete", false) }
    if let ppeThresholds { fields.object("ppeThresholds") { ppeThresholds.describe(into: &$0) } }
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }

  private static let macNames: NumberNames = [
    0: "htcHE", 1: "twtRequester", 2: "twtResponder", 17: "allAck", 18: "trs", 19: "bsr", 20: "broadcastTWT",
    21: "baBitmap32Bit", 22: "muCascading", 23: "ackEnabledAggregation", 25: "omControl", 26: "ofdmaRA",
    29: "amsduFragmentation", 30: "flexibleTWTSchedule", 31: "rxControlFrameToMultiBSS", 32: "bsrpBQRPAMPDUAggregation",
    33: "qtp", 34: "bqr", 35: "psrResponder", 36: "ndpFeedbackReport", 37: "ops",
    38: "amsduNotUnderBAInAckEnabledAMPDU", 42: "subchannelSelectiveTransmission", 43: "ul2x996ToneRU",
    44: "omControlULMUDataDisableRx", 45: "dynamicSMPowerSave", 46: "puncturedSounding", 47: "htVHTTriggerFrameRx",
  ]

  private static let phyLowNames: NumberNames = [
    1: "width40MHzIn2.4GHz", 2: "width40And80MHzIn5And6GHz", 3: "width160MHzIn5And6GHz",
    4: "width160And80Plus80MHzIn5And6GHz", 5: "ru242ToneIn2.4GHz", 6: "ru242ToneIn5And6GHz", 13: "ldpcCodingInPayload",
    14: "suPPDU1xHELTF0.8usGI", 17: "ndp4xHELTF3.2usGI", 18: "stbcTxUpTo80MHz", 19: "stbcRxUpTo80MHz", 20: "dopplerTx",
    21: "dopplerRx", 22: "fullBandwidthULMUMIMO", 23: "partialBandwidthULMUMIMO", 30: "rxPartialBWSUIn20MHzMUPPDU",
    31: "suBeamformer", 32: "suBeamformee", 33: "muBeamformer", 46: "ng16SUFeedback", 47: "ng16MUFeedback",
    48: "codebookSizeSUFeedback", 49: "codebookSizeMUFeedback", 50: "triggeredSUBeamformingFeedback",
    51: "triggeredMUBeamformingPartialBWFeedback", 52: "triggeredCQIFeedback", 53: "partialBandwidthExtendedRange",
    54: "partialBandwidthDLMUMIMO", 55: "ppeThresholdsPresent", 56: "psrBasedSR", 57: "powerBoostFactor",
    58: "suMUPPDU4xHELTF0.8usGI", 62: "stbcTxAbove80MHz", 63: "stbcRxAbove80MHz",
  ]

  private static let phyHighNames: NumberNames = [
    0: "erSUPPDU4xHELTF0.8usGI", 1: "ppdu20MHzIn40MHzIn2.4GHz", 2: "ppdu20MHzIn160MHz", 3: "ppdu80MHzIn160MHz",
    4: "erSUPPDU1xHELTF0.8usGI", 5: "midamble2xAnd1xHELTF", 8: "longerThan16SIGBSymbols", 9: "nonTriggeredCQIFeedback",
    10: "tx1024QAMBelow242ToneRU", 11: "rx1024QAMBelow242ToneRU", 12: "rxFullBWSUUsingMUPPDUCompressedSIGB",
    13: "rxFullBWSUUsingMUPPDUNonCompressedSIGB", 16: "moreThanOneRURxMaximumHELTF",
  ]
}

extension FieldWriter {
  /// Writes the names of the bits that are set in either number, as one array.
  mutating func flags(
    _ name: StaticString, _ low: UInt64, _ lowNames: NumberNames, and high: some FixedWidthInteger & UnsignedInteger,
    _ highNames: NumberNames
  ) {
    let names = lowNames.names.filter { low.has($0.number) } + highNames.names.filter { high.has($0.number) }
    field(name, plain: names.lazy.map(\.name))
  }
}
