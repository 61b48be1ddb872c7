import Models
public import WiFi

/// What was heard over time, in constant memory: the base of plots.
///
/// Time is divided into ``binCount`` bins at most; where that is not enough, two become one. A signal is the mean of
/// its bin.
public struct AirHistory: Sendable {
  /// The most bins that time is divided into.
  public static let binCount = 240
  /// The most access points that are kept; others count among the networks of their bins alone.
  package static let accessPointLimit = 8192
  /// The most access points that are counted of those that are not kept.
  static let leftOutLimit = 65_536

  /// What was heard in one bin.
  package struct Bin: Hashable, Sendable {
    /// The scans that ended in it.
    package var scanCount = 0
    /// The most networks that were there after one of them.
    package var networkCount = 0
    /// The most access points that one of them heard.
    package var accessPointCount = 0
  }

  /// One access point over time.
  public struct Series: Sendable {
    /// The address.
    public var bssid: MACAddress
    /// What was known of it last.
    public var facts: BSSFacts
    /// How often it was heard.
    package private(set) var heardCount = 0
    /// The weakest and the strongest signal, in 1/100 dBm.
    public private(set) var range: ClosedRange<Int>?
    private var sums: [Int32] = []
    private var counts: [UInt16] = []

    init(_ facts: BSSFacts) { (bssid, self.facts) = (facts.bss.bssid, facts) }

    /// The mean signal of each bin in 1/100 dBm; `nil` where it was not heard.
    public func signals(_ count: Int) -> [Int?] {
      (0..<count).map { $0 < counts.count && counts[$0] > 0 ? Int(sums[$0]) / Int(counts[$0]) : nil }
    }

    /// The number of bins in which it was heard.
    var breadth: Int { counts.count { $0 > 0 } }

    /// The mean of all signals in 1/100 dBm.
    var mean: Int {
      let count = counts.reduce(0) { $0 + Int($1) }
      return count == 0 ? -12_000 : sums.reduce(0) { $0 + Int($1) } / count
    }

    mutating func hear(_ facts: BSSFacts, in bin: Int) {
      self.facts = facts
      heardCount += 1
      guard let signal = facts.bss.signalMBm.map({ min(max(Int($0), -20_000), 5000) }) else { return }
      range = range.map { min($0.lowerBound, signal)...max($0.upperBound, signal) } ?? signal...signal
      while counts.count <= bin {
        sums.append(0)
        counts.append(0)
      }
      guard counts[bin] < .max / 2 else { return }
      sums[bin] += Int32(signal)
      counts[bin] += 1
    }

    mutating func halve() {
      sums = AirHistory.pairs(sums, +)
      counts = AirHistory.pairs(counts, +)
      // Sums and counts keep room for another bin.
      for index in counts.indices where counts[index] >= .max / 2 { (sums[index], counts[index]) = (sums[index] / 2, counts[index] / 2) }
    }
  }

  /// How long a bin is.
  package private(set) var binWidth = Duration.seconds(1)
  /// The bins, from the start of the first scan on.
  package private(set) var bins: [Bin] = []
  /// When the first scan began, where that is known.
  public private(set) var start: UTCTime?
  /// When the last scan ended, counted from the start of the first.
  public private(set) var end = Duration.zero
  /// The number of scans.
  public private(set) var scanCount = 0
  private var heard: [MACAddress: Series] = [:]
  private var leftOut: Set<MACAddress> = []
  /// Whether more are left out than are counted.
  private var leavesOutMore = false

  /// Starts with no scan.
  public init() {}

  /// The number of access points that were kept.
  public var accessPointCount: Int { heard.count }

  /// How many access points were heard and not kept, as a sentence of at most 40 characters; `nil` where all were kept.
  var leftOutWords: String? {
    guard !leftOut.isEmpty else { return nil }
    return leavesOutMore ? "Over \(leftOut.count) access points are left out" : Self.words(leftOut.count, "more", "left out")
  }

  /// Such as `2 more access points are not drawn`.
  static func words(_ count: Int, _ which: String, _ what: String) -> String {
    "\(count) \(which) \(count == 1 ? "access point is" : "access points are") \(what)"
  }

  /// The access points, those first that a plot is about: heard most of the time, then the stronger, then by address.
  public var series: [Series] {
    let half = max(bins.count(where: { $0.scanCount > 0 }) / 2, 1)
    return heard.values.map { ($0.breadth >= half, $0.mean, $0) }
      .sorted { ($0.0 ? 0 : 1, -$0.1, $0.2.bssid) < ($1.0 ? 0 : 1, -$1.1, $1.2.bssid) }.map(\.2)
  }

  /// The networks of everything that was heard, each access point as it was last.
  public var networks: [Network] {
    Network.networks(of: heard.values.sorted { $0.bssid < $1.bssid }.map(\.facts), grouping: .bss)
  }

  /// The bands on which something was heard, and what uses them.
  var occupancies: [ChannelOccupancy] {
    let networks = networks
    return Band.allCases.map { ChannelOccupancy(networks, band: $0) }.filter { !$0.bars.isEmpty }
  }

  /// Processes a scan.
  ///
  /// - Parameters:
  ///   - time: when it ended, counted from the start of the first.
  ///   - utc: when it ended, where that is known.
  ///   - networkCount: the networks that are there after it.
  public mutating func add(_ scan: Scan, time: Duration, utc: UTCTime?, networkCount: Int) {
    if start == nil, let utc { start = utc.advanced(by: .zero - time) }
    scanCount += 1
    end = max(end, time)
    while Self.index(time, binWidth) >= Self.binCount {
      binWidth = binWidth * 2
      halve()
    }
    let bin = Self.index(time, binWidth)
    while bins.count <= bin { bins.append(Bin()) }
    // A kernel lists what it heard up to 30 s before the scan, too.
    let fresh = scan.bss.filter { scan.completion == .cached || scan.lastHeard($0) >= scan.start }
    bins[bin].scanCount += 1
    bins[bin].networkCount = max(bins[bin].networkCount, networkCount)
    bins[bin].accessPointCount = max(bins[bin].accessPointCount, fresh.count)
    for bss in fresh {
      guard heard[bss.bssid] != nil || heard.count < Self.accessPointLimit else {
        leaveOut(bss.bssid)
        continue
      }
      let facts = BSSFacts(bss)
      heard[bss.bssid, default: Series(facts)].hear(facts, in: bin)
    }
  }

  private mutating func leaveOut(_ bssid: MACAddress) {
    if leftOut.count < Self.leftOutLimit {
      leftOut.insert(bssid)
    } else if !leftOut.contains(bssid) {
      leavesOutMore = true
    }
  }

  private static func index(_ time: Duration, _ width: Duration) -> Int {
    Int(max(time.wholeNanoseconds, 0) / max(width.wholeNanoseconds, 1))
  }

  private mutating func halve() {
    bins = Self.pairs(bins) { left, right in
      Bin(
        scanCount: left.scanCount + right.scanCount, networkCount: max(left.networkCount, right.networkCount),
        accessPointCount: max(left.accessPointCount, right.accessPointCount))
    }
    for address in heard.keys.sorted() { heard[address]?.halve() }
  }

  /// Makes one of every two; a last one without another stays.
  private static func pairs<Value>(_ old: [Value], _ joined: (Value, Value) -> Value) -> [Value] {
    stride(from: 0, to: old.count, by: 2).map { $0 + 1 < old.count ? joined(old[$0], old[$0 + 1]) : old[$0] }
  }
}
