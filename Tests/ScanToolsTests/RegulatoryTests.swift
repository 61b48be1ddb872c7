import Testing
import WiFi

@Suite struct RegulatoryTests {
  @Test func `the rules of a real kernel are read whole`() throws {
    let domain = try #require(try Captures.messages("regulatory").compactMap { RegulatoryDomain($0) }.first)
    #expect(domain.alpha2 == "DE" && domain.dfsRegion == 2 && domain.dfsRegionName == "ETSI")
    let radar = try #require(domain.rules.first { $0.startKHz == 5_250_000 })
    #expect(radar.endKHz == 5_350_000 && radar.maximumBandwidthKHz == 80_000 && radar.maximumPowerMBm == 2000)
    #expect(radar.restrictions == ["indoorOnly", "dfs", "autoBandwidth"])
    #expect(radar.maximumAntennaGainMBi == 0 && radar.dfsCACTimeMs == 0)
  }

  @Test(
    arguments: [
      (0, []), (0x180, ["noIR"]), (0x100, ["noIR"]), (0x80, ["noIR"]), (0x818, ["indoorOnly", "dfs", "autoBandwidth"]),
      (1 << 31, ["bit31"]),
      (0x2_0003, ["noOFDM", "noCCK", "noHE"]),
    ] as [(UInt32, [String])])
  func `flags of rules have names`(flags: UInt32, names: [String]) {
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.regulatoryAlpha2, Array("DE\0".utf8))
    var rule = AttributeWriter()
    rule.write(1, flags)
    rule.write(5, 600 as UInt32)
    rule.write(7, 60_000 as UInt32)
    var rules = AttributeWriter()
    rules.write(0, rule.bytes)
    writer.write(NL80211.Attribute.regulatoryRules, rules.bytes)
    let domain = RegulatoryDomain(GenericNetlinkMessage(command: NL80211.Command.getRegulatory, attributes: writer.bytes))
    #expect(domain?.rules.first?.restrictions == names)
    #expect(domain?.rules.first?.maximumAntennaGainMBi == 600 && domain?.rules.first?.dfsCACTimeMs == 60_000)
  }

  @Test func `the channels of a real adapter say what may be sent there`() throws {
    let adapter = try #require(Adapter.adapters(of: try Captures.messages("wiphy")).first)
    let radar = try #require(adapter.frequencies.first { $0.frequencyKHz == 5_260_000 })
    #expect(radar.needsRadarDetection && !radar.isNoIR && radar.isIndoorOnly && radar.dfsState == .usable && radar.dfsCACTimeMs == 60_000)
    #expect(radar.dfsStateTimeMs != nil)
    let first = try #require(adapter.frequencies.first { $0.frequencyKHz == 2_412_000 })
    #expect(!first.isIndoorOnly && first.dfsState == nil && first.restrictions.contains("noHT40Minus"))
  }
}
