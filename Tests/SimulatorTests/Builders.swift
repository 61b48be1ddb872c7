import Foundation
import Simulator
import Testing
import WiFi

extension AccessPoint {
  /// An access point for tests; the number makes its address and its name.
  static func test(
    _ number: UInt64, band: Band = .ghz2_4, channel: Int = 6, megahertz: Int = 20, _ generation: Generation = .wifi4,
    _ security: AccessPointSecurity = .wpa2Personal
  ) throws -> AccessPoint {
    AccessPoint(
      bssid: MACAddress(0x0200_0000_1000 | number), ssid: try #require(SSID(Array("Test \(number)".utf8))),
      channel: try #require(Channel(band: band, number: channel, megahertz: megahertz)), generation: generation,
      security: security)
  }
}

/// The messages of a capture in `fixtures/captures`.
func capture(_ name: String) throws -> [NetlinkMessage] {
  let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "fixtures/captures/\(name).nl80211")
  let (messages, error) = NetlinkMessage.messages(in: Array(try Data(contentsOf: url)))
  try #require(error == nil)
  return messages
}
