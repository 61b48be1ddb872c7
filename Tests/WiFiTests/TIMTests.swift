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

  /// What Linux reads of the examples of IEEE 802.11-2024 annex L (net/mac80211/tests/s1g_tim.c).
  @Test(
    arguments: [
      ("00 01 00 00 05 42 a0", [1, 6, 21, 23], 0), ("00 01 00 01 1f", [31], 0),
      (
        "00 01 00 02 09 42 a0 42 a0 42 a0 42 a0 42", [1, 6, 13, 15, 17, 22, 29, 31, 33, 38, 45, 47, 49, 54, 61, 63, 65, 70], 0
      ),
      // Page 2, block 3: two thousand and forty-eight identifiers a page, 64 a block.
      ("00 01 80 19 05", [2 * 2048 + 3 * 64 + 5], 0), ("00 01 00 01 1f 03 01 02", [31], 3), ("00 01 00 00 05 42", [], 3), ("00 01", [], 0),
    ] as [(String, [Int], Int)])
  func `an S1G access point encodes the bitmap`(hex: String, aids: [Int], unreadable: Int) throws {
    let found = try checkRoundTrip(TIM.self, hex).s1gBufferedAIDs
    #expect(found.aids == aids)
    #expect(found.unreadable.count == unreadable)
  }

  @Test(
    arguments: [
      ("00 01 00 04 05 42 a0", [1, 6, 21, 23], 63), ("00 01 00 05 1f", [31], 63),
      ("00 01 00 06 09 42 a0 42 a0 42 a0 42 a0 42", [1, 6, 13, 15, 17, 22, 29, 31, 33, 38, 45, 47, 49, 54, 61, 63, 65, 70], 127),
    ] as [(String, [Int], Int)])
  func `an inverted block names those without frames`(hex: String, except: [Int], last: Int) throws {
    #expect(try checkRoundTrip(TIM.self, hex).s1gBufferedAIDs.aids == (1...last).filter { !except.contains($0) })
  }

  @Test func `an S1G beacon says which stations it keeps frames for, its widths and that it is secured`() throws {
    let bytes = try #require(Hex.bytes("1c500000" + "0c0e76000001" + "40420f00" + "01" + "0507000100000542a0"))
    guard case .s1gBeacon(let beacon) = try Frame(bytes) else {
      Issue.record("no S1G beacon")
      return
    }
    #expect(beacon.widthsMHz == 1...4 && beacon.isSecured)
    let text = json(beacon)
    #expect(text.contains(#""bandwidth":2,"minimumWidthMHz":1,"maximumWidthMHz":4,"isSecured":true"#))
    // A short beacon is secured, and leaves out how.
    #expect(text.contains(#""security":{"summary":"Unknown","isSecured":true"#))
    var writer = FieldWriter(style: .json)
    writer.object { beacon.elements.describe(into: &$0, of: bytes, band: .s1g) }
    #expect(writer.text.contains(#""bufferedAIDs":[1,6,21,23]"#))
    #expect(writer.text.contains(#""pageSlice":0,"pageIndex":0"#))
    // Where a table remembers elements by their bytes, too.
    var remembering = FieldWriter(style: .json)
    remembering.rememberElements()
    remembering.object {
      $0.object("other") { beacon.elements.describe(into: &$0, of: bytes) }
      $0.object("s1g") { beacon.elements.describe(into: &$0, of: bytes, band: .s1g) }
    }
    #expect(remembering.text.contains(#""bufferedAIDs":[1,6,21,23]"#) && remembering.text.contains(#""bitmapOffset":0"#))
  }
}
