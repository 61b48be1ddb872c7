import Models
import Testing
import WiFi

@Suite struct ChannelAdviceTests {
  private func network(_ name: String, _ channels: [(UInt64, Channel?, Int32)]) throws -> Network {
    try ChannelOccupancyTests().network(name, channels)
  }

  private func survey(_ megahertz: UInt32, busy: UInt64) -> Survey? {
    var writer = AttributeWriter()
    writer.nest(NL80211.Attribute.surveyInfo) { writer in
      writer.write(1, megahertz)
      writer.write(4, UInt64(100))
      writer.write(5, busy)
    }
    return Survey(GenericNetlinkMessage(command: NL80211.Command.newSurveyResults, attributes: writer.bytes))
  }

  @Test func `fewer and weaker access points are better, and one that overlaps counts in part`() throws {
    let networks = [
      try network("A", [(1, Channel(frequencyKHz: 2_412_000), -40)]), try network("B", [(2, Channel(frequencyKHz: 2_422_000), -60)]),
      try network("C", [(3, Channel(frequencyKHz: 2_462_000), -80), (4, Channel(frequencyKHz: 2_462_000), -82)]),
    ]
    let advice = ChannelAdvice(networks, band: .ghz2_4)
    #expect(
      advice.description == "2.4GHz: channel 6 (1 access point, the strongest -60 dBm, 1 from other channels), "
        + "then 11 (2 access points, the strongest -80 dBm), 1 (2 access points, the strongest -40 dBm, 1 from other channels)")
    #expect(advice.choices.map(\.cost) == [10, 38, 80])
  }

  @Test func `a busy channel and one with radar detection are worse than a free one`() throws {
    let surveys = [(5180, 30), (5260, 0), (5745, 2)].compactMap { survey($0, busy: $1) }
    let advice = ChannelAdvice([], surveys: surveys, band: .ghz5)
    #expect(
      advice.description == "5GHz: channel 149 (busy 2 %, no access point), then 52 (busy 0 %, no access point, radar detection (DFS)), "
        + "36 (busy 30 %, no access point)")
  }

  @Test func `of 6 GHz the preferred scanning channels are candidates`() throws {
    let wide = try network("Wide", [(1, Channel(primaryKHz: 5_975_000, width: .mhz160, center0KHz: 6_025_000), -50)])
    let advice = ChannelAdvice([wide], band: .ghz6)
    #expect(advice.choices.count == 15 && advice.choices.allSatisfy { $0.number % 16 == 5 })
    #expect(advice.choices[0].description == "37 (no access point, PSC)")
    #expect(advice.choices.suffix(2).map(\.number) == [5, 21])
    #expect(ChannelAdvice([wide], band: .ghz60).choices.isEmpty)
    // Of channels that were not visited nothing is known.
    #expect(ChannelAdvice([], visited: [2_412_000, 2_437_000], band: .ghz2_4).choices.map(\.number) == [1, 6])
    #expect(ChannelAdvice([], visited: [2_412_000], band: .ghz5).choices.isEmpty)
  }
}
