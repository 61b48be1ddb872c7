import Testing

@testable import WiFi

@Suite struct EHTTests {
  // 320 MHz, beamformer and beamformee, PPE thresholds for one stream and 242 tones; maps for 80, 160 and 320 MHz.
  static let capabilities = "0700 e2db1b3600187f8036 444444 333322 222211 1000 73"

  private func he(_ phy: UInt64) -> HECapabilities {
    HECapabilities(mac: 0, phyLow: phy, rx80: MCSMap(0xFFFA), tx80: MCSMap(0xFFFA))
  }

  @Test func `EHT Operation has a channel and disabled subchannels`() throws {
    let value = try checkRoundTrip(EHTOperation.self, "43 22110000 04 1f 3f 0300")
    #expect(value.information == .init(control: 4, segment0: 31, segment1: 63, disabledSubchannels: 3))
    let text = json(value)
    #expect(text.contains(#""parameters":["informationPresent","disabledSubchannelBitmapPresent","mcs15Disable"],"parametersHex":"0x43""#))
    #expect(text.contains(#"{"mcs":"0-7","rxMaximumNSS":2,"txMaximumNSS":2},{"mcs":"8-9","rxMaximumNSS":1,"txMaximumNSS":1}"#))
    #expect(
      text.contains(
        #""channelWidth":4,"channelWidthMHz":320,"centerFrequencySegment0":31,"centerFrequencySegment1":63,"disabledSubchannels":[0,1]"#))
  }

  @Test func `EHT Operation without a channel keeps a bitmap bit that means nothing`() throws {
    #expect(try checkRoundTrip(EHTOperation.self, "02 11000000").information == nil)
  }

  @Test func `EHT Capabilities name their fixed bits`() throws {
    let value = try checkRoundTrip(EHTCapabilities.self, Self.capabilities)
    #expect(value.supports320MHz)
    let text = json(value)
    #expect(
      text.hasPrefix(
        #"{"mac":["epcsPriorityAccess","omControl","triggeredTXOPSharingMode1"],"macHex":"0x0007","maximumMPDULengthOctets":3895"#))
    #expect(text.contains(#""beamformeeSS80MHz":8,"beamformeeSS160MHz":7,"beamformeeSS320MHz":7"#))
    #expect(text.contains(#""soundingDimensions80MHz":4,"soundingDimensions160MHz":4,"soundingDimensions320MHz":1"#))
  }

  @Test(
    arguments: [
      (0b00000, "false", "4", "4"), (0b00001, "true", "4", "4"), (0b00010, "false", "8", "4"), (0b01011, "true", "8", "8"),
      (0b10100, "false", "null", "null"),
    ] as [(UInt64, String, String, String)])
  func `the number of EHT-LTFs is a bit and two fields`(bits: UInt64, extra: String, single: String, multiple: String) {
    let text = json(EHTCapabilities(mac: 0, phyLow: bits << 46, rest: []))
    #expect(
      text.contains(#""extraEHTLTFs":\#(extra),"maximumEHTLTFsSU":\#(single),"maximumEHTLTFsMUAndNDP":\#(multiple),"mcs15":0"#), "\(text)")
  }

  @Test(
    arguments: [
      (0b00010, 0, #""width":"upTo80MHz","mcs":"12-13""#, #""width":"160MHz""#),
      (0b00000, 0, #""width":"upTo80MHz","mcs":"12-13""#, #""width":"160MHz""#),
      (0b00100, 0, #""width":"upTo80MHz","mcs":"12-13""#, #""width":"160MHz""#),
      (0b01100, 0, #""width":"160MHz","mcs":"12-13""#, #""width":"320MHz""#),
      (0b01100, 2, #""width":"320MHz","mcs":"12-13""#, #""width":"20MHzOnly""#), (0b01110, 0, #""mcsAndNSSAndPPEHex""#, "mcsAndNSS\""),
    ] as [(UInt64, UInt64, String, String)])
  func `where no band is known, the widths of HE say it`(he: UInt64, eht: UInt64, present: String, absent: String) {
    let list = ElementList([
      .heCapabilities(self.he(he)), .ehtCapabilities(EHTCapabilities(mac: 0, phyLow: eht, rest: [UInt8](repeating: 0x22, count: 9))),
    ])
    var writer = FieldWriter(style: .json)
    writer.object { list.describe(into: &$0, of: list.encoded) }
    let text = writer.text
    #expect(text.contains(present) && !text.contains(absent), "\(text)")
  }

  @Test func `which streams an access point has depends on its HE capabilities and its band`() throws {
    let value = try EHTCapabilities(body: #require(Hex.bytes(Self.capabilities.filter { $0 != " " })))
    let six = try #require(value.supportedMCSAndNSS(he: he(0b1100), band: .ghz6))
    #expect(six.map(\.width) == [.upTo80MHz, .upTo80MHz, .upTo80MHz, .mhz160, .mhz160, .mhz160, .mhz320, .mhz320, .mhz320])
    #expect(six.map(\.rxMaximumNSS) == [4, 4, 4, 3, 3, 2, 2, 2, 1])
    #expect(six.map(\.mcs).prefix(3) == [0...9, 10...11, 12...13])
    #expect(value.supportedMCSAndNSS(he: he(0b1100), band: .ghz5)?.count == 6)
    #expect(value.supportedMCSAndNSS(he: he(0b0010), band: .ghz2_4)?.count == 3)
    #expect(value.supportedMCSAndNSS(he: he(0), band: .ghz2_4)?.count == 3)
  }

  @Test func `a station of 20 MHz alone has four ranges of schemes`() throws {
    let value = EHTCapabilities(mac: 0, phyLow: 0, rest: [0x22, 0x21, 0x11, 0x10])
    let streams = try #require(value.supportedMCSAndNSS(he: he(0), band: .ghz5, isAccessPoint: false))
    #expect(streams.map(\.mcs) == [0...7, 8...9, 10...11, 12...13])
    #expect(streams.map(\.rxMaximumNSS) == [2, 1, 1, 0])
    #expect(streams.map(\.txMaximumNSS) == [2, 2, 1, 1])
  }

  @Test func `too few bytes have no streams`() {
    #expect(EHTCapabilities(mac: 0, phyLow: 0, rest: [0x22, 0x22]).supportedMCSAndNSS(he: he(4), band: .ghz5) == nil)
  }

  @Test func `PPE thresholds of EHT stand behind the streams`() throws {
    // NSS 0, RU bitmask 1, PPET16 6, PPET8 5: 0 | 1 << 4 | 6 << 9 | 5 << 12.
    let value = EHTCapabilities(mac: 0, phyLow: 1 << 43, rest: [0x22, 0x22, 0x22, 0x10, 0x5C])
    let thresholds = try #require(value.ppeThresholds(he: he(4), band: .ghz5))
    #expect(thresholds.thresholds == [.init(streams: 1, ruIndex: 0, ppet16: 6, ppet8: 5)])
  }
}
