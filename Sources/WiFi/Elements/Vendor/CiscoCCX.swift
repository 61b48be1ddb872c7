/// Cisco CCX1 CKIP and Device Name, element 133: the name of a Cisco access point and how many stations it has.
///
/// 27 bytes or more; not part of IEEE 802.11, which does not assign the number. Cisco does not publish it: the layout
/// is what its devices send and what Wireshark reads.
public struct CiscoCCX: ElementBody {
  public static let elementID = ElementID(133)
  public static let name: StaticString = "Cisco CCX1 CKIP + Device Name"

  /// How many stations are associated.
  public var clientCount: UInt8 { bytes.count > 26 ? bytes[26] : 0 }

  private var bytes: [UInt8]

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    guard cursor.remaining >= 27 else {
      throw WireError(offset: cursor.position, reason: .length(declared: cursor.remaining, allowed: 27...255))
    }
    bytes = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) { writer.write(bytes) }

  /// The bytes of the name, at most 16, without the zeros behind it.
  public var nameBytes: ArraySlice<UInt8> { bytes.dropFirst(10).prefix(16).prefix { $0 != 0 } }

  /// The name, escaped.
  public var name: String { PrintableText.escape(nameBytes) }

  public func describe(into fields: inout FieldWriter) {
    fields.field("apName", name)
    fields.field("apNameHex", hex: nameBytes)
    fields.field("clientCount", clientCount)
    fields.field("octetsHex", hex: bytes)
  }
}
