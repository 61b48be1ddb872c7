/// Secondary Channel Offset, element 62 (IEEE 802.11-2020 9.4.2.19).
///
/// 1 byte.
public struct SecondaryChannelOffset: FixedElement {
  public static let elementID = ElementID(62)
  public static let name: StaticString = "Secondary Channel Offset"

  /// 0 for none, 1 for above, 3 for below.
  public var offset: UInt8 = 0

  /// Bytes behind the field above.
  public var trailing: [UInt8] = []

  /// Makes the element of its field.
  public init(offset: UInt8) { self.offset = offset }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&offset)
  }

  /// Where the secondary channel lies; reserved values are `.none`.
  public var secondaryChannel: Channel.Secondary { Self.direction(offset) }

  static func direction(_ value: UInt8) -> Channel.Secondary {
    switch value {
    case 1: .above
    case 3: .below
    default: .none
    }
  }

  public func describeFields(into fields: inout FieldWriter) {
    switch offset {
    case 0, 1, 3: fields.field("secondaryChannelOffset", secondaryChannel.rawValue)
    default: fields.field("secondaryChannelOffset", offset)
    }
  }
}
