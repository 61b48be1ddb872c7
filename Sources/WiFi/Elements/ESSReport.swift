/// ESS Report, element 255/45 (IEEE 802.11ax-2021 9.4.2.256).
///
/// 1 byte behind the Element ID Extension.
public struct ESSReport: FixedElement {
  public static let elementID = ElementID(extension: 45)
  public static let name: StaticString = "ESS Report"

  /// ESS Information: planned ESS in bit 0, edge of the ESS in 1, the recommended transition threshold in 2 to 7.
  public var information: UInt8 = 0

  /// Bytes behind the field above.
  public var trailing: [UInt8] = []

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&information)
  }

  public func describeFields(into fields: inout FieldWriter) {
    fields.field("plannedESS", information.has(0))
    fields.field("edgeOfESS", information.has(1))
    fields.field("recommendedTransitionThreshold", information.bits(2, 6))
  }
}
