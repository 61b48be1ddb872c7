/// TPC Report, element 35: with what power this frame was sent (IEEE 802.11-2020 9.4.2.16).
///
/// 2 bytes.
public struct TPCReport: ElementBody {
  public static let elementID = ElementID(35)
  public static let name: StaticString = "TPC Report"

  /// The power, in dBm.
  public var transmitPowerDBm: Int8

  /// The reserve of the link, in dB; zero and meaningless in beacons and probe responses.
  public var linkMarginDB: Int8

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    transmitPowerDBm = try cursor.readInt8()
    linkMarginDB = try cursor.readInt8()
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(transmitPowerDBm)
    writer.write(linkMarginDB)
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("transmitPowerDBm", transmitPowerDBm)
    fields.field("linkMarginDB", linkMarginDB)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
