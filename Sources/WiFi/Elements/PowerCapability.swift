/// Power Capability, element 33: with what power a station can send on the channel (IEEE 802.11-2020 9.4.2.14).
///
/// 2 bytes.
public struct PowerCapability: FixedElement {
  public static let elementID = ElementID(33)
  public static let name: StaticString = "Power Capability"

  /// The lowest power, in dBm.
  public var minimumPowerDBm: Int8 = 0

  /// The highest power, in dBm.
  public var maximumPowerDBm: Int8 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass("minimumPowerDBm", &minimumPowerDBm)
    try codec.pass("maximumPowerDBm", &maximumPowerDBm)
  }
}
