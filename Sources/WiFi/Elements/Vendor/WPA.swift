/// Wi-Fi Protected Access, vendor element 00-50-F2:1: the ciphers and key managements of WPA
/// (Wi-Fi Alliance, Wi-Fi Protected Access 3.1, 2.1).
///
/// 6 bytes or more: OUI and type, the version, then fields each of which may be left out with all that follow.
public struct WPA: SecurityElement {
  public static let elementID = ElementID(221)
  public static let name: StaticString = "WPA"
  public static var defaultCipher: CipherSuite { CipherSuite(selector: SuiteOUI.microsoft | 2) }
  public static var defaultAKM: AKMSuite { AKMSuite(selector: SuiteOUI.microsoft | 1) }

  public var suites: SecuritySuites

  /// Makes the element from its fields; `capabilities` may be left out.
  public init(
    groupCipher: CipherSuite, pairwiseCiphers: SuiteList<CipherSuite>, akms: SuiteList<AKMSuite>,
    capabilities: RSNCapabilities? = nil
  ) {
    suites = SecuritySuites(groupCipher: groupCipher, pairwiseCiphers: pairwiseCiphers, akms: akms, capabilities: capabilities)
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    try cursor.readVendorType(VendorType.wpa)
    suites = try SecuritySuites(parsing: &cursor, hasVersion: true)
  }

  public func encode(into writer: inout ByteWriter) {
    writer.writeBigEndian(VendorType.wpa)
    suites.encode(into: &writer)
  }
}
