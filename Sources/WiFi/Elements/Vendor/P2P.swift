/// Wi-Fi Direct, vendor element 50-6F-9A:9: a device that others can join without an access point
/// (Wi-Fi Alliance, Wi-Fi Peer-to-Peer 1.9, 4.1).
///
/// 4 bytes or more: OUI and type, then attributes of an identifier, a length of two bytes and a body.
public struct P2P: ElementBody {
  public static let elementID = ElementID(221)
  public static let name: StaticString = "P2P"

  /// The attributes as they are on the air.
  public var bytes: [UInt8]

  /// An attribute.
  public struct Attribute: Hashable, Sendable {
    /// What it is.
    public var id: UInt8
    /// Its body.
    public var body: ArraySlice<UInt8>
  }

  /// Makes the element of its attributes' bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    try cursor.readVendorType(VendorType.p2p)
    bytes = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.writeBigEndian(VendorType.p2p)
    writer.write(bytes)
  }

  private func split() -> (attributes: [Attribute], trailing: ArraySlice<UInt8>) {
    var attributes: [Attribute] = []
    var rest = bytes[...]
    while let id = rest.first, rest.count >= 3 {
      let length = rest.dropFirst().prefix(2).reversed().reduce(0) { $0 << 8 | Int($1) }
      guard rest.count >= 3 + length else { break }
      attributes.append(Attribute(id: id, body: rest.dropFirst(3).prefix(length)))
      rest = rest.dropFirst(3 + length)
    }
    return (attributes, rest)
  }

  /// The attributes in the order they were sent, up to the first that is cut off.
  public var attributes: [Attribute] { split().attributes }

  public func describe(into fields: inout FieldWriter) {
    let (attributes, trailing) = split()
    fields.objects("attributes", attributes) { $1.describe(into: &$0) }
    fields.fieldIfPresent("trailingHex", hex: Array(trailing))
  }
}

extension P2P.Attribute: Describable {
  /// The name in table 6 of the specification, or `nil` for one that is not known.
  public var name: StaticString? { Self.names[id] }

  private static let names: NumberNames = [
    0: "status", 1: "minorReasonCode", 2: "p2pCapability", 3: "p2pDeviceID", 4: "groupOwnerIntent",
    5: "configurationTimeout", 6: "listenChannel", 7: "p2pGroupBSSID", 8: "extendedListenTiming",
    9: "intendedP2PInterfaceAddress", 10: "p2pManageability", 11: "channelList", 12: "noticeOfAbsence",
    13: "p2pDeviceInfo", 14: "p2pGroupInfo", 15: "p2pGroupID", 16: "p2pInterface", 17: "operatingChannel",
    18: "invitationFlags", 221: "vendorSpecific",
  ]

  static let deviceCapabilityNames: NumberNames = [
    0: "serviceDiscovery", 1: "clientDiscoverability", 2: "concurrentOperation", 3: "infrastructureManaged",
    4: "deviceLimit", 5: "invitationProcedure", 6: "sixGHzBandCapable",
  ]
  static let groupCapabilityNames: NumberNames = [
    0: "groupOwner", 1: "persistentGroup", 2: "groupLimit", 3: "intraBSSDistribution", 4: "crossConnection",
    5: "persistentReconnect", 6: "groupFormation", 7: "ipAddressAllocation",
  ]

  public func describe(into fields: inout FieldWriter) {
    fields.field("id", id)
    if let name { fields.field("name", plain: name) }
    describeValue(into: &fields)
    fields.field("bodyHex", hex: body)
  }

  private func describeValue(into fields: inout FieldWriter) {
    var cursor = ByteCursor(Array(body))
    do throws(WireError) {
      switch id {
      case 2:
        fields.flags("deviceCapability", "deviceCapabilityHex", try cursor.readUInt8(), Self.deviceCapabilityNames)
        fields.flags("groupCapability", "groupCapabilityHex", try cursor.readUInt8(), Self.groupCapabilityNames)
      case 3, 7, 9: fields.field("address", try cursor.readMACAddress().description)
      case 6, 17:
        fields.field("country", PrintableText.escape(try cursor.readBytes(3)))
        fields.field("operatingClass", try cursor.readUInt8())
        fields.field("channel", try cursor.readUInt8())
      case 12: try Self.describeNoticeOfAbsence(&cursor, into: &fields)
      case 13:
        fields.field("address", try cursor.readMACAddress().description)
        let methods = try cursor.readUInt16BigEndian()
        fields.flags("configMethods", "configMethodsHex", methods, WPS.Attribute.configMethodNames)
        fields.field("primaryDeviceType", deviceType(try cursor.readBytes(8)[...]))
        try cursor.skip(Int(try cursor.readUInt8()) * 8)
        try cursor.skip(2)
        let length = Int(try cursor.readUInt16BigEndian())
        fields.field("deviceName", PrintableText.escape(try cursor.readBytes(length)))
      case 15:
        fields.field("address", try cursor.readMACAddress().description)
        fields.field("ssid", PrintableText.escape(cursor.readRemaining()))
      default: break
      }
    } catch {
      fields.field("error", error.description)
    }
  }

  /// When the group owner sleeps (Wi-Fi Peer-to-Peer 1.9, 4.1.14): an index, CTWindow and OppPS, then absences of 13
  /// bytes.
  private static func describeNoticeOfAbsence(_ cursor: inout ByteCursor, into fields: inout FieldWriter) throws(WireError) {
    fields.field("index", try cursor.readUInt8())
    let parameters = try cursor.readUInt8()
    fields.field("opportunisticPowerSave", parameters & 0x80 != 0)
    fields.field("ctWindowTU", parameters & 0x7F)
    var absences: [(count: UInt8, durationUs: UInt32, intervalUs: UInt32, startTimeUs: UInt32)] = []
    while cursor.remaining >= 13 {
      absences.append(
        (try cursor.readUInt8(), try cursor.readUInt32(), try cursor.readUInt32(), try cursor.readUInt32()))
    }
    fields.objects("absences", absences) { fields, absence in
      fields.field("count", absence.count)
      fields.field("durationUs", absence.durationUs)
      fields.field("intervalUs", absence.intervalUs)
      fields.field("startTimeUs", absence.startTimeUs)
    }
    fields.fieldIfPresent("trailingHex", hex: cursor.readRemaining())
  }
}
