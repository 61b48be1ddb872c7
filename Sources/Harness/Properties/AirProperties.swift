import Determinism
import Models
import WiFi

/// Properties of networks beside what scans heard.
enum AirProperties {
  /// Nothing is listed of which no BSS was ever heard.
  static var onlyWhatWasOnTheAir: SettingsProperty {
    SettingsProperty("nothing is listed that was never on the air") { moment -> String? in
      guard moment.listHasChanged else { return nil }
      var networks = moment.networks[...]
      for row in moment.rows {
        // Both stand in one order, unless something is wrong.
        networks = networks.drop { $0.id != row.id }
        if networks.isEmpty { networks = moment.networks.drop { $0.id != row.id } }
        guard let network = networks.popFirst() else { return "“\(row)” is listed and not found" }
        if let member = network.members.first(where: { !moment.log.heard.contains($0.bssid) }) {
          return "“\(row)” has the BSS \(member.bssid), which was never heard"
        }
      }
      return nil
    }
  }

  /// A sheet or page says that its network is lost while, and only while, it is.
  static var sheetKnowsItsNetwork: SettingsProperty {
    SettingsProperty("a sheet knows whether its network is there") { moment -> String? in
      guard let id = moment.state.destinationID else { return nil }
      let isThere = moment.model.foundNetworks[id] != nil
      if moment.state.isLost == isThere {
        let name = moment.state.destinationNetwork ?? ""
        return "\(name) is \(isThere ? "there" : "lost"), and its \(moment.state.destination) says otherwise"
      }
      return nil
    }
  }

  /// The selected network is out of range while, and only while, it is not found.
  static var selectedKnowsWhetherItIsThere: SettingsProperty {
    SettingsProperty("the selected network knows whether it is there") { moment -> String? in
      guard let selected = moment.state.selectedID else {
        return moment.state.isOutOfRange ? "nothing is selected, and it is out of range" : nil
      }
      let isThere = moment.model.foundNetworks[selected] != nil
      guard moment.state.isOutOfRange == isThere else { return nil }
      return "\(moment.state.selected ?? "\(selected)") is \(isThere ? "there" : "not there"), and its row says otherwise"
    }
  }

  /// What is listed is what the scans and the rule of loss say, worked out a second time in the plainest way.
  static var foundAndLostByTheRule: SettingsProperty {
    var memory = RuleOfLoss()
    return SettingsProperty("found and lost by the rule") { memory.violation($0) }
  }

  /// What is listed of a BSS follows from its elements, read a second time in the plainest way.
  static var networkIsWhatItSays: SettingsProperty {
    var memory = ElementMemory()
    return SettingsProperty("a network is what its access point says") {
      memory.violation($0)
    }
  }

  /// A scan is complete where the kernel says so, and where nothing goes wrong it is; then the first after Wi-Fi was
  /// switched on takes no longer than another.
  static var scanSaysHowItEnded: SettingsProperty {
    var scans = 0
    var pace = ScanPace()
    return SettingsProperty("a scan says how it ended") { moment -> String? in
      defer { scans = moment.log.scans.count }
      if moment.log.isUndisturbed, let sentence = pace.violation(moment, moment.log.scans[scans...]) { return sentence }
      for index in moment.log.scans.indices.dropFirst(scans) {
        let scan = moment.log.scans[index]
        guard let probed = moment.log.probed[index] else { continue }
        if case .partial(let reason) = scan.completion {
          if moment.log.isUndisturbed { return "nothing went wrong, and a scan is partial (\(reason.rawValue))" }
          if reason == .deadline, let end = probed.end, scan.end - end > .seconds(1) {
            return "a scan counts as too long that had ended, as the kernel said, \(scan.end - end) before"
          }
        } else {
          if probed.wasAborted { return "a scan counts as complete that the kernel aborted" }
          if probed.wasInterrupted { return "a scan counts as complete whose list changed while it was read" }
        }
      }
      return nil
    }
  }
}

/// The time from the end of a scan to the end of the next, where nothing goes wrong: also after Wi-Fi was
/// switched on.
private struct ScanPace {
  private var longest: Duration?
  private var lastEnd: Duration?
  private var onSince: Duration?

