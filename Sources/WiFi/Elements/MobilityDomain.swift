/// Mobility Domain, element 54: between which access points a station can roam fast (IEEE 802.11-2020 9.4.2.46).
///
/// 3 bytes.
public struct MobilityDomain: FixedElement {
  public static let elementID = ElementID(54)
  public static let name: StaticString = "Mobility Domain"

  /// The number of the domain, 16 bits, the first byte in the low place.
  public var mobilityDomainID: UInt16 = 0

  /// The FT Capability and Policy field.
  public var ftCapabilityAndPolicy: UInt8 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(mobilityDomainID: UInt16, ftCapabilityAndPolicy: UInt8) {
    self.mobilityDomainID = mobilityDomainID
    self.ftCapabilityAndPolicy = ftCapabilityAndPolicy
  }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&mobilityDomainID)
    try codec.pass(&ftCapabilityAndPolicy)
  }

  static let names: NumberNames = [0: "fastBSSTransitionOverDS", 1: "resourceRequestProtocol"]

  public func describeFields(into fields: inout FieldWriter) {
    fields.field("mobilityDomainIDHex", hexNumber: mobilityDomainID)
    fields.flags("ftCapabilityAndPolicy", "ftCapabilityAndPolicyHex", ftCapabilityAndPolicy, Self.names)
  }
}
