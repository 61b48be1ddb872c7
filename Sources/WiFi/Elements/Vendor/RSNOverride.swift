/// RSN Element Override, vendor elements 50-6F-9A:41 and 42: key managements for stations that know it, hidden from
/// those that would stumble over them (Wi-Fi Alliance, WPA3 3.4, 9.4).
///
/// 6 bytes or more: OUI and type, then the fields of ``RSN``.
public struct RSNOverride: SecurityElement {
  public static let elementID = ElementID(221)
  public static let name: StaticString = "RSN Element Override"
  public static var defaultCipher: CipherSuite { .ccmp128 }
  public static var defaultAKM: AKMSuite { .ieee8021X }

  public private(set) var suites: SecuritySuites

  /// Whether this is RSN Element Override 2.
  public private(set) var isSecond: Bool

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    let offset = cursor.position
    let type = try cursor.readUInt32BigEndian()
    guard type == VendorType.rsnOverride || type == VendorType.rsnOverride2 else {
      throw WireError(offset: offset, reason: .invalid("OUI and type of another vendor element"))
    }
    isSecond = type == VendorType.rsnOverride2
    suites = try SecuritySuites(parsing: &cursor, hasVersion: true)
  }

  public func encode(into writer: inout ByteWriter) {
    writer.writeBigEndian(isSecond ? VendorType.rsnOverride2 : VendorType.rsnOverride)
    suites.encode(into: &writer)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("number", isSecond ? 2 : 1)
    suites.describe(into: &fields, defaultCipher: Self.defaultCipher, defaultAKM: Self.defaultAKM)
  }
}

/// RSN Extension Element Override, vendor element 50-6F-9A:43 (Wi-Fi Alliance, WPA3 3.4, 9.4).
///
/// 5 bytes or more: OUI and type, then the body of ``RSNX``.
public struct RSNXOverride: ElementBody {
  public static let elementID = ElementID(221)
  public static let name: StaticString = "RSN Extension Element Override"

  /// The capabilities for stations that know the override.
  public var rsnx: RSNX

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    try cursor.readVendorType(VendorType.rsnxOverride)
    rsnx = try RSNX(parsing: &cursor)
  }

  public func encode(into writer: inout ByteWriter) {
    writer.writeBigEndian(VendorType.rsnxOverride)
    rsnx.encode(into: &writer)
  }

  public func describe(into fields: inout FieldWriter) { rsnx.describe(into: &fields) }
}
