import Testing
import WiFi

@Suite struct HTVHTTests {
  @Test func `HT Capabilities tell every field apart`() throws {
    let value = try checkRoundTrip(
      HTCapabilities.self, "6f1a 17 ffff0000000000000000 2c01 01 000000 000c 19e00718 25")
    #expect(value.capabilities == 0x1A6F)
    #expect(value.supports40MHz)
    #expect(value.rxSTBCStreams == 2)
    #expect(value.maximumAMSDULengthOctets == 7935)
    #expect(value.maximumAMPDULengthOctets == 65535)
    #expect(value.minimumMPDUStartSpacingNs == 4000)
    #expect(value.mcsSet.indices == Array(0..<16))
    #expect(value.mcsSet.streams == 2)
    #expect(value.mcsSet.highestRateMbps == 300)
    let text = json(value)
    #expect(
      text.contains(
        #""capabilities":["ldpcCoding","supportedChannelWidth40MHz","shortGI20MHz","shortGI40MHz","maximumAMSDULength7935","dsssCCK40MHz"]"#
      ))
    #expect(text.contains(#""capabilitiesHex":"0x1a6f","smPowerSave":"disabled""#))
    #expect(text.contains(#""extendedCapabilities":["htcHT","rdResponder"]"#))
    #expect(text.contains(#""transmitBeamforming":["implicitReceiving","receiveNDP","transmitNDP"],"transmitBeamformingHex":"0x1807e019""#))
    #expect(text.contains(#""antennaSelection":["antennaSelection","antennaIndicesFeedbackTransmit","receive"]"#))
  }

  @Test func `the transmit MCS set may differ from the receive set`() throws {
    let value = try checkRoundTrip(
      HTCapabilities.self, "0000 00 ff000000000000000000 0000 17 000000 0000 00000000 00")
    #expect(value.mcsSet.isTransmitSetDefined)
    #expect(value.mcsSet.isTransmitSetDifferent)
    #expect(value.mcsSet.transmitStreams == 2)
    #expect(value.mcsSet.canTransmitUnequalModulation)
    #expect(value.mcsSet.supports(76) == false)
    #expect(value.mcsSet.supports(-1) == false)
    #expect(value.mcsSet.supports(77) == false)
  }

  @Test func `HT Operation names primary, secondary and protection`() throws {
    let value = try checkRoundTrip(HTOperation.self, "24 0d 57 06 40 01 00000000000000000000000000000000")
    #expect(value.primaryChannel == 36)
    #expect(value.secondaryChannel == .above)
    #expect(value.allowsAnyWidth)
    #expect(value.centerFrequencySegment2 == 50)
    #expect(
      json(value)
        == #"{"primaryChannel":36,"secondaryChannelOffset":"above","staChannelWidth":"any","rifs":true,"htProtection":"nonHTMixed","#
        + #""nongreenfieldPresent":true,"obssNonHTPresent":true,"centerFrequencySegment2":50,"dualBeacon":true,"dualCTSProtection":false,"#
        + #""stbcBeacon":true,"lSIGTXOPProtection":false,"pcoActive":false,"pcoPhase":false,"informationHex":"0d57064001","#
        + #""basicMCSSet":{"rxMCS":[],"rxHighestRateMbps":0,"txMCSSetDefined":false}}"#)
  }

  @Test func `HT Operation of 21 bytes is refused`() {
    #expect(throws: WireError.self) { try HTOperation(body: Array(repeating: 0, count: 21)) }
  }

  @Test(arguments: [(0, Channel.Secondary.none), (1, .above), (2, .none), (3, .below), (200, .none)] as [(UInt8, Channel.Secondary)])
  func `the secondary channel offset is 0, 1 or 3`(offset: UInt8, direction: Channel.Secondary) throws {
    #expect(try SecondaryChannelOffset(body: [offset]).secondaryChannel == direction)
  }

  @Test func `VHT Capabilities tell every field apart`() throws {
    let value = try checkRoundTrip(VHTCapabilities.self, "b6 79 ca 73 faff 8601 eaff 1020")
    #expect(value.maximumMPDULengthOctets == 11454)
    #expect(value.supportedChannelWidthSet == 1)
    #expect(value.maximumAMPDULengthOctets == 1_048_575)
    #expect(value.extendedNSSBWSupport == 1)
    #expect((1...8).map { value.rxMCSMap.highestVHT(streams: $0) } == [9, 9, nil, nil, nil, nil, nil, nil])
    #expect((1...4).map { value.txMCSMap.highestVHT(streams: $0) } == [9, 9, 9, nil])
    #expect(value.rxHighestRateMbps == 390)
    #expect(value.txHighestRateMbps == 16)
    let text = json(value)
    #expect(
      text.contains(
        #""linkAdaptation":"noFeedback","extendedNSSBWSupport":1,"rxMaximumMCS":[9,9,-1,-1,-1,-1,-1,-1],"rxMCSMapHex":"0xfffa""#))
    #expect(text.contains(#""extendedNSSBWCapable":true"#))
    #expect(text.contains(#""rxSTBCStreams":1,"beamformeeSTS":4,"soundingDimensions":3"#))
  }

  @Test func `VHT Operation names width and centres`() throws {
    let value = try checkRoundTrip(VHTOperation.self, "01 2a 32 fcff")
    #expect(value.information == VHTOperationInformation(width: 1, segment0: 42, segment1: 50))
    #expect(
      json(value)
        == #"{"channelWidth":1,"channelWidthName":"80 MHz","centerFrequencySegment0":42,"centerFrequencySegment1":50,"#
        + #""basicMaximumMCS":[7,-1,-1,-1,-1,-1,-1,-1],"basicMCSMapHex":"0xfffc"}"#)
  }

  @Test(arguments: [
    ("00 3c", #"{"maximumTransmitPowerCount":0,"interpretation":"localEIRP","category":0,"informationHex":"0x00","maximumPowerDBm":[30]}"#),
    (
      "03 2e2e2dfe",
      #"{"maximumTransmitPowerCount":3,"interpretation":"localEIRP","category":0,"informationHex":"0x03","maximumPowerDBm":[23,23,22.5,-1]}"#
    ),
    (
      "13 2e2e2e2e30",
      #"{"maximumTransmitPowerCount":3,"interpretation":"regulatoryClientEIRP","category":0,"informationHex":"0x13","maximumPowerDBm":[23,23,23,23,24]}"#
    ),
    (
      "58 fe",
      #"{"maximumTransmitPowerCount":0,"interpretation":"regulatoryClientEIRPPSD","category":1,"informationHex":"0x58","maximumPSDDBmPerMHz":[-1]}"#
    ),
    (
      "5b 0a0b0c7f 02 0e80",
      #"{"maximumTransmitPowerCount":3,"interpretation":"regulatoryClientEIRPPSD","category":1,"informationHex":"0x5b","maximumPSDDBmPerMHz":[5,5.5,6,63.5,7,-64]}"#
    ),
  ])
  func `Transmit Power Envelope reads every form of power`(hex: String, fields: String) throws {
    #expect(json(try checkRoundTrip(TransmitPowerEnvelope.self, hex)) == fields)
  }

  @Test func `Transmit Power Envelope with fewer powers than its count is refused`() {
    #expect(throws: WireError(offset: 1, reason: .truncated(needed: 4, available: 3))) { try TransmitPowerEnvelope(body: [3, 1, 2, 3]) }
  }
}
