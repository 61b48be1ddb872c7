package import WiFi

/// Figures in the text format of Prometheus, version 0.0.4.
package struct PrometheusText: Hashable, Sendable {
  private var text = ""

  /// Starts with no figure.
  package init() {}

  /// The text.
  package var bytes: [UInt8] { Array(text.utf8) }

  /// Begins a figure that has a line for each set of labels.
  package mutating func header(_ name: String, _ help: String, _ type: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  /// Writes a figure that goes up and down.
  package mutating func gauge(_ name: String, _ help: String, _ value: Int) {
    header(name, help, "gauge")
    line(name, [], "\(value)")
  }

  /// Writes a figure that goes up and down, given in thousandths.
  package mutating func gauge(_ name: String, _ help: String, thousandths value: Int) {
    header(name, help, "gauge")
    line(name, [], thousandths: value)
  }

  /// Writes a figure that only grows.
  package mutating func counter(_ name: String, _ help: String, _ value: Int) {
    header(name, help, "counter")
    line(name, [], "\(value)")
  }

  /// Writes one line of a figure.
  package mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
    text += name
    if !labels.isEmpty { text += "{" + labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",") + "}" }
    text += " \(value)\n"
  }

  /// Writes one line of a figure, given in thousandths.
  package mutating func line(_ name: String, _ labels: [(String, String)], thousandths value: Int) {
    line(name, labels, FixedPlaces.text(units: Int64(value), places: 3, showsAll: value % 1000 != 0))
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}

extension PrometheusText {
  /// Writes how many networks there are, and the signal of each access point, in order of address and name.
  package mutating func write(_ networks: some Collection<Network>) {
    gauge("wifi_harness_networks", "Networks that are there.", networks.count)
    gauge("wifi_harness_access_points", "Access points of these networks.", networks.reduce(0) { $0 + $1.members.count })
    header("wifi_harness_signal_dbm", "Signal of an access point.", "gauge")
    let members = networks.flatMap { network in network.members.map { (ssid: network.ssid.description, member: $0) } }
    for (ssid, member) in members.sorted(by: { ($0.member.bssid, $0.ssid) < ($1.member.bssid, $1.ssid) }) {
      guard let signal = member.signalMBm else { continue }
      let labels = [
        ("bssid", member.bssid.description), ("ssid", ssid), ("channel", member.channel.number.map(String.init) ?? ""),
        ("band", member.channel.band?.rawValue ?? ""),
      ]
      line("wifi_harness_signal_dbm", labels, thousandths: Int(signal) * 10)
    }
  }
}
