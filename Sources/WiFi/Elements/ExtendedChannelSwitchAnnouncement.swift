/// Extended Channel Switch Announcement, element 60: the network is about to move, also to another operating class
/// (IEEE 802.11-2020 9.4.2.52).
///
/// 4 bytes.
public struct ExtendedChannelSwitchAnnouncement: ElementBody {
  public static let elementID = ElementID(60)
  public static let name: StaticString = "Extended Channel Switch Announcement"

  /// 1 where stations must be silent until then, 0 where they need not.
  public var channelSwitchMode: UInt8

  /// The operating class to come (IEEE 802.11-2020 annex E).
  public var newOperatingClass: UInt8

  /// The channel number to come.
  public var newChannelNumber: UInt8

  /// Beacons until the switch; 1 is just before the next beacon, 0 any time.
  public var channelSwitchCount: UInt8

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    channelSwitchMode = try cursor.readUInt8()
    newOperatingClass = try cursor.readUInt8()
    newChannelNumber = try cursor.readUInt8()
    channelSwitchCount = try cursor.readUInt8()
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(channelSwitchMode)
    writer.write(newOperatingClass)
    writer.write(newChannelNumber)
    writer.write(channelSwitchCount)
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("channelSwitchMode", channelSwitchMode)
    fields.field("newOperatingClass", newOperatingClass)
    fields.field("newChannelNumber", newChannelNumber)
    fields.field("channelSwitchCount", channelSwitchCount)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
