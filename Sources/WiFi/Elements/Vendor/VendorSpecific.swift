/// A vendor element, 221, that is not known here: who defined it, and its bytes (IEEE 802.11-2020 9.4.2.25).
///
/// 3 bytes or more.
public struct VendorSpecific: ElementBody {
  public static let elementID = ElementID(221)
  public static let name: StaticString = "Vendor Specific"

  /// Who defined it: 24 bits, the first byte in the most significant place.
  public var oui: UInt32

  /// The bytes behind the OUI; the first usually says which of the vendor's elements it is.
  public var bytes: [UInt8]

  /// Makes the element from its fields.
  public init(oui: UInt32, bytes: [UInt8]) {
    self.oui = oui & 0xFF_FFFF
    self.bytes = bytes
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    oui = try cursor.readUInt24BigEndian()
    bytes = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.writeUInt24BigEndian(oui)
    writer.write(bytes)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("oui", ouiText(oui))
    fields.fieldIfPresent("type", bytes.first)
    fields.field("dataHex", hex: bytes)
  }
}
