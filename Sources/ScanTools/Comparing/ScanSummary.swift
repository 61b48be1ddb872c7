public import WiFi

/// What the scans of one source heard, access point by access point.
///
/// Takes memory for each access point and each signal that was measured of it, not for each scan.
public struct ScanSummary: Sendable {
  /// What the source is called, such as the name of its file.
  public var name: String
  /// The number of scans.
  public private(set) var scanCount = 0
  /// Those of them that were cut short, and so prove nothing of what they did not hear.
  package private(set) var partialScanCount = 0
  /// When the first scan began, where that is known.
  public private(set) var start: UTCTime?
  /// When the last scan ended, where that is known.
  public private(set) var end: UTCTime?

  private let query: BSSQuery
  private var observed: [MACAddress: ObservedAccessPoint] = [:]
  /// The same by channel, of addresses that were heard on several.
  private var channels: [MACAddress: [Int: ObservedAccessPoint]] = [:]
  private var coverage: [UInt32: Int] = [:]
  private var unlimitedScanCount = 0

  /// Starts without a scan.
  ///
  /// - Parameter query: which access points are wanted: those that pass it at least once.
  public init(name: String, query: BSSQuery = BSSQuery()) {
    self.name = name
    self.query = query
  }

  /// Processes a scan.
  ///
  /// - Parameters:
  ///   - start: when it began.
  ///   - end: when it ended.
  public mutating func add(_ scan: Scan, start: UTCTime? = nil, end: UTCTime? = nil) {
    scanCount += 1
    // A capture may go back in time, where it was put together.
    self.start = [self.start, start].compactMap { $0 }.min()
    self.end = [self.end, end].compactMap { $0 }.max()
    let isPartial = if case .partial = scan.completion { true } else { false }
    if isPartial {
      partialScanCount += 1
    } else if let frequencies = scan.frequenciesKHz {
      for frequency in Set(frequencies) { coverage[frequency, default: 0] += 1 }
    } else {
      unlimitedScanCount += 1
    }
    var counted: Set<MACAddress> = []
    var countedOnChannel: Set<BSSKey> = []
    for bss in scan.bss {
      // A kernel lists what it heard up to 30 s before the scan, too.
      let isFresh = scan.completion == .cached || scan.lastHeard(bss) >= scan.start
      let occasion: ObservedAccessPoint.Occasion = isFresh ? isPartial ? .partially : .freshly : .earlier
      let isFirst = counted.insert(bss.bssid).inserted
      let isFirstOnChannel = countedOnChannel.insert(BSSKey(bss.bssid, primaryKHz: bss.frequencyKHz)).inserted
      if let known = observed[bss.bssid], let frequencyKHz = known.frequencyKHz, frequencyKHz != bss.frequencyKHz,
        channels[bss.bssid] == nil
      {
        // All that was heard so far was on the first channel.
        channels[bss.bssid] = [frequencyKHz: known]
      }
      channels[bss.bssid]?[bss.frequencyKHz, default: ObservedAccessPoint(bss.bssid)].hear(
        bss, occasion, counts: isFirstOnChannel, query)
      observed[bss.bssid, default: ObservedAccessPoint(bss.bssid)].hear(bss, occasion, counts: isFirst, query)
    }
  }

  /// The access points that are wanted, in order of their addresses.
  public var accessPoints: [ObservedAccessPoint] {
    observed.values.filter(\.isWanted).sorted { $0.bssid < $1.bssid }
  }

  /// Every access point, in no order.
  var all: some Collection<ObservedAccessPoint> { observed.values }

  /// An access point, wanted or not.
  ///
  /// - Parameter frequencyKHz: the channel, where only what was heard on that one is asked for.
  public func accessPoint(_ bssid: MACAddress, frequencyKHz: Int? = nil) -> ObservedAccessPoint? {
    guard let frequencyKHz else { return observed[bssid] }
    if let channels = channels[bssid] { return channels[frequencyKHz] }
    return observed[bssid].flatMap { $0.frequencyKHz == frequencyKHz ? $0 : nil }
  }

  /// The channels on which an address was heard, in kHz.
  func frequenciesKHz(of bssid: MACAddress) -> Set<Int> {
    channels[bssid].map { Set($0.keys) } ?? Set([observed[bssid]?.frequencyKHz].compactMap(\.self))
  }

  /// Whether an address was heard on several channels at once, so that there are several senders of it.
  ///
  /// In one scan of several an access point may have moved.
  func hasRivals(_ bssid: MACAddress) -> Bool {
    observed[bssid].map { $0.rivalScanCount >= min(scanCount, 2) && $0.rivalScanCount > 0 } ?? false
  }

  /// How many whole scans visited a channel.
  package func coveringScanCount(frequencyKHz: Int) -> Int {
    unlimitedScanCount + (coverage[UInt32(clamping: frequencyKHz)] ?? 0)
  }
}

/// What the scans of one source heard of one access point.
public struct ObservedAccessPoint: Sendable {
  /// Its address.
  public let bssid: MACAddress
  /// The whole scans that heard it.
  package private(set) var heardScanCount = 0
  /// The scans that were cut short and heard it.
  package private(set) var partialScanCount = 0
  /// The scans that only listed it, because it was heard before they began.
  package private(set) var earlierScanCount = 0
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
  fileprivate private(set) var frequencyKHz: Int?
  private var channelChangeCount = 0
  /// How often it was heard on another channel in the same scan.
  fileprivate private(set) var rivalScanCount = 0
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
      earlierScanCount += 1
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
    var tally = tallies[known.announcement] ?? Tally(count: 0, last: 0)
    tally.count += 1
    tally.last = time
    tallies[known.announcement] = tally
    return known.passes
  }

  /// What a kind of frame announced most often; of what it announced equally often, the latest.
  package func announcement(_ frame: Frame) -> Announcement? {
    tallies.filter { $0.key.frame == frame }.max { ($0.value.count, $0.value.last) < ($1.value.count, $1.value.last) }?.key
  }

  /// What was announced of its security, from the most frequent to the least; one announcement for each.
  var securities: [Announcement] {
    let sorted = tallies.sorted { ($1.value.count, $1.value.last) < ($0.value.count, $0.value.last) }.map(\.key)
    var seen: Set<Security> = []
    return sorted.filter { seen.insert($0.facts.security).inserted }
  }

  /// The channels it was heard on, where that was in one scan, or to and fro; else none.
  ///
  /// One move is what access points do; one that goes back as often may be two senders.
  var rivalChannels: [Channel] {
    guard rivalScanCount > 0 || channelChangeCount >= 3 else { return [] }
    var channels: [Channel] = []
    for announcement in tallies.keys where !channels.contains(where: { $0.primaryKHz == announcement.channel.primaryKHz }) {
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
