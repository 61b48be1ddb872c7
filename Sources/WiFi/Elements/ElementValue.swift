/// What an information element says.
///
/// To add an element, write its type in a file of its own (``ElementBody``) and give it a case, a line in
/// ``init(id:parsing:)`` and a line in ``body`` here. The anonymiser of ScanTools switches over the list, too; an
/// element of a vendor has its line in the decoder of `VendorElement`.
public enum ElementValue: Hashable, Sendable {
  case ssid(SSIDElement)
  case bssLoad(BSSLoad)
  case supportedRates(SupportedRates)
  case dsssParameterSet(DSSSParameterSet)
  case tim(TIM)
  case ibssParameterSet(IBSSParameterSet)
  case country(Country)
  case powerConstraint(PowerConstraint)
  case powerCapability(PowerCapability)
  case tpcReport(TPCReport)
  case supportedChannels(SupportedChannels)
  case channelSwitchAnnouncement(ChannelSwitchAnnouncement)
  case quiet(Quiet)
  case erp(ERP)
  case erpDraft4(ERPDraft4)
  case rsn(RSN)
  case extendedSupportedRates(ExtendedSupportedRates)
  case apChannelReport(APChannelReport)
  case mobilityDomain(MobilityDomain)
  case fastBSSTransition(FastBSSTransition)
  case supportedOperatingClasses(SupportedOperatingClasses)
  case extendedChannelSwitchAnnouncement(ExtendedChannelSwitchAnnouncement)
  case measurementPilotTransmission(MeasurementPilotTransmission)
  case wapi(WAPI)
  case rmEnabledCapabilities(RMEnabledCapabilities)
  case overlappingBSSScanParameters(OverlappingBSSScanParameters)
  case interworking(Interworking)
  case advertisementProtocol(AdvertisementProtocol)
  case roamingConsortium(RoamingConsortium)
  case meshConfiguration(MeshConfiguration)
  case meshID(MeshID)
  case extendedCapabilities(ExtendedCapabilities)
  case filsIndication(FILSIndication)
  case rsnx(RSNX)
  case wpa(WPA)
  case osen(OSEN)
  case oweTransition(OWETransition)
  case wmm(WMM)
  case wps(WPS)
  case p2p(P2P)
  case mbo(MBO)
  case hotspot20(Hotspot20)
  case rsnOverride(RSNOverride)
  case rsnxOverride(RSNXOverride)
  case apName(APName)
  case ciscoCCX(CiscoCCX)
  /// A vendor element that is not known; its bytes are kept.
  case vendor(VendorSpecific)
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
  case operatingModeNotification(OperatingModeNotification)
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
  case fragment(Fragment)

  /// An element that is known but whose bytes break its definition; they are kept.
  case malformed(ElementID, [UInt8], WireError.Reason)

  /// An element that is not known; its bytes are kept.
  case other(ElementID, [UInt8])

