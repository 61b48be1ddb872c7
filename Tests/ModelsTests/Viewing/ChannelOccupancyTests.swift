import Models
import Testing
import WiFi

@Suite struct ChannelOccupancyTests {
  func network(_ name: String, _ channels: [(UInt64, Channel?, Int32)]) throws -> Network {
    var network = makeNetwork(name)
    network.members = try channels.map { number, channel, signal in
      .init(bssid: MACAddress(0x0200_0000_0000 | number), channel: try #require(channel), signalMBm: signal * 100)
    }
    return network
  }

  @Test func `a bar has the true centre and width of its channel`() throws {
    let wide = try network("Wide", [(1, Channel(primaryKHz: 5_180_000, width: .mhz80, center0KHz: 5_210_000), -50)])
    let bar = try #require(ChannelOccupancy([wide], band: .ghz5).bars.first)
    #expect((bar.lowKHz, bar.highKHz, bar.centerKHz, bar.widthMHz) == (5_170_000, 5_250_000, 5_210_000, 80))
    #expect(bar.primaryKHz == 5_180_000)
    #expect(ChannelOccupancy([wide], band: .ghz6).bars.isEmpty)
  }

  @Test func `80+80 MHz are two bars of one access point`() throws {
    let split = try network(
      "Split", [(1, Channel(primaryKHz: 5_180_000, width: .mhz80Plus80, center0KHz: 5_210_000, center1KHz: 5_530_000), -50)])
    let bars = ChannelOccupancy([split], band: .ghz5).bars
    #expect(bars.map(\.lowKHz) == [5_170_000, 5_490_000])
    #expect(Set(bars.map(\.bssid)).count == 1)
  }

  @Test func `bars that overlap stand in different lines, the strongest first`() throws {
    let networks = [
      try network("A", [(1, Channel(frequencyKHz: 2_412_000), -80)]), try network("B", [(2, Channel(frequencyKHz: 2_417_000), -40)]),
      try network("C", [(3, Channel(frequencyKHz: 2_462_000), -60)]),
    ]
    let occupancy = ChannelOccupancy(networks, band: .ghz2_4)
    #expect(occupancy.bars.map(\.ssid.description) == ["B", "C", "A"])
    #expect(occupancy.lines().map { $0.map(\.ssid.description) } == [["B", "C"], ["A"]])
    #expect(occupancy.count(at: 2_415_000) == 2)
    #expect(occupancy.count(at: 2_440_000) == 0)
  }
}
