import Models
import Simulator
import Testing
import WiFi

@Suite struct NetworkFilterTests {
  static func network(
    _ name: String, band: Band = .ghz2_4, channel: Int = 1, security: AccessPointSecurity = .wpa2Personal, signalDBm: Double = -60
  ) -> Network {
    let facts = BSSFacts(AccessPoint(name, bssid: 0xAB, band: band, channel: channel, security: security).bss(signalDBm: signalDBm))
    return Network(id: facts.networkID(.network), of: [facts])
  }

  @Test(arguments: [
    (NetworkFilter(), true), (NetworkFilter(text: "CAF"), true), (NetworkFilter(text: "tea"), false),
    (NetworkFilter(text: "00:ab"), true), (NetworkFilter(bands: .ghz5), true), (NetworkFilter(bands: .ghz2_4), false),
    (NetworkFilter(bands: [.ghz2_4, .ghz5]), true), (NetworkFilter(minimumSignalDBm: -60), true),
    (NetworkFilter(minimumSignalDBm: -59), false), (NetworkFilter(protection: .secured), true),
    (NetworkFilter(protection: .open), false), (NetworkFilter(protection: .weak), false), (NetworkFilter(protection: .modern), false),
    (NetworkFilter(minimumGeneration: 6), true), (NetworkFilter(minimumGeneration: 7), false),
    (NetworkFilter(text: "caf", minimumSignalDBm: -59), false),
  ])
  func `a network passes where every condition holds`(filter: NetworkFilter, passes: Bool) {
    #expect(filter.accepts(Self.network("Café", band: .ghz5, channel: 36)) == passes)
  }

  @Test(arguments: [(-60.9, true), (-61, false)])
  func `a signal is compared as it is shown`(signalDBm: Double, passes: Bool) {
    #expect(NetworkFilter(minimumSignalDBm: -60).accepts(Self.network("a", signalDBm: signalDBm)) == passes)
  }

  @Test func `protection is judged by what a station would get`() {
    let open = Self.network("a", security: .open)
    #expect(NetworkFilter(protection: .weak).accepts(open))
    #expect(NetworkFilter(protection: .open).accepts(open))
    let both = Self.network("b", security: .wpa2WPA3Personal)
    #expect(NetworkFilter(protection: .modern).accepts(both))
    #expect(!NetworkFilter(protection: .weak).accepts(both))
  }

  @Test func `a filter is empty until it has a condition`() {
    #expect(NetworkFilter().isEmpty)
    #expect(!NetworkFilter(bands: .ghz6).isEmpty)
  }
}
