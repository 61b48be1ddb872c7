/// IBSS Parameter Set, element 6 (IEEE 802.11-2020 9.4.2.6).
///
/// 2 bytes.
public struct IBSSParameterSet: FixedElement {
  public static let elementID = ElementID(6)
  public static let name: StaticString = "IBSS Parameter Set"

  /// How long stations stay awake for announcements after a beacon, in TU.
  public var atimWindowTU: UInt16 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass("atimWindowTU", &atimWindowTU)
  }
}
