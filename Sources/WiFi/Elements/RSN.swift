/// RSN, element 48: the ciphers and key managements of WPA2 and WPA3 (IEEE 802.11-2020 9.4.2.24).
///
/// 2 bytes or more: the version, then fields each of which may be left out with all that follow.
public struct RSN: SecurityElement {
  public static let elementID = ElementID(48)
  public static let name: StaticString = "RSN"
  public static var defaultCipher: CipherSuite { .ccmp128 }
  public static var defaultAKM: AKMSuite { .ieee8021X }

  public var suites: SecuritySuites

  /// Makes the element from its fields.
  public init(
    groupCipher: CipherSuite, pairwiseCiphers: SuiteList<CipherSuite>, akms: SuiteList<AKMSuite>,
    capabilities: RSNCapabilities, groupManagementCipher: CipherSuite? = nil
  ) {
    suites = SecuritySuites(
      groupCipher: groupCipher, pairwiseCiphers: pairwiseCiphers, akms: akms, capabilities: capabilities,
      groupManagementCipher: groupManagementCipher)
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    suites = try SecuritySuites(parsing: &cursor, hasVersion: true)
  }

  public func encode(into writer: inout ByteWriter) { suites.encode(into: &writer) }
}
