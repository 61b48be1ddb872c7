extension PrometheusText {
  /// Writes the signal of each access point of networks, in order of address and name.
  package mutating func signals(of networks: some Sequence<Network>) {
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
