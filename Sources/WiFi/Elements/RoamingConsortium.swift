/// Roaming Consortium, element 111: whose customers can join here (IEEE 802.11-2020 9.4.2.95).
///
/// 2 bytes or more: how many more can be asked for, two lengths, and up to three organisation identifiers.
public struct RoamingConsortium: ElementBody {
  public static let elementID = ElementID(111)
  public static let name: StaticString = "Roaming Consortium"

  /// How many more identifiers ANQP gives.
  public var anqpOICount: UInt8

  /// The length of the first identifier in the low four bits, of the second in the high ones.
  public private(set) var lengths: UInt8

  /// The identifiers, one behind the other.
  public private(set) var bytes: ByteList

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    anqpOICount = try cursor.readUInt8()
    lengths = try cursor.readUInt8()
    try cursor.require(Int(lengths & 0xF) + Int(lengths >> 4))
    bytes = ByteList(remainingOf: &cursor)
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(anqpOICount)
    writer.write(lengths)
    bytes.encode(into: &writer)
  }

  /// The identifiers that are there: up to two, and a third where the second is not empty.
  public var organizationIdentifiers: [[UInt8]] {
    let first = Int(lengths & 0xF)
    let second = Int(lengths >> 4)
    let all = [bytes.prefix(first), bytes.dropFirst(first).prefix(second), bytes.dropFirst(first + second)]
    return all.filter { !$0.isEmpty }.map { Array($0) }
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("anqpOICount", anqpOICount)
    fields.field("organizationIdentifiersHex", organizationIdentifiers.map { Hex.string($0) })
    fields.field("lengthsHex", hexNumber: lengths)
  }
}
