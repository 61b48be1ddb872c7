import Testing
import WiFi

@Suite struct RateElementTests {
  @Test func `reads rates, which are basic, and selectors`() throws {
    let rates = try checkRoundTrip(SupportedRates.self, "82 84 8b 96 0c 6c fb")
    #expect(rates.rates.compactMap(\.rateKbps) == [1000, 2000, 5500, 11000, 6000, 54000])
    #expect(
      json(rates)
        == #"{"ratesKbps":[1000,2000,5500,11000,6000,54000],"basicRatesKbps":[1000,2000,5500,11000],"#
        + #""membershipSelectors":["SAE hash-to-element only"],"octetsHex":"82848b960c6cfb"}"#)
  }

  @Test(arguments: [
    (0xFF, "HT PHY"), (0xFE, "VHT PHY"), (0xFD, "GLK"), (0xFC, "EPD"), (0xFB, "SAE hash-to-element only"), (0xFA, "HE PHY"),
    (0xF9, "EHT PHY"),
  ]) func `knows BSS membership selectors`(byte: UInt8, name: String) {
    let rate = SupportedRate(byte: byte)
    #expect(rate.selector.map { "\($0)" } == name)
    #expect(rate.rateKbps == nil)
  }

  @Test func `a selector that is not basic is a rate`() {
    #expect(SupportedRate(byte: 0x7F).rateKbps == 63500)
  }

  @Test func `keeps more rates than the standard allows`() throws {
    let hex = String(repeating: "0c", count: 40)
    #expect(try checkRoundTrip(ExtendedSupportedRates.self, hex).bytes.count == 40)
    #expect(try checkRoundTrip(SupportedRates.self, "").rates.isEmpty)
  }
}
