import Determinism

/// The Mann–Whitney U test: whether the values of one sample tend to be greater than those of another.
///
/// Mann and Whitney, Annals of Mathematical Statistics 18, 1947.
public enum MannWhitneyTest {
  /// The most values of both samples for which the p-value is exact.
  static let exactLimit = 20

  /// The two-sided p-value, equal values sharing the mean of their ranks; 1 where a sample is empty.
  ///
  /// Exact for at most `exactLimit` values, over all ways of dividing them; else by the normal approximation with
  /// the corrections for ties and for continuity.
  public static func pValue(_ first: SignalHistogram, _ second: SignalHistogram) -> Double {
    let groups = tieGroups(first, second)
    guard first.count > 0, second.count > 0, groups.count > 1 else { return 1 }
    // Ranks are doubled, so that the mean of two is whole.
    let mean = first.count * (first.count + second.count + 1)
    let deviation = (groups.reduce(0) { $0 + $1.inFirst * $1.doubledRank } - mean).magnitude
    if first.count + second.count <= exactLimit { return exact(groups, count: first.count, mean: mean, deviation: Int(deviation)) }
    let (n1, n2) = (Double(first.count), Double(second.count))
    let n = n1 + n2
    let ties = groups.reduce(0.0) { $0 + Double($1.size) * (Double($1.size) * Double($1.size) - 1) }
    let variance = n1 * n2 / 12 * (n + 1 - ties / (n * (n - 1)))
    let distance = max(Double(deviation) / 2 - 0.5, 0)
    return Elementary.twoSided(distance / variance.squareRoot())
  }

  private struct TieGroup {
    var inFirst: Int
    var size: Int
    var doubledRank: Int
  }

  private static func tieGroups(_ first: SignalHistogram, _ second: SignalHistogram) -> [TieGroup] {
    var groups: [TieGroup] = []
    var before = 0
    for value in Set(first.counts.keys).union(second.counts.keys).sorted() {
      let inFirst = first.counts[value] ?? 0
      let size = inFirst + (second.counts[value] ?? 0)
      groups.append(TieGroup(inFirst: inFirst, size: size, doubledRank: 2 * before + size + 1))
      before += size
    }
    return groups
  }

  /// Counts the ways of choosing `count` of all values whose sum of ranks is at least as far from the mean.
  private static func exact(_ groups: [TieGroup], count: Int, mean: Int, deviation: Int) -> Double {
    let total = groups.reduce(0) { $0 + $1.size * $1.doubledRank }
    // ways[chosen][sum of doubled ranks]
    var ways = [[Double]](repeating: [Double](repeating: 0, count: total + 1), count: count + 1)
    ways[0][0] = 1
    for group in groups {
      var next = ways
      var choices = 1.0
      for taken in 1...group.size where taken <= count {
        choices = choices * Double(group.size - taken + 1) / Double(taken)
        let sum = taken * group.doubledRank
        for chosen in 0...(count - taken) {
          for place in 0...(total - sum) where ways[chosen][place] > 0 {
            next[chosen + taken][place + sum] += ways[chosen][place] * choices
          }
        }
      }
      ways = next
    }
    let all = ways[count].reduce(0, +)
    let extreme = ways[count].indices.reduce(0.0) { ($1 - mean).magnitude >= deviation ? $0 + ways[count][$1] : $0 }
    return extreme / all
  }
}

/// Signals, each with how often it was measured.
public struct SignalHistogram: Hashable, Sendable {
  /// How often each was measured, by its strength in 1/100 dBm.
  public private(set) var counts: [Int32: Int] = [:]
  /// How many were measured.
  public private(set) var count = 0

  /// Starts empty.
  public init() {}

  /// Counts signals in 1/100 dBm.
  public init(_ signals: some Sequence<Int32>) { for signal in signals { add(signal) } }

  /// Counts a signal in 1/100 dBm.
  public mutating func add(_ signalMBm: Int32) {
    counts[signalMBm, default: 0] += 1
    count += 1
  }

  /// The median in 1/100 dBm, the mean of the two in the middle of an even number; `nil` where nothing was measured.
  package var medianMBm: Int? {
    guard count > 0 else { return nil }
    var (before, lower): (Int, Int32?) = (0, nil)
    for value in counts.keys.sorted() {
      before += counts[value] ?? 0
      if lower == nil, before > (count - 1) / 2 { lower = value }
      if before > count / 2 { return (Int(lower ?? value) + Int(value)) / 2 }
    }
    return nil
  }
}
