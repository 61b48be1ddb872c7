import Testing
import WiFi

/// Elements of a few numbers each.
@Suite struct SmallElementTests {
  @Test func `reads the channel`() throws {
    #expect(try checkRoundTrip(DSSSParameterSet.self, "0b").currentChannel == 11)
    #expect(try checkRoundTrip(DSSSParameterSet.self, "0b00").trailing == [0])
    #expect(throws: WireError.self) { try DSSSParameterSet(body: []) }
  }

  @Test func `reads the ATIM window`() throws {
    #expect(try checkRoundTrip(IBSSParameterSet.self, "0a01").atimWindowTU == 266)
  }

  @Test func `reads power elements, signed where the standard says so`() throws {
    #expect(try checkRoundTrip(PowerConstraint.self, "03").localPowerConstraintDB == 3)
    #expect(json(try checkRoundTrip(PowerCapability.self, "fb14")) == #"{"minimumPowerDBm":-5,"maximumPowerDBm":20}"#)
    #expect(json(try checkRoundTrip(TPCReport.self, "1102")) == #"{"transmitPowerDBm":17,"linkMarginDB":2}"#)
  }

  @Test func `reads supported channels and keeps an odd byte`() throws {
    let channels = try checkRoundTrip(SupportedChannels.self, "2404 6408 7f")
    #expect(channels.subbands.map(\.firstChannel) == [36, 100])
    #expect(json(channels).hasSuffix(#"{"firstChannel":100,"channelCount":8}],"trailingHex":"7f"}"#))
  }

  @Test func `reads the announcements of a move`() throws {
    let near = try checkRoundTrip(ChannelSwitchAnnouncement.self, "01 24 05")
    #expect(json(near) == #"{"channelSwitchMode":1,"newChannelNumber":36,"channelSwitchCount":5}"#)
    let far = try checkRoundTrip(ExtendedChannelSwitchAnnouncement.self, "01 73 28 03")
    #expect(
      json(far) == #"{"channelSwitchMode":1,"newOperatingClass":115,"newChannelNumber":40,"channelSwitchCount":3}"#)
  }

  @Test func `reads quiet times`() throws {
    let quiet = try checkRoundTrip(Quiet.self, "01 02 3200 0a00")
    #expect(json(quiet) == #"{"quietCount":1,"quietPeriod":2,"quietDurationTU":50,"quietOffsetTU":10}"#)
  }

  @Test func `reads ERP, final and of the draft`() throws {
    let expected = #"{"parameters":["nonERPPresent","useProtection"],"parametersHex":"0x03"}"#
    #expect(json(try checkRoundTrip(ERP.self, "03")) == expected)
    #expect(json(try checkRoundTrip(ERPDraft4.self, "03")) == expected)
  }

  @Test func `reads the channels of other access points`() throws {
    let report = try checkRoundTrip(APChannelReport.self, "51 01 06")
    #expect(json(report) == #"{"operatingClass":81,"channels":[1,6]}"#)
  }

  @Test func `reads operating classes with both delimiters`() throws {
    let plain = try checkRoundTrip(SupportedOperatingClasses.self, "51 73 54")
    #expect(json(plain) == #"{"currentOperatingClass":81,"operatingClasses":[115,84]}"#)
    let full = try checkRoundTrip(SupportedOperatingClasses.self, "73 7680 82 8183 00 5152 53")
    #expect(
      json(full)
        == #"{"currentOperatingClass":115,"operatingClasses":[118,128],"currentOperatingClassExtensions":[129,131],"#
        + #""operatingClassDuples":[{"classes":[81,82]}],"octetsHex":"76808281830051"#
        + #"5253"}"#)
  }

  @Test func `reads measurement pilots and their subelements`() throws {
    let pilot = try checkRoundTrip(MeasurementPilotTransmission.self, "0a dd05 0050f20401 dd")
    #expect(
      json(pilot)
        == #"{"measurementPilotIntervalTU":10,"subelements":[{"id":221,"bodyHex":"0050f20401"}],"trailingHex":"dd"}"#)
    // No subelement continues another, as elements of this number do.
    let long = try checkRoundTrip(MeasurementPilotTransmission.self, "0a ddff" + String(repeating: "00", count: 255) + "f201 07")
    #expect(json(long).hasSuffix(#"{"id":242,"bodyHex":"07"}]}"#))
  }

  @Test func `reads how to look for overlapping networks`() throws {
    let parameters = try checkRoundTrip(OverlappingBSSScanParameters.self, "1400 0a00 2c01 c800 1400 0500 1900")
    #expect(
      json(parameters)
        == #"{"passiveDwellTU":20,"activeDwellTU":10,"channelWidthTriggerScanIntervalS":300,"#
        + #""passiveTotalPerChannelTU":200,"activeTotalPerChannelTU":20,"widthChannelTransitionDelayFactor":5,"#
        + #""scanActivityThresholdPercent":0.25}"#)
    #expect(throws: WireError.self) { try OverlappingBSSScanParameters(body: Array(repeating: 0, count: 13)) }
  }

  @Test(
    arguments: [
      ("00", 20, 1, false), ("11", 40, 2, false), ("32", 80, 4, false), ("76", 160, 8, false), ("03", 160, 1, false),
      ("0a", 80, 1, true), ("07", nil, 1, false), ("92", nil, 2, false),
    ] as [(String, Int?, Int, Bool)])
  func `reads how a station receives from now on`(hex: String, width: Int?, streams: Int, noLDPC: Bool) throws {
    let mode = try checkRoundTrip(OperatingModeNotification.self, hex)
    #expect(mode.widthMHz == width && mode.spatialStreams == streams && mode.prefersNoLDPC == noLDPC)
    let bytes = [199, 1] + mode.body
    let list = ElementList(parsing: bytes)
    #expect(list.elements.first?.value == .operatingModeNotification(mode))
  }

  @Test func `tells of the operating mode`() throws {
    #expect(
      json(try checkRoundTrip(OperatingModeNotification.self, "32 ff"))
        == #"{"widthMHz":80,"noLDPC":false,"spatialStreams":4,"rxNSSType":0,"operatingModeHex":"0x32","trailingHex":"ff"}"#)
  }
}
