/// Power Capability, element 33: with what power a station can send on the channel (IEEE 802.11-2020 9.4.2.14).
///
/// 2 bytes.
public struct PowerCapability: ElementBody {
  public static let elementID = ElementID(33)
  public static let name: StaticString = "Power Capability"

  /// The lowest power, in dBm.
  public var minimumPowerDBm: Int8

  /// The highest power, in dBm.
  public var maximumPowerDBm: Int8

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    minimumPowerDBm = try cursor.readInt8()
    maximumPowerDBm = try cursor.readInt8()
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(minimumPowerDBm)
    writer.write(maximumPowerDBm)
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("minimumPowerDBm", minimumPowerDBm)
    fields.field("maximumPowerDBm", maximumPowerDBm)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
