/// Extended Capabilities, element 127: what else a station can do (IEEE 802.11-2020 9.4.2.26, table 9-153).
///
/// Any number of bytes; bits that are not there are clear. Allocates nothing up to 16 bytes.
public struct ExtendedCapabilities: ElementBody {
  public static let elementID = ElementID(127)
  public static let name: StaticString = "Extended Capabilities"

  /// The bits, eight per byte, the least significant first.
  public var bytes: ByteList

  /// Makes the element of its bytes.
  public init(bytes: ByteList) { self.bytes = bytes }

  public init(parsing cursor: inout ByteCursor) throws(WireError) { bytes = ByteList(remainingOf: &cursor) }

  public func encode(into writer: inout ByteWriter) { bytes.encode(into: &writer) }

  /// Whether a bit is set, by its number in table 9-153.
  public func hasCapability(_ bit: Int) -> Bool { bytes.bit(bit) }

  /// Whether networks of several names share this device's beacons (B22).
  public var supportsMultipleBSSID: Bool { hasCapability(22) }

  /// Whether the SSID is text in UTF-8 (B48).
  public var isSSIDUTF8: Bool { hasCapability(48) }

  /// The unit of service intervals in ms, or `nil` without S-PSMP (B6; B41–B43).
  public var serviceIntervalGranularityMs: Int? {
    guard hasCapability(6) else { return nil }
    return (1 + (hasCapability(41) ? 1 : 0) + (hasCapability(42) ? 2 : 0) + (hasCapability(43) ? 4 : 0)) * 5
  }

  /// The most MSDUs in an A-MSDU: 32, 16 or 8, or `nil` for no limit (B63 and B64).
  public var maximumMSDUsInAMSDU: Int? {
    switch (hasCapability(63), hasCapability(64)) {
    case (false, false): nil
    case (true, false): 32
    case (false, true): 16
    case (true, true): 8
    }
  }

  static let names: NumberNames = [
    0: "bss2040CoexistenceManagement", 1: "glk", 2: "extendedChannelSwitching", 3: "glkGCR", 4: "psmp", 6: "sPSMP",
    7: "event", 8: "diagnostics", 9: "multicastDiagnostics", 10: "locationTracking", 11: "fms", 12: "proxyARP",
    13: "collocatedInterferenceReporting", 14: "civicLocation", 15: "geospatialLocation", 16: "tfs", 17: "wnmSleepMode",
    18: "timBroadcast", 19: "bssTransition", 20: "qosTrafficCapability", 21: "acStationCount", 22: "multipleBSSID",
    23: "timingMeasurement", 24: "channelUsage", 25: "ssidList", 26: "dms", 27: "utcTSFOffset", 28: "tpuBufferSTA",
    29: "tdlsPeerPSM", 30: "tdlsChannelSwitching", 31: "interworking", 32: "qosMap", 33: "ebr", 34: "sspnInterface",
    36: "msgcf", 37: "tdls", 38: "tdlsProhibited", 39: "tdlsChannelSwitchingProhibited", 40: "rejectUnadmittedFrame",
    44: "identifierLocation", 45: "uapsdCoexistence", 46: "wnmNotification", 47: "qab", 48: "utf8SSID",
    49: "qmfActivated", 50: "qmfReconfigurationActivated", 51: "robustAVStreaming", 52: "advancedGCR", 53: "meshGCR",
    54: "scs", 55: "qloadReport", 56: "alternateEDCA", 57: "unprotectedTXOPNegotiation", 58: "protectedTXOPNegotiation",
    60: "protectedQLoadReport", 61: "tdlsWiderBandwidth", 62: "operatingModeNotification",
    65: "channelScheduleManagement", 66: "geodatabaseInbandEnablingSignal", 67: "networkChannelControl",
    68: "whiteSpaceMap", 69: "channelAvailabilityQuery", 70: "ftmResponder", 71: "ftmInitiator", 72: "fils",
    73: "extendedSpectrumManagement", 74: "futureChannelGuidance", 75: "pad", 77: "twtRequester", 78: "twtResponder",
    79: "obssNarrowBandwidthRUInULOFDMATolerance", 80: "completeListOfNontransmittedBSSIDProfiles",
    81: "saePasswordIdentifiersInUse", 82: "saePasswordIdentifiersUsedExclusively",
    83: "enhancedMultipleBSSIDAdvertisement", 84: "beaconProtection", 85: "mirroredSCS", 86: "oct",
    87: "localMACAddressPolicy", 88: "saePKExclusively", 89: "twtParametersRange", 90: "nonTBRangingResponder",
    91: "tbRangingResponder", 92: "tbRangingResponderMeasurement", 93: "tbRangingInitiatorMeasurement",
    94: "aoaMeasurement", 95: "phaseShiftFeedback", 96: "dmgLocationSupportingAPs", 97: "i2rLMRFeedbackPolicy",
    100: "peerToPeerTWT", 102: "knownSTAIdentification", 117: "extendedLengthElement",
  ]

  public func describe(into fields: inout FieldWriter) {
    fields.flags("capabilities", in: bytes, Self.names)
    fields.field("capabilitiesHex", hex: bytes)
    fields.fieldIfPresent("serviceIntervalGranularityMs", serviceIntervalGranularityMs)
    fields.fieldIfPresent("maximumMSDUsInAMSDU", maximumMSDUsInAMSDU)
  }
}
