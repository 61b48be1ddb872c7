/// SSID, element 0: the name of the network (IEEE 802.11-2020 9.4.2.2).
///
/// 0 to 32 octets.
public struct SSIDElement: ElementBody {
  public static let elementID = ElementID(0)
  public static let name: StaticString = "SSID"

  /// The name; empty or all zero when hidden.
  public var ssid: SSID

  /// Makes the element of a name.
  public init(ssid: SSID) { self.ssid = ssid }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    let start = cursor.position
    let octets = cursor.readRemaining()
    guard let ssid = SSID(octets) else {
      throw WireError(offset: start, reason: .length(declared: octets.count, allowed: 0...SSID.maximumLength))
    }
    self.ssid = ssid
  }

  public func encode(into writer: inout ByteWriter) { writer.write(ssid.octets) }

  public func describe(into fields: inout FieldWriter) {
    fields.field("ssid", ssid.description)
    fields.field("ssidHex", hex: ssid.octets)
    fields.field("hidden", ssid.isHidden)
  }
}
