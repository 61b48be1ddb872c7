/// Mesh Configuration, element 113: by which rules a mesh works (IEEE 802.11-2020 9.4.2.96).
///
/// 7 bytes.
public struct MeshConfiguration: FixedElement {
  public static let elementID = ElementID(113)
  public static let name: StaticString = "Mesh Configuration"

  /// Active Path Selection Protocol Identifier; 1 is HWMP, 255 a vendor's.
  public var pathSelectionProtocolID: UInt8 = 0
  /// Active Path Selection Metric Identifier; 1 is airtime, 255 a vendor's.
  public var pathSelectionMetricID: UInt8 = 0
  /// Congestion Control Mode Identifier; 0 is none, 1 congestion control signalling.
  public var congestionControlModeID: UInt8 = 0
  /// Synchronization Method Identifier; 1 is neighbour offset.
  public var synchronizationMethodID: UInt8 = 0
  /// Authentication Protocol Identifier; 0 is none, 1 SAE, 2 IEEE 802.1X.
  public var authenticationProtocolID: UInt8 = 0
  /// Mesh Formation Info.
  public var formationInfo: UInt8 = 0
  /// Mesh Capability.
  public var capability: UInt8 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass("pathSelectionProtocolID", &pathSelectionProtocolID)
    try codec.pass("pathSelectionMetricID", &pathSelectionMetricID)
    try codec.pass("congestionControlModeID", &congestionControlModeID)
    try codec.pass("synchronizationMethodID", &synchronizationMethodID)
    try codec.pass("authenticationProtocolID", &authenticationProtocolID)
    try codec.pass(&formationInfo)
    try codec.pass(&capability)
  }

  /// With how many neighbours the station is linked (B1–B6 of Mesh Formation Info).
  public var peeringCount: Int { Int(formationInfo >> 1 & 0x3F) }

  static let formationNames: NumberNames = [0: "connectedToMeshGate", 7: "connectedToAuthenticationServer"]
  static let capabilityNames: NumberNames = [
    0: "acceptingAdditionalMeshPeerings", 1: "mccaSupported", 2: "mccaEnabled", 3: "forwarding", 4: "mbcaEnabled",
    5: "tbttAdjusting", 6: "meshPowerSaveLevel",
  ]

  public func describeFields(into fields: inout FieldWriter) {
    describeNamed(into: &fields)
    fields.field("peeringCount", peeringCount)
    fields.flags("formationInfo", "formationInfoHex", formationInfo, Self.formationNames)
    fields.flags("capability", "capabilityHex", capability, Self.capabilityNames)
  }
}
