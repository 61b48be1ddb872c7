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
