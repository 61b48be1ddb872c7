/// Hotspot 2.0 Indication, vendor element 50-6F-9A:16 (Wi-Fi Alliance, Hotspot 2.0 3.1, 3.1.1).
///
/// 5 to 9 bytes: OUI and type, configuration, then the identifiers that the configuration announces.
public struct Hotspot20: ElementBody {
  public static let elementID = ElementID(221)
  public static let name: StaticString = "Hotspot 2.0 Indication"

  /// The Hotspot Configuration field.
  public private(set) var configuration: UInt8
  /// The subscription that can be updated here, or `nil` where it is left out.
  public private(set) var ppsMOID: UInt16?
  /// A number that networks with the same answers share, or `nil` where it is left out.
  public private(set) var anqpDomainID: UInt16?
  /// Bytes behind the fields above.
  public private(set) var trailing: [UInt8]

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    try cursor.readVendorType(VendorType.hotspot20)
    configuration = try cursor.readUInt8()
    if configuration & 2 != 0 { ppsMOID = try cursor.readUInt16() }
    if configuration & 4 != 0 { anqpDomainID = try cursor.readUInt16() }
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.writeBigEndian(VendorType.hotspot20)
    writer.write(configuration)
    if let ppsMOID { writer.write(ppsMOID) }
    if let anqpDomainID { writer.write(anqpDomainID) }
    writer.write(trailing)
  }

  /// Whether frames from stations to groups are not passed on (B0).
  public var isDGAFDisabled: Bool { configuration & 1 != 0 }

  /// The release of Hotspot 2.0, from 1 (B4–B7).
  public var release: Int { Int(configuration >> 4) + 1 }

  public func describe(into fields: inout FieldWriter) {
    fields.field("configurationHex", hexNumber: configuration)
    fields.field("isDGAFDisabled", isDGAFDisabled)
    fields.field("release", release)
    fields.fieldIfPresent("ppsMOID", ppsMOID)
    fields.fieldIfPresent("anqpDomainID", anqpDomainID)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
