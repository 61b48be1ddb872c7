/// Quiet, element 40: when no station sends, so that the channel can be tested (IEEE 802.11-2020 9.4.2.22).
///
/// 6 bytes.
public struct Quiet: ElementBody {
  public static let elementID = ElementID(40)
  public static let name: StaticString = "Quiet"

  /// Beacons until the one whose interval holds the next quiet interval.
  public var quietCount: UInt8

  /// Beacon intervals from one quiet interval to the next; zero when it happens once.
  public var quietPeriod: UInt8

  /// How long it lasts, in TU.
  public var quietDurationTU: UInt16

  /// How long after the beacon it starts, in TU.
  public var quietOffsetTU: UInt16

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    quietCount = try cursor.readUInt8()
    quietPeriod = try cursor.readUInt8()
    quietDurationTU = try cursor.readUInt16()
    quietOffsetTU = try cursor.readUInt16()
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(quietCount)
    writer.write(quietPeriod)
    writer.write(quietDurationTU)
    writer.write(quietOffsetTU)
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("quietCount", quietCount)
    fields.field("quietPeriod", quietPeriod)
    fields.field("quietDurationTU", quietDurationTU)
    fields.field("quietOffsetTU", quietOffsetTU)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
