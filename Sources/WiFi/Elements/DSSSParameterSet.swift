/// DSSS Parameter Set, element 3: the channel in the 2.4 GHz band (IEEE 802.11-2020 9.4.2.4).
///
/// 1 byte.
public struct DSSSParameterSet: ElementBody {
  public static let elementID = ElementID(3)
  public static let name: StaticString = "DSSS Parameter Set"

  /// The channel number.
  public var currentChannel: UInt8

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(currentChannel: UInt8) { self.currentChannel = currentChannel }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    currentChannel = try cursor.readUInt8()
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(currentChannel)
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("currentChannel", currentChannel)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
