import ScanTools
import Testing
import WiFi

@Suite struct RegulatoryReportTests {
  @Test func `the domain of a real kernel is a line for each rule`() throws {
    let domain = try #require(try Captures.messages("regulatory").compactMap { RegulatoryDomain($0) }.first)
    let lines = RegulatoryReport.text(of: domain).split(separator: "\n")
    #expect(lines.first == "regulatory domain: DE, radar as in ETSI, \(domain.rules.count) rules")
    #expect(lines.count == domain.rules.count + 1)
    #expect(lines.contains("    5250–5350 MHz    80 MHz    20 dBm     indoorOnly, dfs, autoBandwidth"), "\(lines)")
  }

  @Test func `channels that are alike are one line`() throws {
    let adapter = try #require(Adapter.adapters(of: try Captures.messages("wiphy")).first)
    for band in [Band.ghz2_4, .ghz5] {
      let lines = RegulatoryReport.text(of: adapter, in: band).split(separator: "\n")
      let usable = adapter.frequencies.count { !$0.isDisabled && Band(frequencyKHz: Int($0.frequencyKHz)) == band }
      #expect(!lines.isEmpty && lines.count < usable)
    }
    let text = RegulatoryReport.text(of: adapter, in: .ghz5)
    #expect(text.contains("\n    52–64    20 dBm  indoor only, radar, not listened for yet, CAC 60 s, no320MHz\n"), "\(text)")
    #expect(RegulatoryReport.text(of: adapter, in: .s1g) == "" || !text.isEmpty)
  }

  @Test func `a range does not go across channels that may not be used`() throws {
    var adapter = Adapter(wiphy: 0)
    let real = try #require(Adapter.adapters(of: try Captures.messages("wiphy")).first)
    let frequency = try #require(real.frequencies.first { $0.frequencyKHz == 5_180_000 })
    adapter.frequencies = [100, 104, 108, 112, 116, 120, 124, 128, 132, 136].map { channel in
      var copy = frequency
      copy.frequencyKHz = UInt32(5_000_000 + 5000 * channel)
      copy.isDisabled = (120...128).contains(channel)
      return copy
    }
    let lines = RegulatoryReport.text(of: adapter, in: .ghz5).split(separator: "\n")
    #expect(lines.map { $0.split(separator: " ")[0] } == ["100–116", "132–136"])
  }

  @Test func `a channel says its state, its time and its antenna`() throws {
    var adapter = Adapter(wiphy: 0)
    let real = try #require(Adapter.adapters(of: try Captures.messages("wiphy")).first)
    var frequency = try #require(real.frequencies.first { $0.frequencyKHz == 5_500_000 })
    (frequency.dfsState, frequency.dfsStateTimeMs, frequency.dfsCACTimeMs) = (.unavailable, 65_500, 600_000)
    (frequency.isDisabled, frequency.isNoIR) = (false, true)
    adapter.frequencies = [frequency]
    #expect(RegulatoryReport.text(of: adapter, in: .ghz5).contains("no-IR, radar, detected 65.5 s ago, CAC 600 s"))
    adapter.frequencies[0].dfsState = .available
    #expect(RegulatoryReport.text(of: adapter, in: .ghz5).contains("radar, none heard"))
    adapter.frequencies[0].isDisabled = true
    #expect(RegulatoryReport.text(of: adapter, in: .ghz5) == "")
  }
}
