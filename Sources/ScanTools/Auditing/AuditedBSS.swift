public import WiFi

/// What an audit looks at of one BSS.
public struct AuditedBSS: Hashable, Sendable {
  /// Its address.
  public var bssid: MACAddress
  /// Its name, or `nil` where no frame says it.
  public var ssid: SSID?
  /// What it announces.
  public var facts: AccessPointFacts
  /// The channels it was heard on at the same time, or to and fro.
  public var channels: [Channel]

  /// The BSSs of one scan, those of one address together.
  public static func list(_ facts: [BSSFacts]) -> [AuditedBSS] {
    Dictionary(grouping: facts, by: \.bss.bssid).sorted { $0.key < $1.key }.flatMap { bssid, group -> [AuditedBSS] in
      var channels: [Channel] = []
      for fact in group where !channels.contains(where: { $0.primaryKHz == fact.channel.primaryKHz }) { channels.append(fact.channel) }
      // A hidden name that another frame of the address says is that name.
      let named = group.filter { !$0.ssid.isHidden && $0.isSSIDKnown }
      return (named.isEmpty ? group : named).enumerated().map { index, fact in
        let own = AccessPointFacts(fact)
        return AuditedBSS(bssid: bssid, ssid: own.ssid, facts: own, channels: index == 0 ? channels : [fact.channel])
      }
    }
  }
}

extension ScanSummary {
  /// What an audit looks at: the access points that were there and are wanted.
  public var audited: [AuditedBSS] {
    accessPoints.filter(isThere).flatMap { accessPoint -> [AuditedBSS] in
      let rivals = accessPoint.rivalChannels
      return accessPoint.securities.map { announcement in
        AuditedBSS(
          bssid: accessPoint.bssid, ssid: announcement.facts.ssid ?? accessPoint.ssid, facts: announcement.facts,
          channels: rivals.isEmpty ? [announcement.channel] : rivals)
      }
    }
  }
}
