/// UORA Parameter Set, element 255/37: the window of random access with OFDMA (IEEE 802.11ax-2021 9.4.2.250).
///
/// 1 byte behind the Element ID Extension.
public struct UORAParameterSet: FixedElement {
  public static let elementID = ElementID(extension: 37)
  public static let name: StaticString = "UORA Parameter Set"

  /// OCW Range: the exponent of the least window in bits 0 to 2, of the greatest in 3 to 5.
  public var range: UInt8 = 0

  /// Bytes behind the field above.
  public var trailing: [UInt8] = []

  /// Makes the element of its field.
  public init(range: UInt8) { self.range = range }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&range)
  }

  /// The least OFDMA contention window: 2^exponent − 1.
  public var minimumWindow: Int { 1 << range.bits(0, 3) - 1 }

  /// The greatest OFDMA contention window: 2^exponent − 1.
  public var maximumWindow: Int { 1 << range.bits(3, 3) - 1 }

  public func describeFields(into fields: inout FieldWriter) {
    fields.field("eocwMin", range.bits(0, 3))
    fields.field("eocwMax", range.bits(3, 3))
    fields.field("ocwMin", minimumWindow)
    fields.field("ocwMax", maximumWindow)
  }
}
