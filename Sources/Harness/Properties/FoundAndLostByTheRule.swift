import Models
import WiFi

/// What is listed is what the scans and the rule of loss say, worked out a second time in the plainest way.
///
/// A BSS is there from the first scan that hears it; it is lost when its source says so, or after three complete scans in
/// a row that covered its channel without it, when it was last heard more than thirty seconds before the end of the
/// last, whichever is later.
struct FoundAndLostByTheRule: SettingsProperty {
  static let name = "found and lost by the rule"

  private var scans = 0
  private var hasBegun = false
  /// What may be there: of several, nobody can tell yet which.
  private var possible = [Sightings()]
  private static let mostPossible = 8

  mutating func violation(_ moment: SettingsMoment) -> String? {
    if !hasBegun {
      hasBegun = true
      if let scan = moment.log.initialScan { possible[0].take(scan) }
    }
    // A scan that came while the user turned Wi-Fi on or off may have come on either side of that.
    let isRace = moment.actions.count > 1 && moment.actions.contains { if case .switchWiFi = $0 { true } else { false } }
    for scan in moment.log.scans[scans...] {
      let without = isRace ? possible : []
      for place in possible.indices { possible[place].take(scan) }
      possible += without
    }
    scans = moment.log.scans.count
    guard moment.listHasChanged || possible.contains(where: \.isNews) else { return nil }
    let agree = possible.indices.map { possible[$0].isListed(moment.networks) }
    guard agree.contains(true) else { return possible[0].difference(from: moment.networks) }
    for place in agree.indices.reversed() where !agree[place] { possible.remove(at: place) }
    if possible.count > Self.mostPossible { possible.removeSubrange(Self.mostPossible...) }
    return nil
  }
}

/// When each BSS that is there was heard last.
private struct Sightings {
  private struct Sighting {
    var lastHeard: Duration
    var misses = 0
    var frequencyKHz: UInt32
    /// The look at the list that saw it last.
    var look = 0
  }

  private var looks = 0
  private var there: [MACAddress: Sighting] = [:]
  /// Whether a BSS came or went since the list was looked at.
  private(set) var isNews = true

  /// Whether all that is there is listed, and nothing else.
  mutating func isListed(_ networks: [Network]) -> Bool {
    isNews = false
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

  /// What of the list is not as it should be.
  func difference(from networks: [Network]) -> String? {
    let listed = Set(networks.flatMap(\.members).map(\.bssid))
    let expected = Set(there.keys)
    if let missing = expected.subtracting(listed).min() { return "\(missing) is not listed, though it is not lost by the rule" }
    return listed.subtracting(expected).min().map { "\($0) is listed, though it is lost by the rule" }
  }

  mutating func take(_ scan: Scan) {
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
