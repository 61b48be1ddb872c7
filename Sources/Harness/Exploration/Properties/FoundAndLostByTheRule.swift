import Models
import WiFi

/// What is listed is what the scans and the rule of loss say, worked out a second time in the plainest way.
///
/// A BSS is there from the first scan that hears it; it is lost when its source says so, or after three complete scans in
/// a row that covered its channel without it, when it was last heard more than thirty seconds before the end of the
/// last, whichever is later.
struct FoundAndLostByTheRule: SettingsProperty {
  static let name = "found and lost by the rule"

  private struct Sighting {
    var lastHeard: Duration
    var misses = 0
    var frequencyKHz: UInt32
  }

  private var scans = 0
  private var there: [MACAddress: Sighting] = [:]
  private var hasBegun = false

  mutating func violation(_ moment: SettingsMoment) -> String? {
    if !hasBegun {
      hasBegun = true
      if let scan = moment.log.initialScan { take(scan) }
    }
    let before = there
    let hasNew = moment.log.scans.count > scans
    for scan in moment.log.scans[scans...] { take(scan) }
    scans = moment.log.scans.count
    let sentence = difference(moment)
    // A scan that came while somebody turned Wi-Fi on or off may have come on either side of that.
    let isRace = moment.actions.count > 1 && moment.actions.contains { if case .switchWiFi = $0 { true } else { false } }
    guard sentence != nil, hasNew, isRace else { return sentence }
    there = before
    return difference(moment)
  }

  private func difference(_ moment: SettingsMoment) -> String? {
    let expected = Set(there.keys)
    let found = moment.model.foundNetworks
    var listed: Set<MACAddress> = []
    for id in found.ids {
      for member in found[id]?.network.members ?? [] { listed.insert(member.bssid) }
    }
    if let missing = expected.subtracting(listed).min() { return "\(missing) is not listed, though it is not lost by the rule" }
    if let extra = listed.subtracting(expected).min() { return "\(extra) is listed, though it is lost by the rule" }
    return nil
  }

  private mutating func take(_ scan: Scan) {
    for bss in scan.bss {
      let heard = scan.lastHeard(bss)
      if let known = there[bss.bssid] {
        if heard > known.lastHeard {
          there[bss.bssid] = Sighting(lastHeard: heard, frequencyKHz: UInt32(clamping: bss.frequencyKHz))
        }
      } else if scan.end - heard <= .seconds(30) {
        there[bss.bssid] = Sighting(lastHeard: heard, frequencyKHz: UInt32(clamping: bss.frequencyKHz))
      }
    }
    for bssid in scan.lost { there[bssid] = nil }
    if scan.isComplete {
      for (bssid, sighting) in there where sighting.lastHeard < scan.start {
        if let frequencies = scan.frequenciesKHz, !frequencies.contains(sighting.frequencyKHz) { continue }
        there[bssid]?.misses += 1
      }
    }
    there = there.filter { $0.value.misses < 3 || scan.end - $0.value.lastHeard <= .seconds(30) }
  }
}
