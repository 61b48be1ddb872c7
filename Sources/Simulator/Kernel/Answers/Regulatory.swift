import WiFi

/// `NL80211_CMD_GET_REG`.
extension SimulatedKernel {
  func answerRegulatory(_ request: Request) {
    var builder = builder(for: request)
    builder.generic(
      family: configuration.family, flags: request.isDump ? NetlinkMessage.Flag.multi : 0,
      command: NL80211.Command.getRegulatory, size: 512
    ) { builder in
      builder.write(NL80211.Attribute.regulatoryAlpha2, configuration.country)
      builder.write(NL80211.Attribute.dfsRegion, 2 as UInt8)
      builder.nest(NL80211.Attribute.regulatoryRules) { builder in
        for (index, rule) in Self.rules.enumerated() {
          builder.nest(UInt16(index)) { builder in
            builder.write(1, rule.flags)
            builder.write(2, rule.startKHz)
            builder.write(3, rule.endKHz)
            builder.write(4, rule.bandwidthKHz)
            builder.write(5, 0 as UInt32)  // NL80211_ATTR_POWER_RULE_MAX_ANT_GAIN
            builder.write(6, rule.powerMBm)
            builder.write(7, 0 as UInt32)  // NL80211_ATTR_DFS_CAC_TIME
          }
        }
      }
    }
    if request.isDump { return finishDump(request, builder) }
    replyAndAcknowledge(request, builder)
  }

  private struct Rule {
    var flags: UInt32
    var startKHz: UInt32
    var endKHz: UInt32
    var bandwidthKHz: UInt32
    var powerMBm: UInt32
  }

  /// The rules of Germany, as wireless-regdb has them.
  private static let rules = [
    Rule(flags: 0, startKHz: 2_400_000, endKHz: 2_483_500, bandwidthKHz: 40_000, powerMBm: 2000),
    Rule(flags: 0x808, startKHz: 5_150_000, endKHz: 5_250_000, bandwidthKHz: 80_000, powerMBm: 2300),
    Rule(flags: 0x818, startKHz: 5_250_000, endKHz: 5_350_000, bandwidthKHz: 80_000, powerMBm: 2000),
    Rule(flags: 0x10, startKHz: 5_470_000, endKHz: 5_725_000, bandwidthKHz: 160_000, powerMBm: 2700),
    Rule(flags: 0, startKHz: 5_725_000, endKHz: 5_875_000, bandwidthKHz: 80_000, powerMBm: 1400),
    Rule(flags: 0x8, startKHz: 5_945_000, endKHz: 6_425_000, bandwidthKHz: 320_000, powerMBm: 2300),
  ]
}
