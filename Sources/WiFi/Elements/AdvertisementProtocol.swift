/// Advertisement Protocol, element 108: how to ask about a network before joining it (IEEE 802.11-2020 9.4.2.92).
///
/// Tuples of two bytes, or more where the protocol is a vendor's.
public struct AdvertisementProtocol: ElementBody {
  public static let elementID = ElementID(108)
  public static let name: StaticString = "Advertisement Protocol"

  /// The tuples as they are on the air.
  public var bytes: ByteList

  /// A protocol and the limits of its answers.
  public struct Tuple: Hashable, Sendable {
    /// The Query Response Info field.
    public var queryResponseInfo: UInt8
    /// The Advertisement Protocol ID.
    public var protocolID: UInt8
    /// The body of a vendor's protocol identifier.
    public var vendorBody: [UInt8]

    /// The longest answer, in units of 256 bytes; 127 means no limit but the protocol's.
    public var queryResponseLengthLimit: UInt8 { queryResponseInfo & 0x7F }
    /// Whether answers do not depend on the BSSID (PAME-BI, B7).
    public var isPreAssociationMessageExchangeBSSIDIndependent: Bool { queryResponseInfo & 0x80 != 0 }

    /// The names of the protocols (IEEE 802.11-2020 table 9-240).
    fileprivate static let protocolNames: NumberNames = [
      0: "ANQP", 1: "MIH Information Service", 2: "MIH Command and Event Services Capability Discovery",
      3: "Emergency Alert System", 4: "RLQP", 221: "Vendor Specific",
    ]
  }

  /// Makes the element of its bytes.
  public init(bytes: ByteList) { self.bytes = bytes }

  public init(parsing cursor: inout ByteCursor) throws(WireError) { bytes = ByteList(remainingOf: &cursor) }

  public func encode(into writer: inout ByteWriter) { bytes.encode(into: &writer) }

  /// The tuples in the order they were sent.
  public var tuples: [Tuple] { split().tuples }

  private func split() -> (tuples: [Tuple], trailing: Slice<ByteList>) {
    var tuples: [Tuple] = []
    var rest = bytes[...]
    while let info = rest.first, let id = rest.dropFirst().first {
      var size = 2
      // What a vendor's identifier promises but is not there is left to the end.
      if id == 221, let length = rest.dropFirst(2).first, rest.count >= 3 + Int(length) { size = 3 + Int(length) }
      tuples.append(
        Tuple(queryResponseInfo: info, protocolID: id, vendorBody: Array(rest.prefix(size).dropFirst(3))))
      rest = rest.dropFirst(size)
    }
    return (tuples, rest)
  }

  public func describe(into fields: inout FieldWriter) {
    let (tuples, trailing) = split()
    fields.objects("protocols", tuples) { fields, tuple in
      fields.field("protocol", tuple.protocolID, named: Tuple.protocolNames)
      fields.field("queryResponseInfoHex", hexNumber: tuple.queryResponseInfo)
      fields.field("queryResponseLengthLimit256Octets", tuple.queryResponseLengthLimit)
      fields.field("pameBI", tuple.isPreAssociationMessageExchangeBSSIDIndependent)
      fields.fieldIfPresent("vendorBodyHex", hex: tuple.vendorBody)
    }
    fields.fieldIfPresent("trailingHex", hex: Array(trailing))
  }
}
