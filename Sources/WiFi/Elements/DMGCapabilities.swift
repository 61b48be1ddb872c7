/// DMG Capabilities, element 148 (IEEE 802.11-2020 9.4.2.127).
///
/// 17 bytes, 22 since IEEE 802.11-2016.
public struct DMGCapabilities: ElementBody {
  public static let elementID = ElementID(148)
  public static let name: StaticString = "DMG Capabilities"

  /// DMG STA Capability Information, all bits.
  public var station: UInt64

  /// The address of the station.
  public var address: MACAddress

  /// Bytes behind the fields below: since IEEE 802.11-2016 the beam tracking time limit, the extended SC schemes and
  /// the greatest numbers of subframes, which devices of IEEE 802.11ad leave out.
  public var trailing: [UInt8] = []

  /// DMG AP Or PCP Capability Information, all bits.
  public var accessPoint: UInt16

  /// The association identifier, 0 for an access point.
  public var aid: UInt8

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    address = try cursor.readMACAddress()
    aid = try cursor.readUInt8()
    station = try cursor.readUInt64()
    accessPoint = try cursor.readUInt16()
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(address)
    writer.write(aid)
    writer.write(station)
    writer.write(accessPoint)
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("staAddress", address.description)
    fields.field("aid", aid)
    fields.flags("station", "stationHex", station, Self.stationNames)
    fields.field("rxAntennas", station.bits(4, 2) + 1)
    fields.field("sectors", station.bits(7, 7) + 1)
    fields.field("rxssLength", (station.bits(14, 6) + 1) * 2)
    fields.field("maximumAMPDULengthExponent", station.bits(21, 3))
    fields.field("minimumMPDUStartSpacing", station.bits(24, 3))
    fields.field("maximumSCRxMCS", station.bits(28, 5))
    fields.field("maximumOFDMRxMCS", station.bits(33, 5))
    fields.field("maximumSCTxMCS", station.bits(38, 5))
    fields.field("maximumOFDMTxMCS", station.bits(43, 5))
    fields.flags("accessPoint", "accessPointHex", accessPoint, Self.accessPointNames)
    fields.field("maximumAssociatedStations", accessPoint.bits(3, 8))
    guard trailing.count >= 5 else {
      fields.fieldIfPresent("trailingHex", hex: trailing)
      return
    }
    fields.field("beamTrackingTimeLimitUs", UInt16(trailing[0]) | UInt16(trailing[1]) << 8)
    fields.field("extendedSCMaximumTxMCS", trailing[2].bits(0, 3))
    fields.field("extendedSCMaximumRxMCS", trailing[2].bits(4, 3))
    Self.describeSubframes("maximumBasicSubframesCode", "maximumBasicSubframes", trailing[3], of: 2, codes: 1...7, into: &fields)
    Self.describeSubframes("maximumShortSubframesCode", "maximumShortSubframes", trailing[4], of: 16, codes: 1...6, into: &fields)
    fields.fieldIfPresent("trailingHex", hex: Array(trailing.dropFirst(5)))
  }

  /// Writes the code of the most subframes in an A-MSDU, and their number: each code has twice as many as the one below
  /// it; 0 has no limit, and a reserved one no number (IEEE 802.11-2020 9.4.2.127.7 and 9.4.2.127.8).
  private static func describeSubframes(
    _ codeName: StaticString, _ name: StaticString, _ code: UInt8, of unit: Int, codes: ClosedRange<UInt8>, into fields: inout FieldWriter
  ) {
    fields.field(codeName, code)
    if code == 0 { fields.fieldNull(name) } else if codes.contains(code) { fields.field(name, unit << Int(code)) }
  }

  private static let stationNames: NumberNames = [
    0: "reverseDirection", 1: "higherLayerTimerSynchronization", 2: "tpc", 3: "spshAndInterferenceMitigation",
    6: "fastLinkAdaptation", 20: "antennaReciprocity", 27: "baWithFlowControl", 48: "lowPowerSCPHY",
    49: "codeRate13_16", 52: "dtp", 53: "appdu", 54: "heartbeat", 55: "otherAID", 56: "antennaPatternReciprocity",
    60: "grantAck", 61: "rxssTxRate",
  ]

  private static let accessPointNames: NumberNames = [
    0: "tddti", 1: "pseudoStaticAllocations", 2: "pcpHandover", 11: "powerSource", 12: "decentralizedClustering",
    13: "pcpForwarding", 14: "centralizedClustering",
  ]
}
