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

  /// How many whole scans visited the channel of an access point.
  func coveringScanCount(of accessPoint: ObservedAccessPoint?) -> Int {
    unlimitedScanCount + (coverage[UInt32(clamping: accessPoint?.announcement?.channel.primaryKHz ?? 0)] ?? 0)
  }
}
