/// Extended Channel Switch Announcement, element 60: the network is about to move, also to another operating class
/// (IEEE 802.11-2020 9.4.2.52).
///
/// 4 bytes.
public struct ExtendedChannelSwitchAnnouncement: FixedElement {
  public static let elementID = ElementID(60)
  public static let name: StaticString = "Extended Channel Switch Announcement"

  /// 1 where stations must be silent until then, 0 where they need not.
  public var channelSwitchMode: UInt8 = 0

  /// The operating class to come (IEEE 802.11-2020 annex E).
  public var newOperatingClass: UInt8 = 0

  /// The channel number to come.
  public var newChannelNumber: UInt8 = 0

  /// Beacons until the switch; 1 is just before the next beacon, 0 any time.
  public var channelSwitchCount: UInt8 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass("channelSwitchMode", &channelSwitchMode)
    try codec.pass("newOperatingClass", &newOperatingClass)
    try codec.pass("newChannelNumber", &newChannelNumber)
    try codec.pass("channelSwitchCount", &channelSwitchCount)
  }
}
