import Testing
import WiFi

@Suite struct HETests {
  // HTC, TWT responder, level 1, 8 µs padding, BSR, OM control, exponent extension 3; 40/80, 160; PPE for 2 streams, 242 and 484 tones.
  static let capabilities =
    "05 04 08 1a 40 10" + "0c 63 40 88 ff 5b 9d 1c 11 0a 00" + "faff fafe aaff faff" + "19 1cc771 00"

  @Test func `HE Capabilities tell every field apart`() throws {
    let value = try checkRoundTrip(HECapabilities.self, Self.capabilities)
    #expect(value.mac == 0x1040_1A08_0405)
    #expect(value.phyLow == 0x1C9D_5BFF_8840_630C)
    #expect(value.phyHigh == 0x000A11)
    #expect(value.supports80MHz && value.supports160MHz && !value.supports80Plus80MHz && !value.supports40MHzIn2_4GHz)
    #expect((1...8).map { value.rx80.highestHE(streams: $0) } == [11, 11, nil, nil, nil, nil, nil, nil])
    #expect(value.tx80.highestHE(streams: 5) == 11)
    #expect(value.rx160.streams == 4)
    let thresholds = try #require(value.ppeThresholds)
    #expect(thresholds.bytes == [0x19, 0x1C, 0xC7, 0x71])
    #expect(value.trailing == [0])
    #expect(thresholds.streams == 2)
    #expect(thresholds.ruIndexBitmask == 3)
    #expect(thresholds.thresholds.map(\.ppet16) == [0, 0, 0, 0])
    #expect(thresholds.thresholds.map(\.ppet8) == [7, 7, 7, 7])
    #expect(thresholds.thresholds.map(\.ruIndex) == [0, 1, 0, 1])
    let text = json(value)
    #expect(
      text.hasPrefix(
        #"{"mac":["htcHE","twtResponder","bsr","omControl","amsduNotUnderBAInAckEnabledAMPDU","omControlULMUDataDisableRx"],"macHex":"0x10401a080405""#
      ))
    #expect(text.contains(#""triggerFramePaddingUs":8"#))
    #expect(text.contains(#""phyHex":"0x000a111c9d5bff8840630c""#))
    #expect(text.contains(#""puncturedPreambleRx":3,"deviceClass":"B""#))
    #expect(text.contains(#""rxMaximumMCS160MHz":[11,11,11,11,-1,-1,-1,-1]"#))
    #expect(text.contains("80Plus80MHz\":[") == false)
  }

  @Test(arguments: [25, 26, 28]) func `PPE thresholds that are announced and cut off cost nothing else`(count: Int) throws {
    let bytes = try #require(Hex.bytes(Self.capabilities.filter { $0 != " " }))
    let value = try HECapabilities(body: Array(bytes.prefix(count)))
    #expect(value.rx160.streams == 4)
    #expect(!value.hasAllPPEThresholds)
    #expect(value.ppeThresholds?.bytes.count == (count == 25 ? nil : count - 25))
    #expect(json(value).contains(#""ppeThresholdsComplete":false"#))
    #expect(value.body == Array(bytes.prefix(count)))
  }

  @Test func `HE Capabilities without the schemes that they announce are refused`() throws {
    let bytes = try #require(Hex.bytes(Self.capabilities.filter { $0 != " " }))
    #expect(throws: WireError(offset: 23, reason: .truncated(needed: 2, available: 1))) {
      try HECapabilities(body: Array(bytes.prefix(24)))
    }
  }

  @Test func `HE Operation has a 6 GHz channel`() throws {
    let value = try checkRoundTrip(HEOperation.self, "f43f02 2a fcff 25 1b 27 2f 06")
    #expect(value.bssColor == 42)
    #expect(value.operation6GHz == HE6GHzOperationInformation(primaryChannel: 37, control: 0x1B, segment0: 39, segment1: 47))
    #expect(value.operation6GHz?.regulatoryInformation == 3)
    #expect(
      json(value)
        == #"{"parametersHex":"0x023ff4","defaultPEDuration":4,"twtRequired":false,"txopDurationRTSThreshold32us":1023,"coHostedBSS":false,"#
        + #""erSUDisable":false,"bssColor":42,"partialBSSColor":false,"bssColorDisabled":false,"basicMaximumMCS":[7,-1,-1,-1,-1,-1,-1,-1],"#
        + #""basicMCSMapHex":"0xfffc","operation6GHz":{"primaryChannel":37,"channelWidth":3,"channelWidthName":"80+80 or 160 MHz","#
        + #""duplicateBeacon":false,"regulatoryInformation":3,"regulatoryInformationName":"indoorEnabled","controlHex":"0x1b","#
        + #""centerFrequencySegment0":39,"centerFrequencySegment1":47,"minimumRateMbps":6}}"#)
  }

  /// 8 is what `<linux/ieee80211.h>` has for it, and 4 what drafts had.
  @Test(arguments: [(4, "23"), (8, "43")]) func `an indoor access point of standard power has its name`(number: Int, control: String) throws
  {
    let value = try checkRoundTrip(HEOperation.self, "f43f02 2a fcff 25 \(control) 27 2f 06")
    #expect(json(value).contains(#""regulatoryInformation":\#(number),"regulatoryInformationName":"indoorStandardPower""#))
  }

  @Test func `HE Operation has VHT operation and co-hosted BSSs before the 6 GHz channel`() throws {
    let value = try checkRoundTrip(HEOperation.self, "00c002 81 fcff 012a00 03 0100010006 aa")
    #expect(value.vhtOperation == VHTOperationInformation(width: 1, segment0: 42))
    #expect(value.maximumCoHostedBSSIDIndicator == 3)
    #expect(value.operation6GHz?.primaryChannel == 1)
    #expect(value.trailing == [0xAA])
  }

  @Test func `HE Operation that announces a 6 GHz channel and has none is refused`() {
    #expect(throws: WireError.self) { try HEOperation(body: [0, 0, 2, 0, 0xFC, 0xFF, 1, 2, 3]) }
  }

  @Test func `HE 6 GHz Band Capabilities`() throws {
    #expect(
      json(try checkRoundTrip(HE6GHzBandCapabilities.self, "be 36"))
        == #"{"capabilitiesHex":"0x36be","minimumMPDUStartSpacingNs":8000,"maximumAMPDULengthExponent":7,"maximumAMPDULengthOctets":1048575,"#
        + #""maximumMPDULengthOctets":11454,"smPowerSave":"disabled","capabilities":["rxAntennaPatternConsistency","txAntennaPatternConsistency"]}"#
    )
  }

  @Test func `UORA Parameter Set`() throws {
    #expect(json(try checkRoundTrip(UORAParameterSet.self, "2a")) == #"{"eocwMin":2,"eocwMax":5,"ocwMin":3,"ocwMax":31}"#)
  }

  @Test func `MU EDCA Parameter Set`() throws {
    let value = try checkRoundTrip(MUEDCAParameterSet.self, "03 03a4ff 27a410 4243ff 7232ff")
    #expect(
      json(value).hasPrefix(#"{"updateCount":3,"qosInfoHex":"0x03","bestEffort":{"aci":0,"aifsn":3,"admissionControlMandatory":false,"#))
    #expect(
      json(value).contains(#""background":{"aci":1,"aifsn":7,"admissionControlMandatory":false,"ecwMin":4,"ecwMax":10,"timerTU":128}"#))
    #expect(json(value).contains(#""voice":{"aci":3,"aifsn":2,"admissionControlMandatory":true,"ecwMin":2,"ecwMax":3,"timerTU":2040}"#))
  }

  @Test func `Spatial Reuse Parameter Set`() throws {
    #expect(
      json(try checkRoundTrip(SpatialReuseParameterSet.self, "0e 14 05 14 0100000000000080 0200000000000000"))
        == #"{"control":["nonSRGOBSSPDSRDisallowed","nonSRGOffsetPresent","srgInformationPresent"],"controlHex":"0x0e","nonSRGMaximumOffsetDB":20,"#
        + #""srgMinimumOffsetDB":5,"srgMaximumOffsetDB":20,"srgBSSColors":[0,63],"srgPartialBSSIDHex":"0x0000000000000002"}"#)
  }

  @Test func `ESS Report`() throws {
    #expect(
      json(try checkRoundTrip(ESSReport.self, "29")) == #"{"plannedESS":true,"edgeOfESS":false,"recommendedTransitionThreshold":10}"#)
  }
}
