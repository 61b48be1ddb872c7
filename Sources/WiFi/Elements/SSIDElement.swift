/// SSID, element 0: the name of the network (IEEE 802.11-2020 9.4.2.2).
///
/// 0 to 32 bytes.
public struct SSIDElement: ElementBody {
  public static let elementID = ElementID(0)
  public static let name: StaticString = "SSID"

  /// The name; empty or all zero when hidden.
  public var ssid: SSID

  /// Makes the element of a name.
  public init(ssid: SSID) { self.ssid = ssid }

  public init(parsing cursor: inout ByteCursor) throws(WireError) { ssid = try cursor.readSSID() }

  public func encode(into writer: inout ByteWriter) { writer.write(ssid.bytes) }

  public func describe(into fields: inout FieldWriter) { ssid.describe(isKnown: true, into: &fields) }
}

extension ByteCursor {
  /// Reads a name that takes what is left.
  mutating func readSSID() throws(WireError) -> SSID {
    let start = position
    let bytes = readRemaining()
    if let ssid = SSID(bytes) { return ssid }
    throw WireError(offset: start, reason: .length(declared: bytes.count, allowed: 0...SSID.maximumLength))
  }
}
