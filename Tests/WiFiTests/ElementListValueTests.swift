import Testing
import WiFi

@Suite struct ElementListValueTests {
  @Test func `finds elements by their type`() throws {
    let ssid = try #require(SSID(Array("home".utf8)))
    let rsn = RSN(
      groupCipher: .ccmp128, pairwiseCiphers: [.ccmp128], akms: [.psk], capabilities: RSNCapabilities(rawValue: 0))
    let list = ElementList([
      .ssid(SSIDElement(ssid: ssid)), .dsssParameterSet(DSSSParameterSet(currentChannel: 6)), .rsn(rsn),
      .vendor(VendorSpecific(oui: 1, bytes: [1])), .wps(WPS(bytes: [])), .vendor(VendorSpecific(oui: 2, bytes: [])),
    ])
    #expect(list.ssid == ssid && list.rsn == rsn && list.dsssChannel == 6 && list.wps != nil && list.wpa == nil)
    #expect(list.first(VendorSpecific.self)?.oui == 1)
    #expect(list.all(VendorSpecific.self).map(\.oui) == [1, 2])
    #expect(list.first(TIM.self) == nil)
    #expect(ElementList(parsing: list.encoded) == list)
  }

  @Test func `every value stays small`() {
    #expect(MemoryLayout<ElementValue>.size <= 64)
  }
}
