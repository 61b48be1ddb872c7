import Determinism
import Testing

@testable import Simulator

@Suite struct StatisticsTests {
  /// Enough samples to notice what is wrong below, few enough for a debug build.
  static let subject: StatisticsSubject = {
    var subject = StatisticsSubject()
    subject.samplePermille = 100
    return subject
  }()

  @Test func `the simulation agrees with every figure that was published`() {
    let report = verifyStatistics(of: Self.subject)
    #expect(report.passes, "\(report)")
    #expect(report.rows.count == 13)
    #expect(report.rows.allSatisfy { (0...1).contains($0.pValue) && $0.sampleSize >= 100 && !$0.source.isEmpty })
    #expect(report.description.split(separator: "\n").count == 16)
  }

  struct Drift: Sendable, CustomTestStringConvertible {
    var row: String
    var rows: @Sendable (UInt64, StatisticsSubject) -> [StatisticsReport.Row]
    var change: @Sendable (inout StatisticsSubject) -> Void
    var testDescription: String { row }
  }

  /// Subjects that are wrong in one figure, and the row that must notice.
  static let drifts = [
    Drift(row: "shadowing LOS", rows: pathLossRows) { $0.lineOfSight.shadowing = 400 },
    Drift(row: "shadowing NLOS", rows: pathLossRows) { $0.noLineOfSight.shadowing = 600 },
    Drift(row: "path loss LOS, level", rows: pathLossRows) { $0.lineOfSight.constant = 3340 },
    Drift(row: "path loss NLOS, level", rows: pathLossRows) { $0.noLineOfSight.constant = 1330 },
    Drift(row: "path loss LOS, slope", rows: pathLossRows) { $0.lineOfSight.perDecadeOfMetres = 1960 },
    Drift(row: "decorrelation LOS", rows: pathLossRows) { $0.lineOfSight.decorrelationCm = 500 },
    Drift(row: "decorrelation NLOS", rows: pathLossRows) { $0.noLineOfSight.decorrelationCm = 1200 },
    Drift(row: "passive dwell misses, loss 0.3", rows: dwellRows) { $0.passiveDwell = .milliseconds(140) },
    Drift(row: "30 ms hold a beacon", rows: dwellRows) { $0.activeDwell = .milliseconds(36) },
    Drift(row: "networks a place, 0/1-6/7-12/…", rows: surveyRows) {
      $0.survey.populations[0].count = .histogram([.init(0...0, 36), .init(1...6, 200), .init(7...12, 764)])
    },
    Drift(row: "open networks", rows: surveyRows) { $0.survey.populations[0].kinds[0].value.security[0].weight = 140 },
    Drift(row: "downtimes a day, median", rows: downtimeRows) { $0.downtimes.medianPermillePerDay = 200 },
  ]

  @Test(arguments: drifts)
  func `a world that drifts is noticed`(drift: Drift) {
    var subject = Self.subject
    drift.change(&subject)
    let row = drift.rows(7, subject).first { $0.name == drift.row }
    #expect((row?.pValue ?? 1) < 0.001 / 13, "\(String(describing: row))")
  }

  @Test func `p-values are those of tables`() {
    #expect(abs(Elementary.twoSided(1.959_964) - 0.05) < 1e-6)
    #expect(abs(Elementary.twoSided(3.290_527) - 0.001) < 1e-7)
    #expect(abs(Elementary.chiSquaredAbove(12.591_587, degrees: 6) - 0.05) < 1e-6)
    #expect(abs(Elementary.chiSquaredAbove(2.204, degrees: 6) - 0.9) < 1e-3)
    #expect(abs(Elementary.exp(1) - 2.718_281_828_459_045) < 1e-14)
    #expect(abs(Elementary.log(10) - 2.302_585_092_994_046) < 1e-14)
  }
}
