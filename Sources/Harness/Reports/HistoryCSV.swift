public import Models
import WiFi

/// The history of a viewer as comma-separated values (RFC 4180): a line for each signal of each BSS.
public enum HistoryCSV {
  /// The bytes of the file, the header line first, in order of address and time.
  ///
  /// Times are seconds since boot, signals dBm. Names are escaped as everywhere; hexadecimal bytes stand beside them.
  public static func bytes(of viewer: Viewer) -> [UInt8] {
    var names: [MACAddress: Network] = [:]
    for event in viewer.events.all { for member in event.network.members { names[member.bssid] = event.network } }
    for network in viewer.networks { for member in network.members { names[member.bssid] = network } }
    var text = "timeS,bssid,ssid,ssidHex,channel,signalDBm\r\n"
    for address in viewer.history.addresses {
      let network = names[address]
      let channel = network?.members.first { $0.bssid == address }?.channel.number
      let name = quoted(network?.ssid.description ?? "")
      let hex = network.map { Hex.string($0.ssid.bytes) } ?? ""
      for point in viewer.history.points(of: address) {
        let milliseconds = point.time.wholeMilliseconds
        let time = "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
        let signal = point.signalMBm.magnitude
        let dBm = "\(point.signalMBm < 0 ? "-" : "")\(signal / 100).\(String(signal % 100 + 100).dropFirst())"
        text += "\(time),\(address),\(name),\(hex),\(channel.map(String.init) ?? ""),\(dBm)\r\n"
      }
    }
    return Array(text.utf8)
  }

  private static func quoted(_ text: String) -> String {
    guard text.contains(where: { $0 == "," || $0 == "\"" }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
