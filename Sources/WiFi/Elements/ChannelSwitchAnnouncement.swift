/// Channel Switch Announcement, element 37: the network is about to move (IEEE 802.11-2020 9.4.2.18).
///
/// 3 bytes.
public struct ChannelSwitchAnnouncement: FixedElement {
  public static let elementID = ElementID(37)
  public static let name: StaticString = "Channel Switch Announcement"

  /// 1 where stations must be silent until then, 0 where they need not.
  public var channelSwitchMode: UInt8 = 0

  /// The channel number to come.
  public var newChannelNumber: UInt8 = 0

  /// Beacons until the switch; 1 is just before the next beacon, 0 any time.
  public var channelSwitchCount: UInt8 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(channelSwitchMode: UInt8, newChannelNumber: UInt8, channelSwitchCount: UInt8) {
    self.channelSwitchMode = channelSwitchMode
    self.newChannelNumber = newChannelNumber
    self.channelSwitchCount = channelSwitchCount
  }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass("channelSwitchMode", &channelSwitchMode)
    try codec.pass("newChannelNumber", &newChannelNumber)
    try codec.pass("channelSwitchCount", &channelSwitchCount)
  }
}
