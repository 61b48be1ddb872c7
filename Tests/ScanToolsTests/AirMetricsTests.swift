import Models
import Testing
import WiFi

@testable import ScanTools

@Suite struct AirMetricsTests {
  @Test func `a watch is told as figures`() throws {
    var metrics = AirMetrics()
    let model = FoundNetworksModel()
    var scan = makeScan([try makeBSS(1, "Ho\"me\\", signalMBm: -5325), try makeBSS(2, "Silent", signalMBm: nil)])
    metrics.update(scan, changes: model.apply(scan).networks, networks: model.all, utc: UTCTime("2026-11-22 10:00:00"))
    scan.completion = .partial(.aborted)
    metrics.update(scan, changes: [], networks: model.all, utc: nil)
    let text = String(decoding: metrics.bytes, as: UTF8.self)
    let values = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    #expect(
      values == [
        "wifi_harness_scans_total 2", "wifi_harness_partial_scans_total 1",
        "wifi_harness_scan_duration_seconds \(Self.seconds(scan.end - scan.start))", "wifi_harness_networks 2",
        "wifi_harness_access_points 2",
        #"wifi_harness_signal_dbm{bssid="02:00:00:00:00:01",ssid="Ho\"me\\\\",channel="6",band="2.4GHz"} -53.250"#,
        #"wifi_harness_events_total{event="found"} 2"#, #"wifi_harness_events_total{event="changed"} 0"#,
        #"wifi_harness_events_total{event="lost"} 0"#,
      ])
    let titles = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
    #expect(Set(titles).count == titles.count)
  }

  private static func seconds(_ duration: Duration) -> String {
    let milliseconds = duration.wholeMilliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(Double(milliseconds) / 1000)"
  }

  @Test func `each scan of a source gets the position at its end`() async throws {
    final class Walk: PositionSource {
      var steps = 0
      func position() async -> Position? {
        steps += 1
        return steps == 2 ? nil : Position(latitudeDegrees: Double(steps), longitudeDegrees: 0)
      }
    }
    let scan = makeScan([])
    let source = PositionedSource(RecordingSource([scan, scan, scan]), positions: Walk())
    var latitudes: [Double?] = []
    while let scan = try await source.nextScan() { latitudes.append(scan.position?.latitudeDegrees) }
    #expect(latitudes == [1, nil, 3])
  }
}
