public import Models
import WiFi

/// The history of a viewer as comma-separated values (RFC 4180): a line for each signal of each BSS.
public enum HistoryCSV {
  /// The header line.
  public static let header = CSV.line(["timeS", "bssid", "ssid", "ssidHex", "channel", "signalDBm"])

  /// The bytes of the file, the header line first, in order of address and time.
  ///
  /// Times are seconds since boot, signals dBm. Names are escaped as everywhere, with their hexadecimal form beside;
  /// one that a spreadsheet would take for a formula begins with an apostrophe.
  public static func bytes(of viewer: Viewer) -> [UInt8] {
    var names: [MACAddress: Network] = [:]
    for event in viewer.events.all { for member in event.network.members { names[member.bssid] = event.network } }
    for network in viewer.networks { for member in network.members { names[member.bssid] = network } }
    var text = header
    for address in viewer.history.addresses {
      let network = names[address]
      let channel = network?.members.first { $0.bssid == address }?.channel.number
      let fixed = [
        address.description, CSV.defused(network?.ssid.description ?? ""), network.map { Hex.string($0.ssid.bytes) } ?? "",
        channel.map(String.init) ?? "",
      ]
      for point in viewer.history.points(of: address) {
        let time = FixedPlaces.text(units: Int64(point.time.wholeMilliseconds), places: 3, showsAll: true)
        text += CSV.line([time] + fixed + [Decimal.hundredths(point.signalMBm)])
      }
    }
    return Array(text.utf8)
  }
}
