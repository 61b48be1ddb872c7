/// What an information element says.
///
/// To add an element, write its type in a file of its own (``ElementBody``) and give it a case, a line in
/// ``init(id:parsing:)`` and a line in ``body`` here. Nothing else knows the list.
public enum ElementValue: Hashable, Sendable {
  case ssid(SSIDElement)
  case bssLoad(BSSLoad)
  // basic, security and vendor cases: begin
  // basic, security and vendor cases: end
  // PHY and multi-link cases: begin
  case htCapabilities(HTCapabilities)
  case htOperation(HTOperation)
  case secondaryChannelOffset(SecondaryChannelOffset)
  case multipleBSSID(MultipleBSSID)
  case nontransmittedBSSIDCapability(NontransmittedBSSIDCapability)
  case multipleBSSIDIndex(MultipleBSSIDIndex)
  case dmgCapabilities(DMGCapabilities)
  case dmgOperation(DMGOperation)
  case vhtCapabilities(VHTCapabilities)
  case vhtOperation(VHTOperation)
  case transmitPowerEnvelope(TransmitPowerEnvelope)
  case reducedNeighborReport(ReducedNeighborReport)
  case s1gBeaconCompatibility(S1GBeaconCompatibility)
  case s1gShortBeaconInterval(S1GShortBeaconInterval)
  case targetWakeTime(TargetWakeTime)
  case s1gCapabilities(S1GCapabilities)
  case s1gOperation(S1GOperation)
  case heCapabilities(HECapabilities)
  case heOperation(HEOperation)
  case uoraParameterSet(UORAParameterSet)
  case muEDCAParameterSet(MUEDCAParameterSet)
  case spatialReuseParameterSet(SpatialReuseParameterSet)
  case essReport(ESSReport)
  case multipleBSSIDConfiguration(MultipleBSSIDConfiguration)
  case nonInheritance(NonInheritance)
  case he6GHzBandCapabilities(HE6GHzBandCapabilities)
  case ehtOperation(EHTOperation)
  case multiLink(MultiLink)
  case ehtCapabilities(EHTCapabilities)
  // PHY and multi-link cases: end
  case fragment(Fragment)

  /// An element that is known but whose octets break its definition; they are kept.
  case malformed(ElementID, [UInt8], WireError.Reason)

  /// An element that is not known; its octets are kept.
  case other(ElementID, [UInt8])

  /// Reads the body of element `id`.
  ///
  /// - Throws: ``WireError`` where the body breaks the definition of an element that is known.
  public init(id: ElementID, parsing cursor: inout ByteCursor) throws(WireError) {
    switch id.code {
    case 0: self = .ssid(try SSIDElement(parsing: &cursor))
    case 11: self = .bssLoad(try BSSLoad(parsing: &cursor))
    // basic, security and vendor decoders: begin
    // basic, security and vendor decoders: end
    // PHY and multi-link decoders: begin
    case 45: self = .htCapabilities(try HTCapabilities(parsing: &cursor))
    case 61: self = .htOperation(try HTOperation(parsing: &cursor))
    case 62: self = .secondaryChannelOffset(try SecondaryChannelOffset(parsing: &cursor))
    case 71: self = .multipleBSSID(try MultipleBSSID(parsing: &cursor))
    case 83: self = .nontransmittedBSSIDCapability(try NontransmittedBSSIDCapability(parsing: &cursor))
    case 85: self = .multipleBSSIDIndex(try MultipleBSSIDIndex(parsing: &cursor))
    case 148: self = .dmgCapabilities(try DMGCapabilities(parsing: &cursor))
    case 151: self = .dmgOperation(try DMGOperation(parsing: &cursor))
    case 191: self = .vhtCapabilities(try VHTCapabilities(parsing: &cursor))
    case 192: self = .vhtOperation(try VHTOperation(parsing: &cursor))
    case 195: self = .transmitPowerEnvelope(try TransmitPowerEnvelope(parsing: &cursor))
    case 201: self = .reducedNeighborReport(try ReducedNeighborReport(parsing: &cursor))
    case 213: self = .s1gBeaconCompatibility(try S1GBeaconCompatibility(parsing: &cursor))
    case 214: self = .s1gShortBeaconInterval(try S1GShortBeaconInterval(parsing: &cursor))
    case 216: self = .targetWakeTime(try TargetWakeTime(parsing: &cursor))
    case 217: self = .s1gCapabilities(try S1GCapabilities(parsing: &cursor))
    case 232: self = .s1gOperation(try S1GOperation(parsing: &cursor))
    case 255 | 35 << 8: self = .heCapabilities(try HECapabilities(parsing: &cursor))
    case 255 | 36 << 8: self = .heOperation(try HEOperation(parsing: &cursor))
    case 255 | 37 << 8: self = .uoraParameterSet(try UORAParameterSet(parsing: &cursor))
    case 255 | 38 << 8: self = .muEDCAParameterSet(try MUEDCAParameterSet(parsing: &cursor))
    case 255 | 39 << 8: self = .spatialReuseParameterSet(try SpatialReuseParameterSet(parsing: &cursor))
    case 255 | 45 << 8: self = .essReport(try ESSReport(parsing: &cursor))
    case 255 | 55 << 8: self = .multipleBSSIDConfiguration(try MultipleBSSIDConfiguration(parsing: &cursor))
    case 255 | 56 << 8: self = .nonInheritance(try NonInheritance(parsing: &cursor))
    case 255 | 59 << 8: self = .he6GHzBandCapabilities(try HE6GHzBandCapabilities(parsing: &cursor))
    case 255 | 106 << 8: self = .ehtOperation(try EHTOperation(parsing: &cursor))
    case 255 | 107 << 8: self = .multiLink(try MultiLink(parsing: &cursor))
    case 255 | 108 << 8: self = .ehtCapabilities(try EHTCapabilities(parsing: &cursor))
    // PHY and multi-link decoders: end
    case 242: self = .fragment(try Fragment(parsing: &cursor))
    default: self = .other(id, cursor.readRemaining())
    }
  }

