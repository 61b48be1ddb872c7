import Testing
import WiFi

@Suite struct CapabilityElementTests {
  @Test func `names extended capabilities by their bit`() throws {
    let capabilities = try checkRoundTrip(ExtendedCapabilities.self, "04 00 0a 02 00 00 40 80")
    #expect(!capabilities.supportsMultipleBSSID)
    #expect(
      json(capabilities)
        == #"{"capabilities":["extendedChannelSwitching","wnmSleepMode","bssTransition","ssidList","scs"],"#
        + #""capabilitiesHex":"04000a0200004080","maximumMSDUsInAMSDU":32}"#)
  }

  @Test func `reads the numbers among the extended capabilities`() throws {
    let capabilities = try checkRoundTrip(ExtendedCapabilities.self, "41 00 00 00 00 02 00 80 01 00 20")
    #expect(capabilities.serviceIntervalGranularityMs == 10)
    #expect(capabilities.maximumMSDUsInAMSDU == 8)
    #expect(json(capabilities).contains("mirroredSCS"))
    #expect(try checkRoundTrip(ExtendedCapabilities.self, "").maximumMSDUsInAMSDU == nil)
    #expect(
      json(try checkRoundTrip(ExtendedCapabilities.self, "00000000000000000000 80")).contains(#""capabilities":["localMACAddressPolicy"]"#))
  }

  @Test func `keeps extended capabilities of any length`() throws {
    let capabilities = try checkRoundTrip(ExtendedCapabilities.self, String(repeating: "ff", count: 30))
    #expect(capabilities.isSSIDUTF8 && capabilities.hasCapability(239) && !capabilities.hasCapability(240))
  }

  @Test func `names radio measurements by their bit`() throws {
    let capabilities = try checkRoundTrip(RMEnabledCapabilities.self, "73 d0 a4 0c 0f")
    #expect(
      json(capabilities)
        == #"{"capabilities":["linkMeasurement","neighborReport","beaconPassiveMeasurement","beaconActiveMeasurement","#
        + #""beaconTableMeasurement","lciMeasurement","transmitStreamCategoryMeasurement","#
        + #""triggeredTransmitStreamCategoryMeasurement","measurementPilotTransmissionInformation","#
        + #""bssAvailableAdmissionCapacity","antenna","ftmRangeReport","civicLocationMeasurement"],"#
        + #""capabilitiesHex":"73d0a40c0f","operatingChannelMaximumMeasurementDuration":1,"#
        + #""nonoperatingChannelMaximumMeasurementDuration":5,"measurementPilotCapability":4}"#)
    #expect(throws: WireError.self) { try RMEnabledCapabilities(body: [0, 0, 0, 0]) }
  }
}
