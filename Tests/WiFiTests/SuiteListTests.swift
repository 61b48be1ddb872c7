import Testing
import WiFi

@Suite struct SuiteListTests {
  @Test(arguments: [
    (0x000F_AC04, "CCMP-128"), (0x0050_F202, "TKIP"), (0x000F_AC0D, "BIP-CMAC-256"), (0x0014_7201, "WPI-SMS4"),
    (0x000F_AC63, "00-0f-ac:99"), (0x506F_9A00, "50-6f-9a:0"),
  ]) func `names a cipher, an unknown one by number`(selector: UInt32, name: String) {
    #expect(CipherSuite(selector: selector).name == name)
  }

  @Test(arguments: [
    (0x000F_AC08, "SAE"), (0x000F_AC19, "FT-SAE-EXT-KEY"), (0x506F_9A02, "DPP"), (0x506F_9A01, "OSEN"),
    (0x0014_7202, "WAPI-PSK"), (0x000F_AC63, "00-0f-ac:99"),
  ]) func `names a key management, an unknown one by number`(selector: UInt32, name: String) {
    #expect(AKMSuite(selector: selector).name == name)
  }

  @Test func `every key management up to 25 has a name of its own`() {
    let names = Set((1...25).map { AKMSuite(ieee80211: $0).name })
    #expect(names.count == 25)
    #expect(names.allSatisfy { !$0.contains(":") })
  }

  @Test(
    arguments: [
      [], [0x000F_AC04], [0x000F_AC04, 0x000F_AC02, 0x000F_AC00, 0x000F_ACFF],
      [0x000F_AC02, 0x506F_9A02], [1, 2, 3, 4, 5], [0, 0, 0, 0, 0, 0x0050_F201],
    ] as [[UInt32]]) func `keeps selectors whatever their number and OUI`(selectors: [UInt32]) throws
  {
    let list = SuiteList(selectors.map { AKMSuite(selector: $0) })
    #expect(list.map(\.selector) == selectors)
    var writer = ByteWriter()
    list.encode(into: &writer)
    var cursor = ByteCursor(writer.bytes)
    #expect(try SuiteList<AKMSuite>(parsing: &cursor, count: selectors.count) == list)
  }

  @Test func `is as small as ten bytes`() {
    #expect(MemoryLayout<SuiteList<AKMSuite>>.size <= 10)
    #expect(MemoryLayout<RSN>.size <= 48)
    #expect(MemoryLayout<ElementValue>.size <= 64)
  }
}
