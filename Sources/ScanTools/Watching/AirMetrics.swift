import Models
public import WiFi

/// What a watch knows, as figures for Prometheus: the text that the textfile collector of node_exporter reads.
public struct AirMetrics: Hashable, Sendable {
  private var scanCount = 0
  private var partialCount = 0
  private var eventCounts: [NetworkChange.Kind: Int] = [:]
  private var metrics = PrometheusText()

  /// Starts with no scan.
  public init() {}

  /// Processes a scan and what it changed.
  ///
  /// - Parameters:
  ///   - networks: those that are there after it.
  ///   - utc: when it ended, where that is known.
  public mutating func update(_ scan: Scan, changes: [NetworkChange], networks: some Sequence<Network>, utc: UTCTime?) {
    scanCount += 1
    if case .partial = scan.completion { partialCount += 1 }
    for change in changes { eventCounts[change.kind, default: 0] += 1 }
    metrics = PrometheusText()
    metrics.counter("wifi_harness_scans_total", "Scans that ended.", scanCount)
    metrics.counter("wifi_harness_partial_scans_total", "Scans that ended early.", partialCount)
    metrics.gauge(
      "wifi_harness_scan_duration_seconds", "How long the last scan took.", thousandths: (scan.end - scan.start).wholeMilliseconds)
    if let utc {
      metrics.gauge(
        "wifi_harness_scan_end_timestamp_seconds", "When the last scan ended, since 1970.", thousandths: Int(utc.nanoseconds / 1_000_000))
    }
    metrics.write(Array(networks))
    metrics.header("wifi_harness_events_total", "Networks that were found, changed and lost.", "counter")
    for kind in NetworkChange.Kind.allCases {
      metrics.line("wifi_harness_events_total", [("event", kind.rawValue)], "\(eventCounts[kind] ?? 0)")
    }
  }

  /// The text.
  public var bytes: [UInt8] { metrics.bytes }
}
