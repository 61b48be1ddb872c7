/// OSU Server-only Authenticated L2 Encryption Network, vendor element 50-6F-9A:18
/// (Wi-Fi Alliance, Hotspot 2.0 3.1.10).
///
/// 4 bytes or more: OUI and type, then the fields of RSN without its version.
public struct OSEN: SecurityElement {
  public static let elementID = ElementID(221)
  public static let name: StaticString = "OSEN"
  public static var defaultCipher: CipherSuite { .groupTrafficNotAllowed }
  public static var defaultAKM: AKMSuite { .osen }

  public var suites: SecuritySuites

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    try cursor.readVendorType(VendorType.osen)
    suites = try SecuritySuites(parsing: &cursor, hasVersion: false)
  }

  public func encode(into writer: inout ByteWriter) {
    writer.writeBigEndian(VendorType.osen)
    suites.encode(into: &writer)
  }
}
