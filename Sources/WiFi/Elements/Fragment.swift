/// Fragment, element 242, where it continues nothing (IEEE 802.11-2020 9.4.2.188).
///
/// 0 to 255 bytes.
/// A fragment that continues the element before it is part of that element and not listed by itself.
public struct Fragment: ElementBody {
  public static let elementID = ElementID(242)
  public static let name: StaticString = "Fragment"

  /// The bytes that continue something.
  public var bytes: [UInt8]

  /// Makes the element of its bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  public init(parsing cursor: inout ByteCursor) throws(WireError) { bytes = cursor.readRemaining() }

  public func encode(into writer: inout ByteWriter) { writer.write(bytes) }

  public func describe(into fields: inout FieldWriter) { fields.field("octetsHex", hex: bytes) }
}