  /// The typed body, or `nil` for malformed and unknown elements.
  public var body: (any ElementBody)? {
    switch self {
    case .ssid(let body): body
    case .bssLoad(let body): body
    // basic, security and vendor bodies: begin
    // basic, security and vendor bodies: end
    // PHY and multi-link bodies: begin
    case .htCapabilities(let body): body
    case .htOperation(let body): body
    case .secondaryChannelOffset(let body): body
    case .multipleBSSID(let body): body
    case .nontransmittedBSSIDCapability(let body): body
    case .multipleBSSIDIndex(let body): body
    case .dmgCapabilities(let body): body
    case .dmgOperation(let body): body
    case .vhtCapabilities(let body): body
    case .vhtOperation(let body): body
    case .transmitPowerEnvelope(let body): body
    case .reducedNeighborReport(let body): body
    case .s1gBeaconCompatibility(let body): body
    case .s1gShortBeaconInterval(let body): body
    case .targetWakeTime(let body): body
    case .s1gCapabilities(let body): body
    case .s1gOperation(let body): body
    case .heCapabilities(let body): body
    case .heOperation(let body): body
    case .uoraParameterSet(let body): body
    case .muEDCAParameterSet(let body): body
    case .spatialReuseParameterSet(let body): body
    case .essReport(let body): body
    case .multipleBSSIDConfiguration(let body): body
    case .nonInheritance(let body): body
    case .he6GHzBandCapabilities(let body): body
    case .ehtOperation(let body): body
    case .multiLink(let body): body
    case .ehtCapabilities(let body): body
    // PHY and multi-link bodies: end
    case .fragment(let body): body
    case .malformed, .other: nil
    }
  }

  /// The number of the element.
  public var id: ElementID {
    switch self {
    case .malformed(let id, _, _), .other(let id, _): id
    default: body.map { type(of: $0).elementID } ?? ElementID(0)
    }
  }

  /// The name of the element in the standard, or `Unknown`.
  public var name: String {
    switch self {
    case .malformed(let id, _, _): "Malformed (\(id))"
    case .other: "Unknown"
    default: body.map { "\(type(of: $0).name)" } ?? ""
    }
  }

  /// Writes the body, without the header and without the Element ID Extension.
  public func encode(into writer: inout ByteWriter) {
    switch self {
    case .malformed(_, let octets, _), .other(_, let octets): writer.write(octets)
    default: body?.encode(into: &writer)
    }
  }
}
