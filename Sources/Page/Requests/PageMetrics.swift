public import Models
import WiFi

/// Figures in the text format of Prometheus (version 0.0.4).
public struct PageMetrics: Hashable, Sendable {
  private var text = ""

  /// The figures of a viewer and of the server.
  public init(_ viewer: Viewer, _ server: PageStatistics) {
    let status = viewer.status
    gauge("wifi_harness_wifi_on", "Whether Wi-Fi is on.", viewer.settings.isOn ? 1 : 0)
    counter("wifi_harness_scans_total", "Scans that ended.", status.count)
    if let duration = status.lastDuration {
      gauge("wifi_harness_scan_duration_seconds", "How long the last scan took.", thousandths: duration.wholeMilliseconds)
    }
    if let end = status.lastEnd {
      gauge("wifi_harness_scan_age_seconds", "How long ago the last scan ended.", thousandths: (viewer.now - end).wholeMilliseconds)
    }
    gauge("wifi_harness_scan_failing", "Whether the source fails.", status.phase == .failing ? 1 : 0)
    let networks = viewer.networks
    gauge("wifi_harness_networks", "Networks that are there.", networks.count)
    header("wifi_harness_signal_dbm", "Signal of an access point.", "gauge")
    for network in networks {
      for member in network.members {
        guard let signal = member.signalMBm else { continue }
        let labels = [
          ("bssid", member.bssid.description), ("ssid", network.ssid.description),
          ("channel", member.channel.number.map(String.init) ?? ""),
          ("band", member.channel.band?.rawValue ?? ""),
        ]
        line("wifi_harness_signal_dbm", labels, Self.decimal(Int(signal) * 10))
      }
    }
    counter("wifi_harness_events_total", "Networks that were found, lost, changed, joined or left.", viewer.events.totalCount)
    gauge("wifi_harness_page_connections", "Connections that are open.", server.connectionCount)
    gauge("wifi_harness_page_streams", "Pages that follow.", server.streamCount)
    counter("wifi_harness_page_requests_total", "Requests that were answered.", server.requestCount)
    counter("wifi_harness_page_refusals_total", "Requests that were refused.", server.refusalCount)
    counter("wifi_harness_page_resyncs_total", "Streams that were given the whole state because they read too slowly.", server.resyncCount)
    counter("wifi_harness_page_dropped_total", "Connections that were dropped as too slow or too many.", server.droppedCount)
  }

  /// The text.
  public var bytes: [UInt8] { Array(text.utf8) }

  private mutating func header(_ name: String, _ help: String, _ type: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  private mutating func gauge(_ name: String, _ help: String, _ value: Int) {
    header(name, help, "gauge")
    line(name, [], "\(value)")
  }

  private mutating func gauge(_ name: String, _ help: String, thousandths value: Int) {
    header(name, help, "gauge")
    line(name, [], Self.decimal(value))
  }

  private mutating func counter(_ name: String, _ help: String, _ value: Int) {
    header(name, help, "counter")
    line(name, [], "\(value)")
  }

  private mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
    text += name
    if !labels.isEmpty { text += "{" + labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",") + "}" }
    text += " \(value)\n"
  }

  private static func decimal(_ thousandths: Int) -> String {
    let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
    let digits = String(rest + 1000).dropFirst()
    return "\(thousandths < 0 ? "-" : "")\(whole)\(rest == 0 ? "" : ".\(digits)")"
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
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
