/// BSS Load, element 11: how busy the access point says it is (IEEE 802.11-2020 9.4.2.27).
///
/// 5 bytes.
public struct BSSLoad: ElementBody {
  public static let elementID = ElementID(11)
  public static let name: StaticString = "BSS Load"

  /// Stations associated with this BSS.
  public var stationCount: UInt16

  /// The share of time that the medium was sensed busy, in 1/255.
  public var channelUtilization: UInt8

  /// Medium time left for explicit admission control, in units of 32 µs each second.
  public var availableAdmissionCapacity: UInt16

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(stationCount: UInt16, channelUtilization: UInt8, availableAdmissionCapacity: UInt16) {
    self.stationCount = stationCount
    self.channelUtilization = channelUtilization
    self.availableAdmissionCapacity = availableAdmissionCapacity
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    stationCount = try cursor.readUInt16()
    channelUtilization = try cursor.readUInt8()
    availableAdmissionCapacity = try cursor.readUInt16()
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(stationCount)
    writer.write(channelUtilization)
    writer.write(availableAdmissionCapacity)
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("stationCount", stationCount)
    fields.field("channelUtilization255ths", channelUtilization)
    fields.field("availableAdmissionCapacity32us", availableAdmissionCapacity)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
