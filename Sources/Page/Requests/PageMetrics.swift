public import Models
import WiFi

/// Figures in the text format of Prometheus (version 0.0.4).
public struct PageMetrics: Hashable, Sendable {
  private var metrics = PrometheusText()

  /// The figures of a viewer and of the server.
  public init(_ viewer: Viewer, _ server: PageStatistics) {
    let status = viewer.status
    metrics.gauge("wifi_harness_wifi_on", "Whether Wi-Fi is on.", viewer.settings.isOn ? 1 : 0)
    metrics.counter("wifi_harness_scans_total", "Scans that ended.", status.count)
    if let duration = status.lastDuration {
      metrics.gauge("wifi_harness_scan_duration_seconds", "How long the last scan took.", thousandths: duration.wholeMilliseconds)
    }
    if let end = status.lastEnd {
      metrics.gauge("wifi_harness_scan_age_seconds", "How long ago the last scan ended.", thousandths: (viewer.now - end).wholeMilliseconds)
    }
    metrics.gauge("wifi_harness_scan_failing", "Whether the source fails.", [.failing, .absent].contains(status.phase) ? 1 : 0)
    metrics.write(viewer.networks)
    metrics.counter("wifi_harness_events_total", "Networks that were found, lost, changed, joined or left.", viewer.events.totalCount)
    metrics.gauge("wifi_harness_page_connections", "Connections that are open.", server.connectionCount)
    metrics.gauge("wifi_harness_page_streams", "Pages that follow.", server.streamCount)
    metrics.counter("wifi_harness_page_requests_total", "Requests that were answered.", server.requestCount)
    metrics.counter("wifi_harness_page_refusals_total", "Requests that were refused.", server.refusalCount)
    metrics.counter(
      "wifi_harness_page_resyncs_total", "Streams that were given the whole state because they read too slowly.", server.resyncCount)
    metrics.counter("wifi_harness_page_dropped_total", "Connections that were dropped as too slow or too many.", server.droppedCount)
  }

  /// The text.
  public var bytes: [UInt8] { metrics.bytes }
}

/// What a server has done.
public struct PageStatistics: Hashable, Sendable {
  /// Connections that are open.
  public var connectionCount = 0
  /// Pages that follow.
  public var streamCount = 0
  /// Requests that were answered, refused ones included.
  public var requestCount = 0
  /// Requests that were refused.
  public var refusalCount = 0
  /// How often a page was given the whole state because it read too slowly.
  public var resyncCount = 0
  /// Connections that were dropped as too slow or too many.
  public var droppedCount = 0

  /// A server that has done nothing yet.
  public init() {}
}
