public import WiFi

/// What may be sent where, in lines for a user.
public enum RegulatoryReport {
  /// A domain and its rules, a line each.
  public static func text(of domain: RegulatoryDomain) -> String {
    let owner = domain.wiphy.map { " of phy\($0)" } ?? ""
    let region = domain.dfsRegionName.map { ", radar as in \($0)" } ?? ""
    let rules = domain.rules.map { rule -> [String] in
      var limits = rule.restrictions.map { $0 == "dfs" && rule.dfsCACTimeMs > 0 ? "dfs (CAC \(seconds(rule.dfsCACTimeMs)))" : $0 }
      if rule.maximumAntennaGainMBi > 0 { limits.insert("antenna \(Decimal.hundredths(Int(rule.maximumAntennaGainMBi))) dBi", at: 0) }
      return [
        "\(megahertz(rule.startKHz))–\(megahertz(rule.endKHz)) MHz", "\(megahertz(rule.maximumBandwidthKHz)) MHz",
        "\(Decimal.hundredths(Int(rule.maximumPowerMBm))) dBm", limits.joined(separator: ", "),
      ]
    }
    return "regulatory domain\(owner): \(domain.alpha2)\(region), \(domain.rules.count.counted("rule"))\n"
      + aligned(rules)
  }

  /// The channels of an adapter by what holds on them, those of a band that are alike in one line.
  ///
  /// Channels that may not be used are left out, for most adapters have many; no range goes across them.
  public static func text(of adapter: Adapter, in band: Band) -> String {
    var groups: [(limits: [String], channels: [Int])] = []
    var goesOn = false
    for frequency in adapter.frequencies where Band(frequencyKHz: Int(frequency.frequencyKHz)) == band {
      guard let number = band.channel(frequencyKHz: Int(frequency.frequencyKHz)) else { continue }
      guard !frequency.isDisabled else {
        goesOn = false
        continue
      }
      let limits = limits(of: frequency)
      if goesOn, groups.last?.limits == limits {
        groups[groups.count - 1].channels.append(number)
      } else {
        groups.append((limits, [number]))
      }
      goesOn = true
    }
    return aligned(
      groups.map { group in
        let numbers =
          group.channels.count == 1 ? "\(group.channels[0])" : "\(group.channels[0])–\(group.channels[group.channels.count - 1])"
        return [numbers, group.limits[0], group.limits.dropFirst().joined(separator: ", ")]
      })
  }

  private static func limits(of frequency: Adapter.Frequency) -> [String] {
    var limits = [frequency.maximumPowerMBm.map { "\(Decimal.hundredths(Int($0))) dBm" } ?? "-"]
    if frequency.isNoIR { limits.append("no-IR") }
    if frequency.isIRConcurrent { limits.append("IR where connected") }
    if frequency.isIndoorOnly { limits.append("indoor only") }
    if frequency.needsRadarDetection {
      let state =
        switch frequency.dfsState {
        case .usable?: ", not listened for yet"
        case .unavailable?: ", detected \(seconds(frequency.dfsStateTimeMs ?? 0)) ago"
        case .available?: ", none heard"
        case nil: ""
        }
      limits.append("radar\(state)\(frequency.dfsCACTimeMs.map { ", CAC \(seconds($0))" } ?? "")")
    }
    // On which side 40 MHz may extend differs from channel to channel; the JSON has it.
    return limits + frequency.restrictions.filter { !$0.hasPrefix("noHT40") }
  }

  private static func megahertz(_ kilohertz: UInt32) -> String { FixedPlaces.text(units: Int64(kilohertz), places: 3) }

  private static func seconds(_ milliseconds: UInt32) -> String { "\(megahertz(milliseconds)) s" }

  private static func aligned(_ rows: [[String]]) -> String {
    ReportText.aligned(rows, indent: "    ").map { $0 + "\n" }.joined()
  }
}
