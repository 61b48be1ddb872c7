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
    /// The look at the list that saw it last.
    var look = 0
  }

  private var scans = 0
  private var there: [MACAddress: Sighting] = [:]
  private var hasBegun = false
  /// Whether a BSS came or went since the list was looked at.
  private var isNews = true
  private var looks = 0

  mutating func violation(_ moment: SettingsMoment) -> String? {
    if !hasBegun {
      hasBegun = true
      if let scan = moment.log.initialScan { take(scan) }
    }
    for scan in moment.log.scans[scans...] { take(scan) }
    scans = moment.log.scans.count
    guard isNews || moment.listHasChanged else { return nil }
    isNews = false
    if isListed(moment.networks) { return nil }
    let listed = Set(moment.networks.flatMap(\.members).map(\.bssid))
    let expected = Set(there.keys)
    if let missing = expected.subtracting(listed).min() { return "\(missing) is not listed, though it is not lost by the rule" }
    return listed.subtracting(expected).min().map { "\($0) is listed, though it is lost by the rule" }
  }

  /// Whether all that is there is listed, and nothing else.
  private mutating func isListed(_ networks: [Network]) -> Bool {
    looks += 1
    var count = 0
    for network in networks {
      for member in network.members {
        guard let place = there.index(forKey: member.bssid) else { return false }
        if there.values[place].look != looks { count += 1 }
        there.values[place].look = looks
      }
    }
    return count == there.count
  }

  private mutating func take(_ scan: Scan) {
    for bss in scan.bss {
      let (bssid, frequencyKHz) = (bss.bssid, UInt32(clamping: bss.frequencyKHz))
      let heard = scan.lastHeard(bss)
      if let index = there.index(forKey: bssid) {
        guard heard > there.values[index].lastHeard else { continue }
        there.values[index] = Sighting(lastHeard: heard, frequencyKHz: frequencyKHz)
      } else if scan.end - heard <= .seconds(30) {
        there[bssid] = Sighting(lastHeard: heard, frequencyKHz: frequencyKHz)
        isNews = true
      }
    }
    for bssid in scan.lost where there.removeValue(forKey: bssid) != nil { isNews = true }
    if scan.isComplete { countMisses(scan) }
    for (bssid, sighting) in there where sighting.misses >= 3 && scan.end - sighting.lastHeard > .seconds(30) {
      there[bssid] = nil
      isNews = true
    }
  }

  private mutating func countMisses(_ scan: Scan) {
    for (bssid, sighting) in there where sighting.lastHeard < scan.start {
      if let frequencies = scan.frequenciesKHz, !frequencies.contains(sighting.frequencyKHz) { continue }
      there[bssid]?.misses += 1
    }
  }
}
