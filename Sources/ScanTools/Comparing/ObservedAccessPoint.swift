public import WiFi

/// What the scans of one source heard of one access point.
public struct ObservedAccessPoint: Sendable {
  /// Its address.
  public let bssid: MACAddress
  /// The whole scans that heard it.
  package private(set) var heardScanCount = 0
  /// The scans that were cut short and heard it.
  package private(set) var partialScanCount = 0
  /// How strong it was, one signal a scan.
  public private(set) var signals = SignalHistogram()
  /// Whether it passed the query.
  public private(set) var isWanted = false

  /// From which frame something was learnt; the elements of both may differ.
  public enum Frame: Int, Hashable, Sendable, CaseIterable {
    case beacon, probeResponse
  }

  /// What was announced at one time.
  package struct Announcement: Hashable, Sendable {
    /// The frame that announced it.
    package var frame: Frame
    /// The facts.
    package var facts: AccessPointFacts
    /// The channel.
    package var channel: Channel
  }

  enum Occasion { case freshly, partially, earlier }

  private struct Tally {
    var count: Int
    var last: Int
  }

  private struct Decoded {
    var bss: BSS
    var announcement: Announcement
    var passes: Bool
  }

  private var tallies: [Announcement: Tally] = [:]
  private var decoded: [Frame: Decoded] = [:]
  private var time = 0
  private var earlierSignal: Int32?
  /// The channel on which it was heard last.
  private(set) var frequencyKHz: Int?
  private var channelChangeCount = 0
  /// How often it was heard on another channel in the same scan.
  private(set) var rivalScanCount = 0
  private var wasEarlier = false

  init(_ bssid: MACAddress) { self.bssid = bssid }

  mutating func hear(_ bss: BSS, _ occasion: Occasion, counts: Bool, _ query: BSSQuery) {
    time += 1
    if let frequencyKHz, frequencyKHz != bss.frequencyKHz {
      channelChangeCount += 1
      // What a kernel still lists of the channel that was left is no rival.
      if !counts, occasion != .earlier, !wasEarlier { rivalScanCount += 1 }
    }
    frequencyKHz = bss.frequencyKHz
    wasEarlier = occasion == .earlier
    var passes = false
    if bss.isFromProbeResponse {
      passes = note(bss, .probeResponse, query)
      if let elements = bss.beaconElements {
        var beacon = bss
        beacon.informationElements = elements
        passes = note(beacon, .beacon, query) || passes
      }
    } else {
      passes = note(bss, .beacon, query)
    }
    if passes, query.isStrongEnough(bss) { isWanted = true }
    guard counts else { return }
    switch occasion {
    case .freshly: heardScanCount += 1
    case .partially: partialScanCount += 1
    case .earlier:
      earlierSignal = bss.signalMBm
      return
    }
    if let signal = bss.signalMBm { signals.add(signal) }
  }

  /// Counts what a frame announced; whether it passes the query, its strength left aside.
  private mutating func note(_ bss: BSS, _ frame: Frame, _ query: BSSQuery) -> Bool {
    var known = decoded[frame]
    if known.map({ $0.bss.hasSameContent(as: bss) }) != true {
      let facts = BSSFacts(bss)
      known = Decoded(
        bss: bss, announcement: Announcement(frame: frame, facts: AccessPointFacts(facts), channel: facts.channel),
        passes: query.acceptsAtAnyStrength(facts))
      decoded[frame] = known
    }
    guard let known else { return false }
    tallies[known.announcement] = Tally(count: (tallies[known.announcement]?.count ?? 0) + 1, last: time)
    return known.passes
  }

  /// What a kind of frame announced most often; of what it announced equally often, the latest.
  package func announcement(_ frame: Frame) -> Announcement? {
    tallies.filter { $0.key.frame == frame }.max { ($0.value.count, $0.value.last) < ($1.value.count, $1.value.last) }?.key
  }

  /// What was announced, from the most frequent to the least; of the equally frequent, the latest first.
  ///
  /// What a probe response and a beacon announced at one time is as frequent and as late: the response goes first, for
  /// it says more.
  private var ranked: [Announcement] {
    tallies.sorted {
      ($1.value.count, $1.value.last, $1.key.frame.rawValue) < ($0.value.count, $0.value.last, $0.key.frame.rawValue)
    }.map(\.key)
  }

  /// What was announced of its security, from the most frequent to the least; one announcement for each.
  var securities: [Announcement] {
    var seen: Set<Security> = []
    return ranked.filter { seen.insert($0.facts.security).inserted }
  }

  /// The channels it was heard on, where that was in one scan, or to and fro; else none.
  ///
  /// One move is what access points do; one that goes back as often may be two senders.
  var rivalChannels: [Channel] {
    guard rivalScanCount > 0 || channelChangeCount >= 3 else { return [] }
    var channels: [Channel] = []
    for announcement in ranked where !channels.contains(where: { $0.primaryKHz == announcement.channel.primaryKHz }) {
      channels.append(announcement.channel)
    }
    return channels.sorted { $0.primaryKHz < $1.primaryKHz }
  }

  /// What its beacons announced, or else its probe responses.
  package var announcement: Announcement? { announcement(.beacon) ?? announcement(.probeResponse) }

  /// Its name, or `nil` where no frame says it.
  public var ssid: SSID? { announcement(.probeResponse)?.facts.ssid ?? announcement(.beacon)?.facts.ssid }

  /// The median of its signals in 1/100 dBm.
  package var medianSignalMBm: Int? { signals.medianMBm ?? earlierSignal.map(Int.init) }

  /// The network that it belongs to.
  public var networkID: NetworkID {
    guard let ssid, let family = announcement?.facts.security.family else { return .bss(bssid) }
    return .network(ssid, family)
  }
}

extension BSS {
  /// Whether everything that is decoded is the same; times and strength may differ.
  fileprivate func hasSameContent(as other: BSS) -> Bool {
    frequencyKHz == other.frequencyKHz && capability == other.capability && beaconIntervalTU == other.beaconIntervalTU
      && informationElements == other.informationElements
  }
}
