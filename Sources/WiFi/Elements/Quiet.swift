/// Quiet, element 40: when no station sends, so that the channel can be tested (IEEE 802.11-2020 9.4.2.22).
///
/// 6 bytes.
public struct Quiet: FixedElement {
  public static let elementID = ElementID(40)
  public static let name: StaticString = "Quiet"

  /// Beacons until the one whose interval holds the next quiet interval.
  public var quietCount: UInt8 = 0

  /// Beacon intervals from one quiet interval to the next; zero when it happens once.
  public var quietPeriod: UInt8 = 0

  /// How long it lasts, in TU.
  public var quietDurationTU: UInt16 = 0

  /// How long after the beacon it starts, in TU.
  public var quietOffsetTU: UInt16 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass("quietCount", &quietCount)
    try codec.pass("quietPeriod", &quietPeriod)
    try codec.pass("quietDurationTU", &quietDurationTU)
    try codec.pass("quietOffsetTU", &quietOffsetTU)
  }
}
