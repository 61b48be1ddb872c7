/// Multiband Operation and Optimized Connectivity Experience, vendor element 50-6F-9A:22: how a network steers its
/// stations between bands and to cellular data (Wi-Fi Alliance, MBO 1.0 and OCE 1.0, chapter 4).
///
/// 4 bytes or more: OUI and type, then attributes of an identifier, a length of one byte and a body.
public struct MBO: ElementBody {
  public static let elementID = ElementID(221)
  public static let name: StaticString = "MBO and OCE"

  /// The attributes as they are on the air.
  public var bytes: [UInt8]

  /// An attribute.
  public struct Attribute: Hashable, Sendable {
    /// What it is: 1 to 8 are of MBO, from 101 on of OCE.
    public var id: UInt8
    /// Its body.
    public var body: ArraySlice<UInt8>
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    try cursor.readVendorType(VendorType.mbo)
    bytes = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.writeBigEndian(VendorType.mbo)
    writer.write(bytes)
  }

  private func split() -> (attributes: [Attribute], trailing: ArraySlice<UInt8>) {
    var walk = ElementWalk(bytes, fragmentID: nil)
    var attributes: [Attribute] = []
    while let header = walk.next() { attributes.append(Attribute(id: header.id, body: bytes[header.body])) }
    return (attributes, walk.rest.map { bytes[$0] } ?? [])
  }

  /// The attributes in the order they were sent, up to the first that is cut off.
  public var attributes: [Attribute] { split().attributes }

  /// The first attribute with a number.
  public func attribute(_ id: UInt8) -> ArraySlice<UInt8>? { attributes.first { $0.id == id }?.body }

  /// Why no further station may join, as the number of table 4-15, or `nil` where stations may join.
  public var associationDisallowedReason: UInt8? { attribute(4)?.first }

  public func describe(into fields: inout FieldWriter) {
    let (attributes, trailing) = split()
    fields.objects("attributes", attributes) { $1.describe(into: &$0) }
    fields.fieldIfPresent("trailingHex", hex: Array(trailing))
  }
}

extension MBO.Attribute: Describable {
  /// The name in the tables 4-5 of MBO and 4-3 of OCE, or `nil` for one that is not known.
  public var name: StaticString? { Self.names[id] }

  private static let names: NumberNames = [
    1: "apCapabilityIndication", 2: "nonPreferredChannelReport", 3: "cellularDataCapabilities",
    4: "associationDisallowed", 5: "cellularDataConnectionPreference", 6: "transitionReason",
    7: "transitionRejectionReason", 8: "associationRetryDelay", 101: "oceCapabilityIndication",
    102: "rssiBasedAssociationRejection", 103: "reducedWANMetrics", 104: "rnrCompleteness",
    105: "probeSuppressionBSSIDs", 106: "probeSuppressionSSIDs",
  ]

  private static let oceFlags: NumberNames = [
    3: "staCFON", 4: "only11bAPPresent", 5: "filsHigherLayerProtocolEncapsulation", 6: "nonOCEAPPresent",
  ]

  public func describe(into fields: inout FieldWriter) {
    fields.field("id", id)
    if let name { fields.field("name", plain: name) }
    var cursor = ByteCursor(Array(body))
    do throws(WireError) { try describeValue(&cursor, into: &fields) } catch { fields.field("error", error.description) }
    fields.field("bodyHex", hex: body)
  }

  private func describeValue(_ cursor: inout ByteCursor, into fields: inout FieldWriter) throws(WireError) {
    switch id {
    case 1: fields.field("cellularDataAware", try cursor.readUInt8() & 0x40 != 0)
    case 2 where !body.isEmpty:
      // The operating class, channels, and at the end what is thought of them.
      guard body.count >= 3 else {
        throw WireError(offset: 0, reason: .length(declared: body.count, allowed: 3...255))
      }
      fields.field("operatingClass", try cursor.readUInt8())
      fields.field("channels", try cursor.readBytes(body.count - 3))
      fields.field("preference", try cursor.readUInt8())
      let names: NumberNames = [0: "unspecified", 1: "rssi", 2: "externalInterference", 3: "internalInterference"]
      fields.field("reason", try cursor.readUInt8(), named: names)
    case 3: fields.field("value", try cursor.readUInt8(), named: [1: "available", 2: "notAvailable", 3: "notSupported"])
    case 4: fields.field("reason", try cursor.readUInt8(), named: Self.disallowed)
    case 5: fields.field("value", try cursor.readUInt8(), named: [0: "excluded", 1: "notPreferred", 255: "preferred"])
    case 6: fields.field("reason", try cursor.readUInt8(), named: Self.transition)
    case 7: fields.field("reason", try cursor.readUInt8(), named: Self.rejection)
    case 8: fields.field("delayS", try cursor.readUInt16())
    case 101:
      let control = try cursor.readUInt8()
      fields.field("release", control & 7)
      fields.flags("control", "controlHex", control, Self.oceFlags)
    case 102:
      fields.field("deltaRSSIDB", try cursor.readUInt8())
      fields.field("retryDelayS", try cursor.readUInt8())
    case 103:
      let capacity = try cursor.readUInt8()
      fields.field("downlinkKbps", 100 << Int(capacity & 15))
      fields.field("uplinkKbps", 100 << Int(capacity >> 4))
    case 104:
      var shortSSIDs: [String] = []
      while cursor.remaining >= 4 { shortSSIDs.append(Hex.string(try cursor.readBytes(4))) }
      fields.field("shortSSIDsHex", shortSSIDs)
    case 105:
      var addresses: [String] = []
      while cursor.remaining >= 6 { addresses.append(try cursor.readMACAddress().description) }
      fields.field("bssids", addresses)
    default: break
    }
  }

  private static let disallowed: NumberNames = [
    1: "unspecified", 2: "maximumStations", 3: "airInterfaceOverloaded", 4: "authenticationServerOverloaded",
    5: "insufficientRSSI",
  ]
  private static let transition: NumberNames = [
    0: "unspecified", 1: "excessiveFrameLoss", 2: "excessiveDelay", 3: "insufficientBandwidth", 4: "loadBalancing",
    5: "lowRSSI", 6: "excessiveRetransmissions", 7: "highInterference", 8: "grayZone", 9: "premiumAP",
  ]
  private static let rejection: NumberNames = [
    0: "unspecified", 1: "excessiveFrameLoss", 2: "excessiveDelay", 3: "insufficientQoSCapacity", 4: "lowRSSI",
    5: "highInterference", 6: "servicesUnavailable",
  ]
}
