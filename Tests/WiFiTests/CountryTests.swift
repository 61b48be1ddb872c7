import Testing
import WiFi

@Suite struct CountryTests {
  @Test func `reads channels with their power, and the padding`() throws {
    let country = try checkRoundTrip(Country.self, "555320 010b1e 240417 00")
    #expect(country.code == "US")
    #expect(
      country.triplets == [
        .subband(firstChannel: 1, channelCount: 11, maximumPowerDBm: 30),
        .subband(firstChannel: 36, channelCount: 4, maximumPowerDBm: 23),
      ])
    #expect(
      json(country)
        == #"{"country":"US","countryStringHex":"555320","environment":"any","triplets":[{"firstChannel":1,"#
        + #""channelCount":11,"maximumPowerDBm":30},{"firstChannel":36,"channelCount":4,"maximumPowerDBm":23}],"#
        + #""paddingHex":"00"}"#)
  }

  @Test func `reads operating triplets`() throws {
    let country = try checkRoundTrip(Country.self, "4a5004 c95103 24040e")
    #expect(country.triplets.first == .operating(extensionID: 201, operatingClass: 81, coverageClass: 3))
    #expect(json(country).contains(#""environment":"operatingClassesGlobal""#))
  }

  @Test func `escapes letters that are none`() throws {
    let country = try checkRoundTrip(Country.self, "1b5bff")
    #expect(country.code == #"\x1b["#)
    #expect(json(country).contains(#""environment":255"#))
    #expect(throws: WireError.self) { try Country(body: [0x55, 0x53]) }
  }

  @Test func `power may be negative`() throws {
    #expect(
      try checkRoundTrip(Country.self, "4e4c4f 0101ff").triplets == [
        .subband(firstChannel: 1, channelCount: 1, maximumPowerDBm: -1)
      ])
  }
}
