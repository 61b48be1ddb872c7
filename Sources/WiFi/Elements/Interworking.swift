/// Interworking, element 107: what kind of network and place this is (IEEE 802.11-2020 9.4.2.91).
///
/// 1, 3, 7 or 9 bytes: options, then venue, HESSID, both or neither.
public struct Interworking: ElementBody {
  public static let elementID = ElementID(107)
  public static let name: StaticString = "Interworking"

  /// The Access Network Options field.
  public var accessNetworkOptions: UInt8

  /// The kind of place, or `nil` where it is left out.
  public var venue: Venue?

  /// The address that networks with the same services share, or `nil` where it is left out.
  public var hessid: MACAddress?

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// The kind of place (IEEE 802.11-2020 9.4.1.34).
  public struct Venue: Hashable, Sendable {
    /// The Venue Group.
    public var group: UInt8
    /// The Venue Type, of a meaning for each group.
    public var type: UInt8

    /// The names of the groups.
    fileprivate static let groupNames: NumberNames = [
      0: "unspecified", 1: "assembly", 2: "business", 3: "educational", 4: "factoryAndIndustrial", 5: "institutional",
      6: "mercantile", 7: "residential", 8: "storage", 9: "utilityAndMiscellaneous", 10: "vehicular", 11: "outdoor",
    ]
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    accessNetworkOptions = try cursor.readUInt8()
    let rest = cursor.remaining
    if rest == 2 || rest == 8 {
      let group = try cursor.readUInt8()
      venue = Venue(group: group, type: try cursor.readUInt8())
    }
    if rest == 6 || rest == 8 { hessid = try cursor.readMACAddress() }
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(accessNetworkOptions)
    if let venue {
      writer.write(venue.group)
      writer.write(venue.type)
    }
    if let hessid { writer.write(hessid) }
    writer.write(trailing)
  }

  /// The Access Network Type (B0–B3).
  public var accessNetworkType: UInt8 { accessNetworkOptions & 0xF }

  /// The names of the Access Network Types (IEEE 802.11-2020 table 9-239).
  private static let accessNetworkTypeNames: NumberNames = [
    0: "private", 1: "privateWithGuestAccess", 2: "chargeablePublic", 3: "freePublic", 4: "personalDevice",
    5: "emergencyServicesOnly", 14: "testOrExperimental", 15: "wildcard",
  ]

  static let names: NumberNames = [4: "internet", 5: "asra", 6: "esr", 7: "uesa"]

  public func describe(into fields: inout FieldWriter) {
    fields.field("accessNetworkType", accessNetworkType, named: Self.accessNetworkTypeNames)
    fields.flags("accessNetworkOptions", "accessNetworkOptionsHex", accessNetworkOptions, Self.names)
    if let venue {
      fields.field("venueGroup", venue.group, named: Venue.groupNames)
      fields.field("venueType", venue.type)
    }
    if let hessid { fields.field("hessid", hessid.description) }
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
