/// DSSS Parameter Set, element 3: the channel in the 2.4 GHz band (IEEE 802.11-2020 9.4.2.4).
///
/// 1 byte.
public struct DSSSParameterSet: FixedElement {
  public static let elementID = ElementID(3)
  public static let name: StaticString = "DSSS Parameter Set"

  /// The channel number.
  public var currentChannel: UInt8 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(currentChannel: UInt8) { self.currentChannel = currentChannel }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass("currentChannel", &currentChannel)
  }
}
