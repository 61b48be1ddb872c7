public import WiFi

/// The channels of a band on which an access point would share the air with least, and why.
///
/// A pure function of what was heard and counted. Candidates have 20 MHz: 1, 6 and 11, which do not overlap, those of
/// 5 GHz, and the preferred scanning channels (PSC) of 6 GHz.
public struct ChannelAdvice: Hashable, Sendable, CustomStringConvertible {
  /// A channel, with the reasons for and against it.
  public struct Choice: Hashable, Sendable, CustomStringConvertible {
    /// The number of the channel.
    public var number: Int
    /// What is lost there, more for more; 0 is a channel of one's own.
    public var cost: Int
    /// How much of the time it was busy, in percent, where the adapter counts that.
    public var busyPercent: Int?
    /// The access points that share it.
    public var accessPointCount: Int
    /// The signal of the strongest of them in 1/100 dBm, where it is known.
    public var strongestMBm: Int?
    /// Those of them whose primary channel is another.
    public var otherChannelCount: Int
    /// Whether radar detection (DFS) delays its use and may end it.
    public var needsRadarDetection: Bool
    /// Whether it is a preferred scanning channel (PSC) of 6 GHz.
    public var isPreferredForScanning: Bool

    /// Such as `busy 5 %`.
    public var reasons: [String] {
      var reasons: [String] = []
      if let busyPercent { reasons.append("busy \(busyPercent) %") }
      let strongest = strongestMBm.map { ", the strongest \($0.wholeDBm) dBm" } ?? ""
      reasons.append(accessPointCount == 0 ? "no access point" : "\(accessPointCount.counted("access point"))\(strongest)")
      if otherChannelCount > 0 { reasons.append("\(otherChannelCount) from other channels") }
      if needsRadarDetection { reasons.append("radar detection (DFS)") }
      if isPreferredForScanning { reasons.append("PSC") }
      return reasons
    }

    /// Such as `36 (busy 5 %, no access point)`.
    public var description: String { "\(number) (\(reasons.joined(separator: ", ")))" }
  }

  /// The band.
  public let band: Band
  /// The candidates, the best first; equally good ones by number.
  public let choices: [Choice]

  /// Compares the channels of a band.
  ///
  /// An access point costs its strength above -100 dBm in dB, by the part of the channel that it covers; a percent of
  /// the time that the channel is busy costs 2, and radar detection, which delays a start and may end the use, 10.
  ///
  /// - Parameters:
  ///   - surveys: how busy channels were; where the adapter counts several of the band, those without a count are left
  ///     out.
  ///   - visited: the frequencies that were scanned; `nil` where that is not known. Nothing is said of others.
  public init(_ networks: [Network], surveys: [Survey] = [], visited: [UInt32]? = nil, band: Band) {
    self.band = band
    let bars = ChannelOccupancy(networks, band: band).bars
    let candidates = Self.candidates(band).compactMap { number in band.frequencyKHz(channel: number).map { (number, $0) } }
      .filter { candidate in visited?.contains { Int($0) == candidate.1 } ?? true }
    let loads = Dictionary(surveys.map { (Int($0.frequencyKHz), ChannelLoad($0, since: nil)) }) { first, _ in first }
    var choices: [Choice] = []
    // A driver that counts the channel in use alone says nothing of the others.
    let areCounted = candidates.count { loads[$0.1] != nil } > 1
    for (number, center) in candidates where !areCounted || loads[center] != nil {
      let busy = loads[center]?.busyPercent
      let sharing = bars.filter { $0.lowKHz < center + 10_000 && center - 10_000 < $0.highKHz }
      var choice = Choice(
        number: number, cost: 2 * (busy ?? 0), busyPercent: busy, accessPointCount: Set(sharing.map(\.bssid)).count,
        strongestMBm: sharing.first?.signalMBm.map { Int($0) },
        otherChannelCount: Set(sharing.filter { $0.primaryKHz != center }.map(\.bssid)).count,
        needsRadarDetection: band == .ghz5 && (52...144).contains(number), isPreferredForScanning: band == .ghz6)
      for bar in sharing {
        let overlap = min(bar.highKHz, center + 10_000) - max(bar.lowKHz, center - 10_000)
        choice.cost += overlap * min(max(Int(bar.signalMBm ?? -8000) / 100 + 100, 1), 70) / 20_000
      }
      if choice.needsRadarDetection { choice.cost += 10 }
      choices.append(choice)
    }
    self.choices = choices.sorted { ($0.cost, $0.number) < ($1.cost, $1.number) }
  }

  private static func candidates(_ band: Band) -> [Int] {
    switch band {
    case .ghz2_4: [1, 6, 11]
    case .ghz5: (9...36).map { 4 * $0 }.filter { !(65...99).contains($0) } + (37...41).map { 4 * $0 + 1 }
    case .ghz6: Array(stride(from: 5, through: 229, by: 16))
    default: []
    }
  }

  /// The best three, such as `2.4GHz: channel 11 (no access point), then 1 (…), 6 (…)`.
  public var description: String {
    let words = choices.prefix(3).map(\.description)
    let others = words.count > 1 ? ", then " + words.dropFirst().joined(separator: ", ") : ""
    return "\(band.rawValue): channel \(words.first ?? "-")\(others)"
  }
}
