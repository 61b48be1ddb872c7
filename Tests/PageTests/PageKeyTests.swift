import Page
import Testing
import WiFi

@Suite struct PageKeyTests {
  @Test(arguments: [[], [0x48, 0x6F], [0x00, 0xFF, 0x0A, 0x3A]] as [[UInt8]])
  func `a key means the network that it was made of`(bytes: [UInt8]) throws {
    let ssid = try #require(SSID(bytes))
    for family in Security.Family.allCases {
      let id = NetworkID.network(ssid, family)
      #expect(PageKey(PageKey(id).text)?.id == id)
    }
    let address = NetworkID.bss(MACAddress(0x0200_0000_0001))
    #expect(PageKey(PageKey(address).text)?.id == address)
  }

  @Test(arguments: [
    "", "n", "n:", "n:48", "n:4:1", "n:48:99", "n:48:1:2", "n:GG:1", "b:", "b:02:00", "x:48:1", "n:\(String(repeating: "00", count: 33)):1",
  ])
  func `other texts are no key`(text: String) {
    #expect(PageKey(text) == nil)
  }
}
