/// EHT Capabilities, element 255/108 (IEEE 802.11be 9.4.2.323).
///
/// 11 bytes or more behind the Element ID Extension. Which of the MCS and NSS fields are there depends on the HE
/// capabilities of the same station and on the band: ``supportedMCSAndNSS(he:band:isAccessPoint:)``.
public struct EHTCapabilities: ElementBody {
  public static let elementID = ElementID(extension: 108)
  public static let name: StaticString = "EHT Capabilities"

  /// EHT PHY Capabilities Information, bits 0 to 63.
  public var phyLow: UInt64

  /// Supported EHT-MCS And NSS Set, and EHT PPE Thresholds, as they are sent.
  public var rest: [UInt8]

  /// EHT MAC Capabilities Information, all bits.
  public var mac: UInt16

  /// EHT PHY Capabilities Information, bits 64 to 71.
  public var phyHigh: UInt8

  /// Makes the element of its MAC bits (16), PHY bits (72), and the bytes behind them.
  public init(mac: UInt16, phyLow: UInt64, phyHigh: UInt8 = 0, rest: [UInt8]) {
    self.mac = mac
    self.phyLow = phyLow
    self.phyHigh = phyHigh
    self.rest = rest
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    mac = try cursor.readUInt16()
    phyLow = try cursor.readUInt64()
    phyHigh = try cursor.readUInt8()
    rest = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(mac)
    writer.write(phyLow)
    writer.write(phyHigh)
    writer.write(rest)
  }

  /// Whether 320 MHz are supported in the 6 GHz band.
  public var supports320MHz: Bool { phyLow.has(1) }

  /// How many spatial streams a station receives and sends, for one range of widths and one range of schemes.
  public struct Streams: Hashable, Sendable {
    /// The widths.
    public enum Width: String, Hashable, Sendable {
      /// 20 MHz, for a station that can do no more.
      case only20MHz = "20MHzOnly"
      case upTo80MHz
      case mhz160 = "160MHz"
      case mhz320 = "320MHz"
    }

    /// The widths that it holds for.
    public var width: Width
    /// The schemes that it holds for.
    public var mcs: ClosedRange<Int>
    /// The most spatial streams to receive, 0 for none.
    public var rxMaximumNSS: Int
    /// The most spatial streams to send, 0 for none.
    public var txMaximumNSS: Int
  }

  /// Reads Supported EHT-MCS And NSS Set, whose forms can be distinguished only with the HE capabilities of the same
  /// station.
  ///
  /// - Parameters:
  ///   - he: The HE capabilities of the same station.
  ///   - band: The band of the station; in 2.4 GHz other widths count.
  ///   - isAccessPoint: Whether the station is an access point; one that is 20 MHz wide has no table of its own.
  /// - Returns: The streams, or `nil` where the bytes are too few.
  public func supportedMCSAndNSS(he: HECapabilities, band: Band, isAccessPoint: Bool = true) -> [Streams]? {
    let size = mcsAndNSSSize(he: he, band: band, isAccessPoint: isAccessPoint)
    guard rest.count >= size else { return nil }
    var result: [Streams] = []
    var position = 0
    func take(_ width: Streams.Width, _ ranges: [ClosedRange<Int>]) {
      for range in ranges {
        let byte = rest[position]
        result.append(Streams(width: width, mcs: range, rxMaximumNSS: byte.bits(0, 4), txMaximumNSS: byte.bits(4, 4)))
        position += 1
      }
    }
    if size == 4 {
      take(.only20MHz, [0...7, 8...9, 10...11, 12...13])
      return result
    }
    for width in widths(he: he, band: band) { take(width, [0...9, 10...11, 12...13]) }
    return result
  }

  /// The band of a station as the widths that it supports say it (HE PHY capabilities B1 to B4, IEEE 802.11ax-2021
  /// 9.4.2.248.3); `nil` where they are of several bands.
  func band(he: HECapabilities) -> Band? {
    guard he.supports80MHz || he.supports160MHz || he.supports80Plus80MHz else { return .ghz2_4 }
    return he.supports40MHzIn2_4GHz ? nil : supports320MHz ? .ghz6 : .ghz5
  }

  private func widths(he: HECapabilities, band: Band) -> [Streams.Width] {
    var widths: [Streams.Width] = [.upTo80MHz]
    if band != .ghz2_4, he.supports160MHz { widths.append(.mhz160) }
    if band == .ghz6, supports320MHz { widths.append(.mhz320) }
    return widths
  }

  private func mcsAndNSSSize(he: HECapabilities, band: Band, isAccessPoint: Bool) -> Int {
    let only20MHz = band == .ghz2_4 ? !he.supports40MHzIn2_4GHz : !he.supports80MHz
    if only20MHz, !isAccessPoint { return 4 }
    return 3 * widths(he: he, band: band).count
  }

