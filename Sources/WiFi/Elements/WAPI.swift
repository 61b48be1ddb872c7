/// WAPI, element 68: the ciphers and key managements of the Chinese national standard (GB 15629.11-2003/XG1-2006,
/// 8.1.4.1).
///
/// 10 bytes or more: version, the lists, the group cipher, capabilities, and a list of key identifiers that may be left
/// out.
public struct WAPI: ElementBody {
  public static let elementID = ElementID(68)
  public static let name: StaticString = "WAPI"

  /// The version, 1.
  public var version: UInt16

  /// How a station can prove who it is: 00-14-72:1 by a certificate, 00-14-72:2 by a key that all share.
  public var akms: SuiteList<AKMSuite>

  /// What can protect frames to one station; 00-14-72:1 is the only one.
  public var pairwiseCiphers: SuiteList<CipherSuite>

  /// What protects frames to groups.
  public var groupCipher: CipherSuite

  /// WAPI Capabilities: preauthentication in bit 0.
  public var capabilities: UInt16

  /// The count of key identifiers (BKID) and those, 16 bytes each, and what is behind them.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(
    version: UInt16 = 1, akms: SuiteList<AKMSuite>, pairwiseCiphers: SuiteList<CipherSuite>, groupCipher: CipherSuite,
    capabilities: UInt16 = 0
  ) {
    self.version = version
    self.akms = akms
    self.pairwiseCiphers = pairwiseCiphers
    self.groupCipher = groupCipher
    self.capabilities = capabilities
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    version = try cursor.readUInt16()
    akms = try SuiteList(parsing: &cursor, count: Int(try cursor.readUInt16()))
    pairwiseCiphers = try SuiteList(parsing: &cursor, count: Int(try cursor.readUInt16()))
    groupCipher = CipherSuite(selector: try cursor.readUInt32BigEndian())
    capabilities = try cursor.readUInt16()
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(version)
    writer.write(UInt16(clamping: akms.count))
    akms.encode(into: &writer)
    writer.write(UInt16(clamping: pairwiseCiphers.count))
    pairwiseCiphers.encode(into: &writer)
    writer.writeBigEndian(groupCipher.selector)
    writer.write(capabilities)
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("version", version)
    fields.field("akms", akms.names)
    fields.field("pairwiseCiphers", pairwiseCiphers.names)
    fields.field("groupCipher", groupCipher.name)
    fields.flags("capabilities", "capabilitiesHex", capabilities, [0: "preauthentication"])
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