  /// Reads the body of element `id`.
  ///
  /// - Throws: ``WireError`` where the body breaks the definition of an element that is known.
  public init(id: ElementID, parsing cursor: inout ByteCursor) throws(WireError) {
    switch id.code {
    case 0: self = .ssid(try SSIDElement(parsing: &cursor))
    case 11: self = .bssLoad(try BSSLoad(parsing: &cursor))
    case 1: self = .supportedRates(try SupportedRates(parsing: &cursor))
    case 3: self = .dsssParameterSet(try DSSSParameterSet(parsing: &cursor))
    case 5: self = .tim(try TIM(parsing: &cursor))
    case 6: self = .ibssParameterSet(try IBSSParameterSet(parsing: &cursor))
    case 7: self = .country(try Country(parsing: &cursor))
    case 32: self = .powerConstraint(try PowerConstraint(parsing: &cursor))
    case 33: self = .powerCapability(try PowerCapability(parsing: &cursor))
    case 35: self = .tpcReport(try TPCReport(parsing: &cursor))
    case 36: self = .supportedChannels(try SupportedChannels(parsing: &cursor))
    case 37: self = .channelSwitchAnnouncement(try ChannelSwitchAnnouncement(parsing: &cursor))
    case 40: self = .quiet(try Quiet(parsing: &cursor))
    case 42: self = .erp(try ERP(parsing: &cursor))
    case 47: self = .erpDraft4(try ERPDraft4(parsing: &cursor))
    case 48: self = .rsn(try RSN(parsing: &cursor))
    case 50: self = .extendedSupportedRates(try ExtendedSupportedRates(parsing: &cursor))
    case 51: self = .apChannelReport(try APChannelReport(parsing: &cursor))
    case 54: self = .mobilityDomain(try MobilityDomain(parsing: &cursor))
    case 55: self = .fastBSSTransition(try FastBSSTransition(parsing: &cursor))
    case 59: self = .supportedOperatingClasses(try SupportedOperatingClasses(parsing: &cursor))
    case 60: self = .extendedChannelSwitchAnnouncement(try ExtendedChannelSwitchAnnouncement(parsing: &cursor))
    case 66: self = .measurementPilotTransmission(try MeasurementPilotTransmission(parsing: &cursor))
    // Four bytes are BSS AC Access Delay, which has the same number (IEEE 802.11-2020 9.4.2.43).
    case 68 where cursor.remaining != 4: self = .wapi(try WAPI(parsing: &cursor))
    case 70: self = .rmEnabledCapabilities(try RMEnabledCapabilities(parsing: &cursor))
    case 74: self = .overlappingBSSScanParameters(try OverlappingBSSScanParameters(parsing: &cursor))
    case 107: self = .interworking(try Interworking(parsing: &cursor))
    case 108: self = .advertisementProtocol(try AdvertisementProtocol(parsing: &cursor))
    case 111: self = .roamingConsortium(try RoamingConsortium(parsing: &cursor))
    case 113: self = .meshConfiguration(try MeshConfiguration(parsing: &cursor))
    case 114: self = .meshID(try MeshID(parsing: &cursor))
    case 127: self = .extendedCapabilities(try ExtendedCapabilities(parsing: &cursor))
    case 133: self = .ciscoCCX(try CiscoCCX(parsing: &cursor))
    case 221: self = try ElementValue(vendorParsing: &cursor)
    case 240: self = .filsIndication(try FILSIndication(parsing: &cursor))
    case 244: self = .rsnx(try RSNX(parsing: &cursor))
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
    case 199: self = .operatingModeNotification(try OperatingModeNotification(parsing: &cursor))
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
    case 242: self = .fragment(try Fragment(parsing: &cursor))
    default: self = .other(id, cursor.readRemaining())
    }
  }

  /// The typed body, or `nil` for malformed and unknown elements.
  public var body: (any ElementBody)? {
    switch self {
    case .ssid(let body): body
    case .bssLoad(let body): body
    case .supportedRates(let body): body
    case .dsssParameterSet(let body): body
    case .tim(let body): body
    case .ibssParameterSet(let body): body
    case .country(let body): body
    case .powerConstraint(let body): body
    case .powerCapability(let body): body
    case .tpcReport(let body): body
    case .supportedChannels(let body): body
    case .channelSwitchAnnouncement(let body): body
    case .quiet(let body): body
    case .erp(let body): body
    case .erpDraft4(let body): body
    case .rsn(let body): body
    case .extendedSupportedRates(let body): body
    case .apChannelReport(let body): body
    case .mobilityDomain(let body): body
    case .fastBSSTransition(let body): body
    case .supportedOperatingClasses(let body): body
    case .extendedChannelSwitchAnnouncement(let body): body
    case .measurementPilotTransmission(let body): body
    case .wapi(let body): body
    case .rmEnabledCapabilities(let body): body
    case .overlappingBSSScanParameters(let body): body
    case .interworking(let body): body
    case .advertisementProtocol(let body): body
    case .roamingConsortium(let body): body
    case .meshConfiguration(let body): body
    case .meshID(let body): body
    case .extendedCapabilities(let body): body
    case .filsIndication(let body): body
    case .rsnx(let body): body
    case .wpa(let body): body
    case .osen(let body): body
    case .oweTransition(let body): body
    case .wmm(let body): body
    case .wps(let body): body
    case .p2p(let body): body
    case .mbo(let body): body
    case .hotspot20(let body): body
    case .rsnOverride(let body): body
    case .rsnxOverride(let body): body
    case .apName(let body): body
    case .ciscoCCX(let body): body
    case .vendor(let body): body
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
    case .operatingModeNotification(let body): body
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
  public var name: String { plainName.map { "\($0)" } ?? "Malformed (\(id))" }

  /// ``name`` as text of the program, or `nil` where it holds a number.
  var plainName: StaticString? {
    switch self {
    case .malformed: nil
    case .other: "Unknown"
    default: body.map { type(of: $0).name }
    }
  }

  /// Writes the body, without the header and without the Element ID Extension.
  public func encode(into writer: inout ByteWriter) {
    switch self {
    case .malformed(_, let bytes, _), .other(_, let bytes): writer.write(bytes)
    default: body?.encode(into: &writer)
    }
  }
}