  /// EHT PPE Thresholds, or `nil` where there are none or the bytes are too few.
  ///
  /// Takes what ``supportedMCSAndNSS(he:band:isAccessPoint:)`` takes.
  public func ppeThresholds(he: HECapabilities, band: Band, isAccessPoint: Bool = true) -> PPEThresholds? {
    let bytes = rest.dropFirst(mcsAndNSSSize(he: he, band: band, isAccessPoint: isAccessPoint))
    guard phyLow.has(43), bytes.count >= 2 else { return nil }
    let size = PPEThresholds.size(first: bytes[bytes.startIndex], second: bytes[bytes.startIndex + 1], isEHT: true)
    return bytes.count < size ? nil : PPEThresholds(bytes: Array(bytes.prefix(size)), isEHT: true)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.flags("mac", "macHex", mac, Self.macNames)
    fields.fieldOrNull("maximumMPDULengthOctets", [3895, 7991, 11454, nil][mac.bits(6, 2)])
    fields.field("maximumAMPDULengthExponentExtension", mac.bits(8, 1))
    fields.field("linkAdaptation", ["noFeedback", "reserved", "unsolicited", "both"][mac.bits(12, 2)])
    fields.flags("phy", phyLow, Self.phyNames, and: phyHigh, Self.phyHighNames)
    var bytes = ByteWriter()
    bytes.write(phyHigh)
    bytes.write(phyLow.byteSwapped)
    fields.field("phyHex", "0x" + Hex.string(bytes.bytes))
    fields.field("beamformeeSS80MHz", phyLow.bits(7, 3) + 1)
    fields.field("beamformeeSS160MHz", phyLow.bits(10, 3) + 1)
    fields.field("beamformeeSS320MHz", phyLow.bits(13, 3) + 1)
    fields.field("soundingDimensions80MHz", phyLow.bits(16, 3) + 1)
    fields.field("soundingDimensions160MHz", phyLow.bits(19, 3) + 1)
    fields.field("soundingDimensions320MHz", phyLow.bits(22, 3) + 1)
    fields.field("maximumNC", phyLow.bits(36, 4) + 1)
    fields.field("commonNominalPacketPaddingUs", [0, 8, 16, 20][phyLow.bits(44, 2)])
    // Maximum Number Of Supported EHT-LTFs: whether more than the streams need (B46), and how many, to one station
    // (B47 and B48), to several and in sounding (B49 and B50).
    fields.field("extraEHTLTFs", phyLow.has(46))
    for (name, bit) in [("maximumEHTLTFsSU", 47), ("maximumEHTLTFsMUAndNDP", 49)] as [(StaticString, Int)] {
      fields.fieldOrNull(name, [4, 8, nil, nil][phyLow.bits(bit, 2)])
    }
    fields.field("mcs15", phyLow.bits(51, 4))
    fields.field("mcsAndNSSAndPPEHex", hex: rest)
  }

  /// Writes what the bytes behind the fixed fields say, which takes the HE capabilities of the same station and its
  /// band.
  func describe(he: HECapabilities, band: Band, isAccessPoint: Bool, into fields: inout FieldWriter) {
    if let streams = supportedMCSAndNSS(he: he, band: band, isAccessPoint: isAccessPoint) {
      fields.objects("mcsAndNSS", streams) { fields, streams in
        fields.field("width", streams.width.rawValue)
        fields.field("mcs", "\(streams.mcs.lowerBound)-\(streams.mcs.upperBound)")
        fields.field("rxMaximumNSS", streams.rxMaximumNSS)
        fields.field("txMaximumNSS", streams.txMaximumNSS)
      }
    }
    if let thresholds = ppeThresholds(he: he, band: band, isAccessPoint: isAccessPoint) {
      fields.object("ppeThresholds") { thresholds.describe(into: &$0) }
    }
  }

  private static let macNames: NumberNames = [
    0: "epcsPriorityAccess", 1: "omControl", 2: "triggeredTXOPSharingMode1", 3: "triggeredTXOPSharingMode2",
    4: "restrictedTWT", 5: "scsTrafficDescription", 9: "trs", 10: "txopReturnInTXOPSharingMode2", 11: "twoBQRs",
    14: "unsolicitedEPCSPriorityAccessParameterUpdate",
  ]

  private static let phyNames: NumberNames = [
    1: "width320MHzIn6GHz", 2: "ru242ToneInBWWiderThan20MHz", 3: "ndp4xEHTLTF3.2usGI", 4: "partialBandwidthULMUMIMO",
    5: "suBeamformer", 6: "suBeamformee", 25: "ng16SUFeedback", 26: "ng16MUFeedback", 27: "codebookSize4_2SUFeedback",
    28: "codebookSize7_5MUFeedback", 29: "triggeredSUBeamformingFeedback",
    30: "triggeredMUBeamformingPartialBWFeedback", 31: "triggeredCQIFeedback", 32: "partialBandwidthDLMUMIMO",
    33: "psrBasedSR", 34: "powerBoostFactor", 35: "muPPDU4xEHTLTF0.8usGI", 40: "nonTriggeredCQIFeedback",
    41: "tx1024And4096QAMBelow242ToneRU", 42: "rx1024And4096QAMBelow242ToneRU", 43: "ppeThresholdsPresent",
    55: "ehtDUPIn6GHz", 56: "rx20MHzNDPWithWiderBandwidth", 57: "nonOFDMAULMUMIMO80MHz", 58: "nonOFDMAULMUMIMO160MHz",
    59: "nonOFDMAULMUMIMO320MHz", 60: "muBeamformer80MHz", 61: "muBeamformer160MHz", 62: "muBeamformer320MHz",
    63: "tbSoundingFeedbackRateLimit",
  ]

  private static let phyHighNames: NumberNames = [
    0: "rx1024QAMInWiderBWDLOFDMA", 1: "rx4096QAMInWiderBWDLOFDMA", 2: "limitedCapabilities20MHzOnly",
    3: "triggeredMUBeamformingFullBWFeedback20MHzOnly", 4: "mruSupport20MHzOnly",
  ]
}
