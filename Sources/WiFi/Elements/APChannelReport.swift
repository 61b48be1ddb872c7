/// AP Channel Report, element 51: on which channels other access points of the network are (IEEE 802.11-2020 9.4.2.35).
///
/// 1 byte or more.
public struct APChannelReport: ElementBody {
  public static let elementID = ElementID(51)
  public static let name: StaticString = "AP Channel Report"

  /// The operating class that the channels are of (IEEE 802.11-2020 annex E).
  public var operatingClass: UInt8

  /// The channel numbers.
  public var channels: ByteList

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    operatingClass = try cursor.readUInt8()
    channels = ByteList(remainingOf: &cursor)
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(operatingClass)
    channels.encode(into: &writer)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("operatingClass", operatingClass)
    fields.field("channels", channels)
  }
}
