/// ERP, element 42: what old stations in the 2.4 GHz band need of the new ones (IEEE 802.11-2020 9.4.2.11).
///
/// 1 byte.
public struct ERP: FixedElement {
  public static let elementID = ElementID(42)
  public static let name: StaticString = "ERP"

  /// The bits of the ERP Parameters field.
  public var parameters: UInt8 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(parameters: UInt8) { self.parameters = parameters }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&parameters)
  }

  static let names: NumberNames = [0: "nonERPPresent", 1: "useProtection", 2: "barkerPreambleMode"]

  public func describeFields(into fields: inout FieldWriter) {
    fields.flags("parameters", "parametersHex", parameters, Self.names)
  }
}

/// ERP of draft 4.0 of IEEE 802.11g, element 47, which some access points still send beside the final one.
///
/// 1 byte, of the same meaning as ``ERP``.
public struct ERPDraft4: ElementBody {
  public static let elementID = ElementID(47)
  public static let name: StaticString = "ERP D4.0"

  /// The same fields as of the final element.
  public var erp: ERP

  public init(parsing cursor: inout ByteCursor) throws(WireError) { erp = try ERP(parsing: &cursor) }

  public func encode(into writer: inout ByteWriter) { erp.encode(into: &writer) }

  public func describe(into fields: inout FieldWriter) { erp.describe(into: &fields) }
}
