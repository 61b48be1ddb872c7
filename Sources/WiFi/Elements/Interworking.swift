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

    /// The name of the group, or `nil` for a reserved number.
    public var groupName: StaticString? {
      switch group {
      case 0: "unspecified"
      case 1: "assembly"
      case 2: "business"
      case 3: "educational"
      case 4: "factoryAndIndustrial"
      case 5: "institutional"
      case 6: "mercantile"
      case 7: "residential"
      case 8: "storage"
      case 9: "utilityAndMiscellaneous"
      case 10: "vehicular"
      case 11: "outdoor"
      default: nil
      }
    }
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

  /// The name of the Access Network Type, or `nil` for a reserved number (IEEE 802.11-2020 table 9-239).
  public var accessNetworkTypeName: StaticString? {
    switch accessNetworkType {
    case 0: "private"
    case 1: "privateWithGuestAccess"
    case 2: "chargeablePublic"
    case 3: "freePublic"
    case 4: "personalDevice"
    case 5: "emergencyServicesOnly"
    case 14: "testOrExperimental"
    case 15: "wildcard"
    default: nil
    }
  }

  static let names = FlagNames([(4, "internet"), (5, "asra"), (6, "esr"), (7, "uesa")])

  public func describe(into fields: inout FieldWriter) {
    if let accessNetworkTypeName {
      fields.field("accessNetworkType", "\(accessNetworkTypeName)")
    } else {
      fields.field("accessNetworkType", accessNetworkType)
    }
    fields.flags("accessNetworkOptions", "accessNetworkOptionsHex", accessNetworkOptions, Self.names)
    if let venue {
      if let groupName = venue.groupName {
        fields.field("venueGroup", "\(groupName)")
      } else {
        fields.field("venueGroup", venue.group)
      }
      fields.field("venueType", venue.type)
    }
    if let hessid { fields.field("hessid", hessid.description) }
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
