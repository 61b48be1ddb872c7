/// RM Enabled Capabilities, element 70: which radio measurements can be asked for (IEEE 802.11-2020 9.4.2.44).
///
/// 5 bytes.
public struct RMEnabledCapabilities: ElementBody {
  public static let elementID = ElementID(70)
  public static let name: StaticString = "RM Enabled Capabilities"

  /// The capabilities, B0 in the least significant bit; the top 24 bits are zero.
  public var capabilities: UInt64

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element of its bits; the top 24 are ignored.
  public init(capabilities: UInt64) { self.capabilities = capabilities & 0xFF_FFFF_FFFF }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    let low = UInt64(try cursor.readUInt32())
    capabilities = low | UInt64(try cursor.readUInt8()) << 32
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(UInt32(truncatingIfNeeded: capabilities))
    writer.write(UInt8(truncatingIfNeeded: capabilities >> 32))
    writer.write(trailing)
  }

  /// A code for the longest measurement on the operating channel (B18–B20; IEEE 802.11-2020 11.10.4).
  public var operatingChannelMaximumMeasurementDuration: Int { Int(capabilities >> 18 & 7) }

  /// A code for the longest measurement on other channels (B21–B23; IEEE 802.11-2020 11.10.4).
  public var nonoperatingChannelMaximumMeasurementDuration: Int { Int(capabilities >> 21 & 7) }

  /// What can be asked of measurement pilots (B24–B26; IEEE 802.11-2020 table 11-11).
  public var measurementPilotCapability: Int { Int(capabilities >> 24 & 7) }

  static let names: NumberNames = [
    0: "linkMeasurement", 1: "neighborReport", 2: "parallelMeasurements", 3: "repeatedMeasurements",
    4: "beaconPassiveMeasurement", 5: "beaconActiveMeasurement", 6: "beaconTableMeasurement",
    7: "beaconMeasurementReportingConditions", 8: "frameMeasurement", 9: "channelLoadMeasurement",
    10: "noiseHistogramMeasurement", 11: "statisticsMeasurement", 12: "lciMeasurement", 13: "lciAzimuth",
    14: "transmitStreamCategoryMeasurement", 15: "triggeredTransmitStreamCategoryMeasurement", 16: "apChannelReport",
    17: "rmMIB", 27: "measurementPilotTransmissionInformation", 28: "neighborReportTSFOffset", 29: "rcpiMeasurement",
    30: "rsniMeasurement", 31: "bssAverageAccessDelay", 32: "bssAvailableAdmissionCapacity", 33: "antenna",
    34: "ftmRangeReport", 35: "civicLocationMeasurement",
  ]

  public func describe(into fields: inout FieldWriter) {
    let bytes = (0..<5).map { UInt8(truncatingIfNeeded: capabilities >> UInt64(8 * $0)) }
    fields.flags("capabilities", in: bytes, Self.names)
    fields.field("capabilitiesHex", hex: bytes)
    fields.field("operatingChannelMaximumMeasurementDuration", operatingChannelMaximumMeasurementDuration)
    fields.field("nonoperatingChannelMaximumMeasurementDuration", nonoperatingChannelMaximumMeasurementDuration)
    fields.field("measurementPilotCapability", measurementPilotCapability)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
