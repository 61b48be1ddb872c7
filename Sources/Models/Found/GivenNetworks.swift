import WiFi

/// Networks that a list started with and no scan has heard yet.
struct GivenNetworks: Sendable {
  private struct Entry: Sendable {
    var bssids: [MACAddress]
    var frequenciesKHz: [UInt32]
    var missedScans = 0
    var since: Duration?
  }

  private var entries: [NetworkID: Entry] = [:]
  private var owners: [MACAddress: [NetworkID]] = [:]

  init(_ networks: [Network]) {
    for network in networks {
      entries[network.id] = Entry(
        bssids: network.members.map(\.bssid), frequenciesKHz: network.members.map { UInt32(clamping: $0.channel.primaryKHz) })
      for member in network.members { owners[member.bssid, default: []].append(network.id) }
    }
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Removes a network that was heard; `false` where it is not one of these.
  mutating func remove(_ id: NetworkID) -> Bool { entries.removeValue(forKey: id) != nil }

  /// Removes what is lost with one more scan: what the source says, and what the rule says, in order of identity.
  mutating func losses(_ scan: Scan, rule: LossRule) -> [NetworkID] {
    var lost: [NetworkID] = []
    for bssid in scan.lost {
      for id in owners.removeValue(forKey: bssid) ?? [] {
        entries[id]?.bssids.removeAll { $0 == bssid }
        if entries[id]?.bssids.isEmpty == true, remove(id) { lost.append(id) }
      }
    }
    guard scan.isComplete else { return lost.sorted() }
    let covered = scan.frequenciesKHz.map(Set.init)
    for id in entries.keys.sorted() {
      guard var entry = entries[id], covered.map({ covered in entry.frequenciesKHz.allSatisfy(covered.contains) }) ?? true
      else { continue }
      let since = entry.since ?? scan.start
      entry.since = since
      entry.missedScans += 1
      entries[id] = entry
      if entry.missedScans >= rule.missedScans, scan.end - since > rule.silence, remove(id) { lost.append(id) }
    }
    return lost.sorted()
  }
}