  mutating func violation(_ moment: SettingsMoment, _ scans: ArraySlice<Scan>) -> String? {
    if let previous = moment.previous, moment.state.isOn != previous.isOn {
      (onSince, lastEnd) = (moment.state.isOn ? moment.time : nil, nil)
    }
    defer {
      for scan in scans {
        if let lastEnd { longest = max(longest ?? .zero, scan.end - lastEnd) }
        lastEnd = scan.end
      }
    }
    guard let since = onSince, !scans.isEmpty else { return nil }
    onSince = nil
    guard let longest, moment.time - since > longest + .milliseconds(500) else { return nil }
    return "the first scan after Wi-Fi was switched on ended \(moment.time - since) later; others are at most \(longest) apart"
  }
}

/// What is listed is what the scans and the rule of loss say, worked out a second time in the plainest way.
///
/// A BSS is there from the first scan that hears it; it is lost when its source says so, or after three complete scans
/// in a row that covered its channel without it, when it was last heard more than thirty seconds before the end of the
/// last, whichever is later.
private struct RuleOfLoss {
  private var scans = 0
  private var hasBegun = false
  /// What may be there: of several, which is unknown yet.
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
    guard agree.contains(true) else { return possible[0].difference(from: moment.networks, moment.log.scans) }
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
  func difference(from networks: [Network], _ scans: [Scan]) -> String? {
    let listed = Set(networks.flatMap(\.members).map(\.bssid))
    let expected = Set(there.keys)
    func words(_ bssid: MACAddress) -> String {
      let heard = scans.reversed().lazy.compactMap { $0.bss.first { $0.bssid == bssid } }.first
      return heard.map { "“\(BSSFacts($0).ssid)” (\(bssid))" } ?? "\(bssid)"
    }
    if let missing = expected.subtracting(listed).min() { return "\(words(missing)) is not listed, though it is not lost by the rule" }
    return listed.subtracting(expected).min().map { "\(words($0)) is listed, though it is lost by the rule" }
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

/// What is listed of a BSS follows from its elements, read a second time in the plainest way.
///
/// Only what leaves no doubt is asked.
private struct ElementMemory {
  private var scans = 0
  private var seen: [MACAddress: [UInt8]] = [:]
  /// What scans say and the models have not taken in yet.
  private var unread: [MACAddress: [UInt8]] = [:]

  mutating func violation(_ moment: SettingsMoment) -> String? {
    for bss in moment.log.fresh[scans...].joined() { unread[bss.bssid] = bss.informationElements }
    scans = moment.log.scans.count
    // What is listed comes from scans: a network that is as it was, of which they say what they said, was read before.
    if let sentence = read(moment.freshNetworks, moment) { return sentence }
    if unread.isEmpty { return nil }
    unread = unread.filter { seen[$0] != $1 }
    if unread.isEmpty { return nil }
    return read(moment.networks.filter { $0.members.contains { unread[$0.bssid] != nil } }, moment)
  }

  private mutating func read(_ networks: [Network], _ moment: SettingsMoment) -> String? {
    for network in networks {
      for facts in moment.model.foundNetworks.facts(of: network.id) {
        let elements = facts.bss.informationElements
        if seen.updateValue(elements, forKey: facts.bss.bssid) == elements { continue }
        let plain = PlainBSS(facts.bss)
        guard let reading = PlainReading(plain) else { continue }
        if !reading.name.isEmpty, reading.name != facts.ssid.bytes {
          let name = PrintableText.escape(reading.name)
          return "\(facts.bss.bssid) says that it is called “\(name)”, and is listed as “\(facts.ssid)”"
        }
        if let center = plain.centerKHz, facts.channel.width == .mhz40, center != facts.channel.center0KHz {
          return "“\(facts.ssid)” (\(facts.bss.bssid)) is listed at \(facts.channel.center0KHz) kHz; it says \(center)"
        }
        if reading.family != facts.security.family {
          return "“\(facts.ssid)” (\(facts.bss.bssid)) says that it is \(reading.family), and is listed as \(facts.security.family)"
        }
      }
    }
    return nil
  }
}
