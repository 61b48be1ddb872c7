import Determinism

/// How often access points are down.
func downtimeRows(_ seed: UInt64, _ subject: StatisticsSubject) -> [StatisticsReport.Row] {
  let count = subject.samples(1000)
  let days: Int64 = 1000
  var stream = RandomStream(seed: seed, name: "statistics downtimes")
  var rates: [Int] = []
  for _ in 0..<count {
    let downtimes = Downtimes(subject.downtimes, key: stream.next())
    rates.append((0..<days).reduce(0) { $0 + downtimes.downs(on: $1).count })
  }
  // The sign test: half of them lie above the median; who lies on it counts as half.
  let median = Int(days) * 11 / 100
  let above = rates.reduce(0.0) { $0 + ($1 > median ? 1 : $1 == median ? 0.5 : 0) }
  rates.sort()
  let measured = Double(rates[count / 2]) / Double(days)
  return [
    .normal(
      "downtimes a day, median", published: "0.11", measured: StatisticsReport.text(measured, digits: 3),
      source: "BISmark (Grover and others, IMC 2013)", sampleSize: count,
      z: (above - Double(count) / 2) / (Double(count) / 4).squareRoot())
  ]
}
