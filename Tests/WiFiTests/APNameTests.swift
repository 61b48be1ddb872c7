import Testing
import WiFi

@Suite struct APNameTests {
  @Test(arguments: [
    ("001977 21 01 00 05 4150313700", "Aerohive"), ("dc0856 01 41503137", "Alcatel-Lucent"),
    ("000b86 01 03 00 41503137", "Aruba"), ("004096 2f 41503137", "Cisco"),
    ("00a0f8 01 00000000000000 04 41503137 2e", "Extreme"), ("00090f 0a 00 01 04 41503137", "Fortinet"),
    ("000c42 00 0000 0502a809 0110 00100000196326060000 415031370000 ff", "MikroTik"), ("5c5b35 01 41503137", "Mist"),
    ("848094 00 41503137", "Meter"),
    ("001392 03 41503137", "Ruckus"), ("00156d 01 41503137", "Ubiquiti"),
  ]) func `reads the name that a vendor's access point gives itself`(hex: String, vendor: String) throws {
    let name = try checkRoundTrip(APName.self, hex)
    #expect(name.name == "AP17")
    #expect(name.vendor.name == vendor)
    let body = name.body
    #expect(ElementList(parsing: [221, UInt8(body.count)] + body).apName == "AP17")
  }

  @Test func `escapes the name`() throws {
    let name = try checkRoundTrip(APName.self, "5c5b35 01 1b5b41")
    #expect(
      json(name) == #"{"vendor":"Mist","apName":"\\x1b[A","apNameHex":"1b5b41","octetsHex":"5c5b35011b5b41"}"#)
  }

  @Test(arguments: ["001977 21 04 04 05", "000b86 01 07 00", "00090f 0a 00 02 01 41", "000c42 00 0000 0502a809", "00a0f8 01 00"])
  func `another element of the vendor's is no name, and no fault`(hex: String) throws {
    let body = try #require(Hex.bytes(hex.filter { $0 != " " }))
    let bytes = [221, UInt8(body.count)] + body
    let list = ElementList(parsing: bytes)
    #expect(list.apName == nil && list.complaints.isEmpty && list.encoded == bytes)
  }

  @Test func `reads the name and the number of stations in Cisco's own element`() throws {
    let ccx = try checkRoundTrip(
      CiscoCCX.self, "00008f00030007004000 41503137382d30313233343500000000 09 00002c")
    #expect(ccx.name == "AP178-012345" && ccx.clientCount == 9)
    #expect(ElementList([.ciscoCCX(ccx)]).apName == "AP178-012345")
    #expect(throws: WireError.self) { try CiscoCCX(body: Array(repeating: 0, count: 26)) }
  }
}
