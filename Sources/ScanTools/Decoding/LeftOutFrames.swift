/// The beacons and probe responses of a capture that were left out, by the reason.
public struct LeftOutFrames: Hashable, Sendable {
  /// Neither the receiver nor their elements name a channel of IEEE 802.11.
  public var unplaced = 0
  /// Their BSSID is the address of a group; that of an access point is an individual one (IEEE 802.11-2020 9.2.4.3.4).
  public var groupAddressed = 0
  /// Beacons of DMG (60 GHz) and S1G (below 1 GHz).
  public var otherBands = 0

  /// None.
  public init() {}

  static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.unplaced += right.unplaced
    sum.groupAddressed += right.groupAddressed
    sum.otherBands += right.otherBands
    return sum
  }
}
