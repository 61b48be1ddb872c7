import Testing
import WiFi

@Suite struct TIMTests {
  @Test func `reads the counts and the stations with frames waiting`() throws {
    let tim = try checkRoundTrip(TIM.self, "00 03 03 020408")
    #expect(tim.dtimCount == 0 && tim.dtimPeriod == 3)
    #expect(tim.isGroupTrafficBuffered)
    #expect(tim.bitmapOffset == 2)
    #expect(tim.bufferedAIDs == [0x11, 0x1A, 0x23])
    #expect(
      json(tim)
        == #"{"dtimCount":0,"dtimPeriod":3,"bitmapControlHex":"0x03","isGroupTrafficBuffered":true,"bitmapOffset":2,"#
        + #""partialVirtualBitmapHex":"020408","bufferedAIDs":[17,26,35]}"#)
  }

  @Test func `the bit of association 0 names nobody`() throws {
    #expect(try checkRoundTrip(TIM.self, "00 01 00 01").bufferedAIDs.isEmpty)
  }

  @Test func `the bitmap may be left out`() throws {
    #expect(try checkRoundTrip(TIM.self, "0102").bitmapControl == nil)
    #expect(throws: WireError.self) { try TIM(body: [1]) }
  }

  @Test func `keeps the longest bitmap`() throws {
    let tim = try checkRoundTrip(TIM.self, "0102 00" + String(repeating: "80", count: 251))
    #expect(tim.bufferedAIDs.last == 2007)
  }
}
