import Determinism
import Testing
import WiFi
import WireProperties

@Suite struct S1GDMGTests {
  /// Random bodies of each element; fewer in debug, where each takes long.
  #if DEBUG
    private static let bodies = 500
  #else
    private static let bodies = 3000
  #endif

  @Test func `S1G elements`() throws {
    #expect(
      json(try checkRoundTrip(S1GBeaconCompatibility.self, "1100 6400 01000000"))
        == #"{"informationHex":"0x0011","beaconIntervalTU":100,"tsfCompletion":1}"#)
    #expect(json(try checkRoundTrip(S1GShortBeaconInterval.self, "0a00")) == #"{"intervalTU":10}"#)
    let operation = try checkRoundTrip(S1GOperation.self, "86 01 25 26 0c00")
    #expect(operation.operatingWidthMHz == 4)
    #expect(
      json(operation)
        == #"{"primaryWidthMHz":2,"operatingWidthMHz":4,"primary1MHzLocation":"lower","mcs10Disallowed":true,"channelWidthHex":"0x86","#
        + #""operatingClass":1,"primaryChannel":37,"centerChannel":38,"basicMCSAndNSSHex":"0x000c"}"#)
    let capabilities = try checkRoundTrip(S1GCapabilities.self, "47 11 00 04 00 40 00 00 0300 fd 01 fa 05 00")
    #expect(capabilities.widestChannelMHz == 4)
    #expect(
      json(capabilities).hasPrefix(#"{"capabilities":["s1gLong","shortGI1MHz","shortGI2MHz","rxLDPC","suBeamformee","twtGrouping","bdt"]"#))
  }

  @Test func `DMG elements`() throws {
    let capabilities = try checkRoundTrip(DMGCapabilities.self, "020000000001 05 41 0f 00 08 00 00 00 00 0980 e803 12 08 00")
    #expect(capabilities.address == MACAddress(0x0200_0000_0001))
    #expect(json(capabilities).contains(#""station":["reverseDirection","fastLinkAdaptation","baWithFlowControl"]"#))
    #expect(json(capabilities).contains(#""sectors":31"#))
    #expect(
      json(capabilities).hasSuffix(
        #""beamTrackingTimeLimitUs":1000,"extendedSCMaximumTxMCS":2,"extendedSCMaximumRxMCS":1,"maximumBasicSubframesCode":8,"maximumShortSubframesCode":0,"#
          + #""maximumShortSubframes":null}"#
      ))
    let operation = try checkRoundTrip(DMGOperation.self, "0100 02 e803 04 05 06 07 08")
    #expect(
      json(operation)
        == #"{"information":["tddti"],"informationHex":"0x0001","psRequestSuspensionInterval":2,"minimumBHIDurationUs":1000,"#
        + #""broadcastSTAInfoDuration":4,"associationResponseConfirmTime100ms":5,"minimumPPDurationUs":6,"spIdleTimeoutUs":7,"maximumLostBeacons":8}"#
    )
  }

  /// Codes, of which each has twice as many subframes as the one below it (as Wireshark 4.0 shows them).
  @Test(arguments: [("00 00", "null", "null"), ("01 01", "4", "32"), ("06 06", "128", "1024"), ("07 01", "256", "32")])
  func `the most subframes of DMG are codes`(hex: String, basic: String, short: String) throws {
    let text = json(try checkRoundTrip(DMGCapabilities.self, "020000000001 05 410f000800000000 0980 e803 12 \(hex)"))
    #expect(text.contains(#""maximumBasicSubframes":\#(basic),"#))
    #expect(text.hasSuffix(#""maximumShortSubframes":\#(short)}"#))
  }

  @Test func `a DMG beacon says how it is secured`() throws {
    var beacon = DMGBeacon(bssid: MACAddress(2), timestampUs: 1, intervalTU: 100, parameters: 0x13, elements: ElementList())
    #expect(beacon.security.summary == "Unknown")
    #expect(json(beacon).contains(#""security":{"summary":"Unknown","isSecured":true"#))
    beacon.parameters = 3
    #expect(beacon.security.summary == "Open")
    beacon.elements = ElementList(parsing: try #require(Hex.bytes("30140100000fac080100000fac080100000fac020000")))
    #expect(beacon.security.summary == "WPA2-Personal")
  }

  @Test func `individual TWT agreements`() throws {
    let value = try checkRoundTrip(TargetWakeTime.self, "00 a3aa 8877665544332211 40 0002 05")
    #expect(value.individual?.wakeIntervalUs == 512 << 10)
    #expect(
      json(value).contains(
        #""individual":{"requestTypeHex":"0xaaa3","request":true,"setupCommand":"suggest","trigger":false,"implicit":true,"#
          + #""flowType":"announced","flowID":5,"protection":true,"targetWakeTimeUs":1234605616436508552,"nominalMinimumWakeDuration":64,"#
          + #""wakeIntervalUs":524288,"channel":5}"#))
    #expect(
      json(try checkRoundTrip(TargetWakeTime.self, "01 a3aa 8877665544332211 40 0002 05 01020304")).contains(
        #""ndpPagingHex":"0x04030201""#))
    #expect(try TargetWakeTime(body: [0, 1, 2, 3]).individual == nil)
    #expect(try TargetWakeTime(body: [0, 1, 2, 3, 4, 5, 6]).individual?.targetWakeTimeUs == nil)
  }

  /// Request type, group, least time awake, mantissa, channel: 3 bytes of group, or 9 with the start of it.
  @Test(
    arguments: [
      ("00 06aa 05 2301 40 0002 05", #""groupAssignment":{"id":5,"unit":3,"offset":18,"offsetUs":147456}"#),
      (
        "00 06aa 85 010203040506 2001 40 0002 05",
        #""groupAssignment":{"id":5,"zeroOffsetUs":6618611909121,"unit":0,"offset":18,"offsetUs":576}"#
      ),
      ("01 06aa 05 2d01 40 0002 05 01020304", #""groupAssignment":{"id":5,"unit":13,"offset":18}"#),
    ])
  func `TWT agreements of a group`(hex: String, text: String) throws {
    let value = try checkRoundTrip(TargetWakeTime.self, hex)
    #expect(json(value).contains(text), "\(json(value))")
    #expect(value.individual?.wakeIntervalUs == 512 << 10)
  }

  @Test func `broadcast TWT schedules`() throws {
    let value = try checkRoundTrip(TargetWakeTime.self, "08 2028 3412 40 0002 1801 ff")
    #expect(value.broadcasts.count == 1)
    #expect(value.broadcasts.first?.wakeIntervalUs == 512 << 10)
    #expect(json(value).contains(#""broadcastTWTID":3,"persistence":1"#))
  }

  /// The first of two schedules is for the traffic of its bitmaps (IEEE 802.11be-2024 9.4.2.199).
  @Test func `a restricted TWT schedule is followed by another`() throws {
    let value = try checkRoundTrip(TargetWakeTime.self, "08 0028 3412 40 0002 1901 03 f0 0f 2028 3412 40 0002 2001")
    #expect(value.broadcasts.count == 2)
    #expect(value.broadcasts.first?.restrictedTraffic?.uplinkBitmap == 0x0F)
    #expect(value.broadcasts.last?.restrictedTraffic == nil)
    #expect(json(value).contains(#""restrictedTraffic":{"controlHex":"0x03","downlinkBitmapHex":"0xf0","uplinkBitmapHex":"0x0f"}"#))
  }

  @Test func `TWT agreements of several links`() throws {
    let value = try checkRoundTrip(TargetWakeTime.self, "40 a3aa 8877665544332211 40 0002 05 0500")
    #expect(value.individual?.targetWakeTimeUs == 0x1122_3344_5566_7788)
    #expect(value.individual?.linkIDBitmap == 5)
    #expect(json(value).contains(#""channel":5,"linkIDBitmapHex":"0x0005"}"#))
  }

  @Test(
    arguments: [
      45, 61, 62, 71, 83, 85, 148, 151, 191, 192, 195, 201, 213, 214, 216, 217, 232, 255 | 35 << 8, 255 | 36 << 8, 255 | 37 << 8,
      255 | 38 << 8,
      255 | 39 << 8, 255 | 45 << 8, 255 | 55 << 8, 255 | 56 << 8, 255 | 59 << 8, 255 | 106 << 8, 255 | 107 << 8, 255 | 108 << 8,
    ] as [UInt16])
  func `random bodies are read back or refused, and described`(code: UInt16) {
    let id = code & 255 == 255 ? ElementID(extension: UInt8(code >> 8)) : ElementID(UInt8(code))
    var random = SplitMix64(state: UInt64(code))
    var count = 0
    for _ in 0..<Self.bodies {
      let body = random.bytes(random.below(random.below(4) == 0 ? 200 : 40))
      var cursor = ByteCursor(body)
      guard let value = try? ElementValue(id: id, parsing: &cursor) else { continue }
      count += 1
      #expect(value.id == id)
      #expect(value.body?.body == body, "\(Hex.string(body))")
      _ = value.body.map { json($0) }
    }
    #expect(count > 0)
  }
}
