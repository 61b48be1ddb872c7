/// IBSS Parameter Set, element 6 (IEEE 802.11-2020 9.4.2.6).
///
/// 2 bytes.
public struct IBSSParameterSet: ElementBody {
  public static let elementID = ElementID(6)
  public static let name: StaticString = "IBSS Parameter Set"

  /// How long stations stay awake for announcements after a beacon, in TU.
  public var atimWindowTU: UInt16

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    atimWindowTU = try cursor.readUInt16()
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(atimWindowTU)
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("atimWindowTU", atimWindowTU)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
