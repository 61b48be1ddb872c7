/// OWE Transition Mode, vendor element 50-6F-9A:28: where the other half of an open network that can also encrypt is
/// (Wi-Fi Alliance, Opportunistic Wireless Encryption 1.1, 2.2.1).
///
/// 11 to 45 bytes: OUI and type, BSSID, length and bytes of the SSID, then band and channel or neither.
public struct OWETransition: ElementBody {
  public static let elementID = ElementID(221)
  public static let name: StaticString = "OWE Transition Mode"

  /// The address of the other BSS.
  public var bssid: MACAddress
  /// The name of the other BSS.
  public var ssid: SSID
  /// The operating class of the other BSS and its channel, or `nil` where it is on the same channel.
  public var operatingClassAndChannel: OperatingClassAndChannel?
  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// An operating class and a channel in it.
  public struct OperatingClassAndChannel: Hashable, Sendable {
    /// The operating class (IEEE 802.11-2020 annex E).
    public var operatingClass: UInt8
    /// The channel number.
    public var channel: UInt8
  }

  /// Makes the element from its fields.
  public init(bssid: MACAddress, ssid: SSID, operatingClassAndChannel: OperatingClassAndChannel? = nil) {
    self.bssid = bssid
    self.ssid = ssid
    self.operatingClassAndChannel = operatingClassAndChannel
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    try cursor.readVendorType(VendorType.oweTransition)
    bssid = try cursor.readMACAddress()
    let lengthOffset = cursor.position
    let length = Int(try cursor.readUInt8())
    guard let ssid = SSID(try cursor.readBytes(length)) else {
      throw WireError(offset: lengthOffset, reason: .length(declared: length, allowed: 0...SSID.maximumLength))
    }
    self.ssid = ssid
    if cursor.remaining >= 2 {
      let operatingClass = try cursor.readUInt8()
      operatingClassAndChannel = OperatingClassAndChannel(operatingClass: operatingClass, channel: try cursor.readUInt8())
    }
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.writeBigEndian(VendorType.oweTransition)
    writer.write(bssid)
    writer.write(UInt8(truncatingIfNeeded: ssid.bytes.count))
    writer.write(ssid.bytes)
    if let operatingClassAndChannel {
      writer.write(operatingClassAndChannel.operatingClass)
      writer.write(operatingClassAndChannel.channel)
    }
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("bssid", bssid.description)
    fields.field("ssid", ssid.description)
    fields.field("ssidHex", hex: ssid.bytes)
    if let operatingClassAndChannel {
      fields.field("operatingClass", operatingClassAndChannel.operatingClass)
      fields.field("channel", operatingClassAndChannel.channel)
    }
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
