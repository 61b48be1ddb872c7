import Observing
public import WiFi

/// The signal of every BSS over time, in bounded memory, on the time of the scans.
///
/// A sample belongs to a scan: a BSS that a scan did not hear has a gap there, and between two scans nothing is known
/// but the last one. Of each BSS ``capacity`` scans are kept, of BSSs ``maximumCount``: the one that was silent longest
/// goes first. One scan costs time in proportion to the BSSs it heard.
public struct SignalHistory: Hashable, Sendable {
  /// The scans that are kept.
  public let capacity: Int
  /// The BSSs that are kept.
  public let maximumCount: Int

  /// When each scan ended, as time since boot, the oldest first; the first has number ``firstScan``.
  private var times: [Duration] = []
  private var firstScan = 0
  private var tracks: [MACAddress: Track] = [:]

  private struct Sample: Hashable, Sendable {
    var scan: Int32
    var signalMBm: Int16
  }

  private struct Track: Hashable, Sendable {
    var samples: [Sample] = []
    var lastHeard: Duration
  }

  /// One signal at one time.
  public struct Point: Hashable, Sendable {
    /// When the scan ended, as time since boot.
    public var time: Duration
    /// The signal in 1/100 dBm.
    public var signalMBm: Int
  }

  /// Starts with nothing; without other limits it keeps 720 scans, which is two hours of one every 10 s, of 2048 BSSs.
  ///
  /// - Precondition: both limits are positive.
  public init(capacity: Int = 720, maximumCount: Int = 2048) {
    precondition(capacity > 0 && maximumCount > 0, "SignalHistory: capacity \(capacity), maximum \(maximumCount)")
    self.capacity = capacity
    self.maximumCount = maximumCount
  }

  /// When the scans ended that are kept, as time since boot, the oldest first.
  public var scanTimes: [Duration] { times }

  /// The number of BSSs that anything is known of.
  public var count: Int { tracks.count }

  /// The addresses of the BSSs that anything is known of, in order.
  public var addresses: [MACAddress] { tracks.keys.sorted() }

  /// Records what a scan heard; what it only remembers of earlier ones is skipped.
  public mutating func record(_ scan: Scan) {
    // Another boot: times before it mean nothing now.
    if let last = times.last, scan.end < last { self = SignalHistory(capacity: capacity, maximumCount: maximumCount) }
    times.append(scan.end)
    if times.count > 2 * capacity {
      firstScan += times.count - capacity
      times.removeFirst(times.count - capacity)
    }
    let number = Int32(truncatingIfNeeded: firstScan + times.count - 1)
    for bss in scan.bss {
      let heard = scan.lastHeard(bss)
      let signal = Int16(clamping: bss.signalMBm.map(Int.init) ?? Int((bss.connectivity * 6000).rounded()) - 10_000)
      guard var track = tracks.removeValue(forKey: bss.bssid) else {
        tracks[bss.bssid] = Track(samples: [Sample(scan: number, signalMBm: signal)], lastHeard: heard)
        continue
      }
      if track.lastHeard < heard {
        track.lastHeard = heard
        // One BSS may be listed twice, under two names.
        if track.samples.last?.scan == number { track.samples.removeLast() }
        track.samples.append(Sample(scan: number, signalMBm: signal))
        if track.samples.count > 2 * capacity { track.samples.removeFirst(track.samples.count - capacity) }
      }
      tracks[bss.bssid] = track
    }
    if tracks.count > maximumCount { forgetTheSilent() }
  }

  private mutating func forgetTheSilent() {
    let order = tracks.sorted { ($0.value.lastHeard, $0.key) < ($1.value.lastHeard, $1.key) }
    for (address, _) in order.prefix(tracks.count - maximumCount) { tracks[address] = nil }
  }

  /// Every kept signal of a BSS, the oldest first.
  public func points(of address: MACAddress) -> [Point] {
    let oldest = max(firstScan, firstScan + times.count - capacity)
    return (tracks[address]?.samples ?? []).compactMap { sample in
      sample.scan < oldest ? nil : Point(time: times[Int(sample.scan) - firstScan], signalMBm: Int(sample.signalMBm))
    }
  }

  /// The strongest signal of some BSSs in each of `count` equal parts of the time from `start` to `end`, in dBm.
  ///
  /// `nil` where none of them was heard. A part in which no scan ended has the value of the scan before, as long as
  /// that is at most `hold` ago; a part before the first scan has none.
  ///
  /// - Precondition: `end` is after `start`, and `count` is positive.
  public func series(
    of addresses: [MACAddress], from start: Duration, to end: Duration, count: Int, hold: Duration = .seconds(60)
  ) -> [Int?] {
    precondition(end > start && count > 0, "SignalHistory: no \(count) parts from \(start) to \(end)")
    let step = (end - start) / count
    let tracks = addresses.compactMap { self.tracks[$0]?.samples }
    var values: [Int?] = []
    values.reserveCapacity(count)
    // The scans of a part are those whose time lies behind its start and not behind its end.
    var low = index(after: start)
    for part in 0..<count {
      let partEnd = part == count - 1 ? end : start + step * (part + 1)
      let high = index(after: partEnd)
      var scans = low..<high
      if scans.isEmpty, high > 0, partEnd - times[high - 1] <= hold { scans = (high - 1)..<high }
      low = high
      var best: Int?
      for samples in tracks {
        guard let value = Self.strongest(samples, firstScan + scans.lowerBound..<firstScan + scans.upperBound) else { continue }
        best = max(best ?? value, value)
      }
      values.append(best.map { $0.wholeDBm })
    }
    return values
  }

  /// The number of scans that ended at `time` or before.
  private func index(after time: Duration) -> Int { times.partitioningIndex { $0 > time } }

  private static func strongest(_ samples: [Sample], _ scans: Range<Int>) -> Int? {
    guard !scans.isEmpty else { return nil }
    let first = samples.partitioningIndex { Int($0.scan) >= scans.lowerBound }
    return samples[first...].prefix { Int($0.scan) < scans.upperBound }.lazy.map { Int($0.signalMBm) }.max()
  }
}
