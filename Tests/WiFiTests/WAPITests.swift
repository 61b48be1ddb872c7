import Testing
import WiFi

/// Networks of the Chinese standard.
@Suite struct WAPITests {
  static let psk = "0100 0100 00147202 0100 00147201 00147201 0000"

  @Test func `the element has its lists`() throws {
    let element = try checkRoundTrip(WAPI.self, Self.psk + "0000")
    #expect(
      json(element)
        == #"{"version":1,"akms":["WAPI-PSK"],"pairwiseCiphers":["WPI-SMS4"],"groupCipher":"WPI-SMS4","capabilities":[],"#
        + #""capabilitiesHex":"0x0000","trailingHex":"0000"}"#)
    #expect(throws: WireError.self) { try WAPI(body: [1, 0, 9, 0, 0, 0x14, 0x72, 1]) }
  }

  private static func security(_ hex: String) throws -> Security {
    let body = try #require(Hex.bytes(hex.filter { !$0.isWhitespace }))
    return Security(elements: ElementList(parsing: [0, 1, 65, 68, UInt8(body.count)] + body), capabilities: 0x0411)
  }

  @Test func `a network with a key that all share is personal, and not WEP`() throws {
    let security = try Self.security(Self.psk)
    #expect(security.family == .personal && security.protocols == .wapi && security.summary == "WAPI-Personal")
    #expect(security.akms.names == ["WAPI-PSK"] && security.pairwiseCiphers.names == ["WPI-SMS4"])
    #expect(!security.isWeak)
  }

  @Test func `a network with certificates is enterprise`() throws {
    let security = try Self.security("0100 0100 00147201 0100 00147201 00147201 0000")
    #expect(security.family == .enterprise && security.summary == "WAPI-Enterprise")
    #expect(try Self.security("0100 0200 00147201 00147202 0100 00147201 00147201 0000").summary == "WAPI-Personal + WAPI-Enterprise")
  }

  @Test func `a network whose element cannot be read is not taken for WEP`() throws {
    #expect(try Self.security("0100 0900 00147201").summary == "Unknown")
  }

  @Test func `four bytes of the same number are the access delay of a BSS`() throws {
    #expect(try Self.security("01020304").summary == "WEP")
    #expect(ElementList(parsing: [68, 4, 1, 2, 3, 4]).elements.map(\.value) == [.other(ElementID(68), [1, 2, 3, 4])])
  }

  @Test func `a scan says so`() throws {
    let body = try #require(Hex.bytes(Self.psk.filter { !$0.isWhitespace }))
    let facts = BSSFacts(
      BSS(bssid: MACAddress(2), frequencyMHz: 2437, capability: 0x0411, informationElements: [0, 1, 65, 68, UInt8(body.count)] + body))
    #expect(facts.security.summary == "WAPI-Personal")
  }

  @Test(arguments: [(60_480, "Unknown"), (903, "Unknown"), (2437, "WEP")] as [(UInt32, String)])
  func `Privacy alone is WEP only where there can be WEP`(frequencyMHz: UInt32, summary: String) {
    let facts = BSSFacts(BSS(bssid: MACAddress(2), frequencyMHz: frequencyMHz, capability: 0x0011, informationElements: [0, 1, 65]))
    #expect(facts.security.summary == summary)
  }
}
