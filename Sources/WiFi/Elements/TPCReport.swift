/// TPC Report, element 35: with what power this frame was sent (IEEE 802.11-2020 9.4.2.16).
///
/// 2 bytes.
public struct TPCReport: FixedElement {
  public static let elementID = ElementID(35)
  public static let name: StaticString = "TPC Report"

  /// The power, in dBm.
  public var transmitPowerDBm: Int8 = 0

  /// The reserve of the link, in dB; zero and meaningless in beacons and probe responses.
  public var linkMarginDB: Int8 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass("transmitPowerDBm", &transmitPowerDBm)
    try codec.pass("linkMarginDB", &linkMarginDB)
  }
}
