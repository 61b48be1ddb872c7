import Determinism
import WiFi

/// Measures a simulated world against every figure that was published of real ones.
///
/// - Parameters:
///   - seed: what the samples are drawn with; the verdicts follow from it.
///   - subject: what is measured.
/// - Complexity: a few seconds in a release build.
public func verifyStatistics(seed: UInt64 = 7, of subject: StatisticsSubject = StatisticsSubject()) -> StatisticsReport {
  var rows = pathLossRows(seed, subject) + dwellRows(seed, subject) + surveyRows(seed, subject) + downtimeRows(seed, subject)
  let threshold = 0.001 / Double(rows.count)
  for index in rows.indices { rows[index].agrees = rows[index].pValue >= threshold }
  return StatisticsReport(seed: seed, rows: rows, threshold: threshold, parameters: parameters(subject))
}

extension StatisticsReport.Row {
  /// A row of a test whose statistic is a standard normal number.
  static func normal(_ name: String, published: String, measured: String, source: String, sampleSize: Int, z: Double) -> Self {
    Self(
      name: name, published: published, measured: measured, source: source, sampleSize: sampleSize,
      statistic: "z = \(StatisticsReport.text(z, digits: 2))", pValue: Elementary.twoSided(z))
  }

  /// A row of a share that was counted, against one that was published.
  static func share(_ name: String, published: Double, digits: Int = 1, source: String, count: Int, of total: Int) -> Self {
    let measured = Double(count) / Double(total)
    let deviation = (published * (1 - published) / Double(total)).squareRoot()
    return normal(
      name, published: StatisticsReport.text(100 * published, digits: digits) + " %",
      measured: StatisticsReport.text(100 * measured, digits: digits + 1) + " %", source: source, sampleSize: total,
      z: (measured - published) / deviation)
  }
}

private func parameters(_ subject: StatisticsSubject) -> [String] {
  func decibels(_ milliBels: Int64) -> String { StatisticsReport.text(Double(milliBels) / 100, digits: 1) + " dB" }
  return [
    "loss of a floor \(decibels(Propagation.indoorMixed.perFloor)) (homes) and \(decibels(Propagation.indoorOpen.perFloor)) (offices)",
    "fading over 16 paths with line of sight and 4 without",
    "other losses of frames \(RadioProfile.home.frameLossPermille) in 1000, in a stadium \(RadioProfile.stadium.frameLossPermille)",
    "sensitivity \(StatisticsReport.text(Double(RadioProfile.home.sensitivityMBm) / 100, digits: 0)) dBm",
    "length of a downtime \(subject.downtimes.medianSeconds) s in the median",
    "radar on \(RadioProfile.home.radarPermilleDays) of 1000 days", "number, places and kinds of devices of every profile",
    "strengths of the survey",
  ]
}
