import Simulator
import Testing
import WiFi

/// Strengths as people say them, beside those of the kernel.
@Suite struct DecibelTests {
  @Test func `dBm and 1/100 dBm are the same strength`() throws {
    let home = AccessPoint("Home", bssid: 1)
    #expect(StillAir.Station(home, signalDBm: -50.25).signalMBm == -5025)
    #expect(PlacedAccessPoint(home, at: Position(x: 0, y: 0), powerDBm: 20).powerMBm == 2000)
    let bss = home.bss(signalDBm: -61.5)
    #expect(bss.signalMBm == -6150 && bss.signalDBm == -61.5)
    let network = try #require(Network.networks(of: [BSSFacts(bss)]).first)
    #expect(network.signalDBm == -61.5 && network.members[0].signalDBm == -61.5)
    var silent = bss
    silent.signalMBm = nil
    #expect(silent.signalDBm == nil)
  }
}
