/// Channel Switch Announcement, element 37: the network is about to move (IEEE 802.11-2020 9.4.2.18).
///
/// 3 bytes.
public struct ChannelSwitchAnnouncement: ElementBody {
  public static let elementID = ElementID(37)
  public static let name: StaticString = "Channel Switch Announcement"

  /// 1 where stations must be silent until then, 0 where they need not.
  public var channelSwitchMode: UInt8

  /// The channel number to come.
  public var newChannelNumber: UInt8

  /// Beacons until the switch; 1 is just before the next beacon, 0 any time.
  public var channelSwitchCount: UInt8

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(channelSwitchMode: UInt8, newChannelNumber: UInt8, channelSwitchCount: UInt8) {
    self.channelSwitchMode = channelSwitchMode
    self.newChannelNumber = newChannelNumber
    self.channelSwitchCount = channelSwitchCount
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    channelSwitchMode = try cursor.readUInt8()
    newChannelNumber = try cursor.readUInt8()
    channelSwitchCount = try cursor.readUInt8()
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(channelSwitchMode)
    writer.write(newChannelNumber)
    writer.write(channelSwitchCount)
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("channelSwitchMode", channelSwitchMode)
    fields.field("newChannelNumber", newChannelNumber)
    fields.field("channelSwitchCount", channelSwitchCount)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
