/// Fragment, element 242, where it continues nothing (IEEE 802.11-2020 9.4.2.188).
///
/// 0 to 255 octets.
/// A fragment that continues the element before it is part of that element and not listed by itself.
public struct Fragment: ElementBody {
  public static let elementID = ElementID(242)
  public static let name: StaticString = "Fragment"

  /// The octets that continue something.
  public var octets: [UInt8]

  /// Makes the element of its octets.
  public init(octets: [UInt8]) { self.octets = octets }

  public init(parsing cursor: inout ByteCursor) throws(WireError) { octets = cursor.readRemaining() }

  public func encode(into writer: inout ByteWriter) { writer.write(octets) }

  public func describe(into fields: inout FieldWriter) { fields.field("octetsHex", hex: octets) }
}
