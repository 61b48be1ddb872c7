import Determinism
import WiFi

private let source = "Serres survey, 700 points"

/// How many networks can be heard at a place, and how many of them are open.
func surveyRows(_ seed: UInt64, _ subject: StatisticsSubject) -> [StatisticsReport.Row] {
  let places = subject.samples(2000)
  // The shares as they were published; the profile is what is measured.
  let published: [(classes: ClosedRange<Int>, percent: Double)] = [
    (0...0, 3.6), (1...6, 39.1), (7...12, 26.0), (13...18, 17.6), (19...24, 7.9), (25...30, 4.4), (31...Int.max, 1.4),
  ]
  var counts = [Int](repeating: 0, count: published.count)
  var networks = 0
  var open = 0
  var stream = RandomStream(seed: seed, name: "statistics survey")
  var frames: [HeardFrame] = []
  let channels = SimulatedChannel.germany.filter { $0.band == .ghz2_4 }
  for _ in 0..<places {
    let world = RadioWorld(seed: stream.next(), profile: subject.survey)
    frames.removeAll(keepingCapacity: true)
    // Long enough to hear every access point.
    for channel in channels {
      world.hear(Dwell(frequencyKHz: channel.frequencyKHz, start: .seconds(100), end: .seconds(101)), into: &frames)
    }
    frames.sort { $0.bssid < $1.bssid }
    var visible = 0
    var last: MACAddress?
    for frame in frames where frame.bssid != last {
      last = frame.bssid
      visible += 1
      open += frame.capability & 0x10 == 0 ? 1 : 0
    }
    networks += visible
    if let index = published.firstIndex(where: { $0.classes.contains(visible) }) { counts[index] += 1 }
  }
  var statistic = 0.0
  for (count, share) in zip(counts, published) {
    let expected = Double(places) * share.percent / 100
    statistic += (Double(count) - expected) * (Double(count) - expected) / expected
  }
  func text(_ shares: [Double]) -> String { shares.map { StatisticsReport.text($0, digits: 1) }.joined(separator: "/") }
  return [
    StatisticsReport.Row(
      name: "networks a place, 0/1-6/7-12/…", published: text(published.map(\.percent)) + " %",
      measured: text(counts.map { 100 * Double($0) / Double(places) }) + " %", source: source, sampleSize: places,
      statistic: "χ² = \(StatisticsReport.text(statistic, digits: 2)), 6 degrees",
      pValue: Elementary.chiSquaredAbove(statistic, degrees: published.count - 1)),
    .share("open networks", published: 0.09, source: source, count: open, of: networks),
  ]
}
