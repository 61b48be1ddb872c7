import Models
import ScanTools
import Simulator
import Testing
import WiFi

@Suite struct HistoryCSVTests {
  private final class Silent: NetworkSource, NetworkJoiner {
    func nextScan() async throws -> Scan? { nil }
    func join(_ network: Network, password: String?) async throws(JoinError) { throw .outOfRange }
  }

  @Test func `each signal of each BSS is a line, with names that no spreadsheet runs`() {
    let silent = Silent()
    let viewer = Viewer(WiFiSettingsModel(source: silent, joiner: silent, onIssue: { _ in }))
    let accessPoints = [AccessPoint("=1+1, \"x\"", bssid: 1, channel: 6), AccessPoint("Home", bssid: 2, channel: 11)]
    for (index, signal) in [-50.5, -61].enumerated() {
      let time = Duration.milliseconds(100_250 + 10_000 * index)
      let scan = Scan.hearing(accessPoints.map { $0.bss(signalDBm: signal, heardAt: time) }, at: time)
      viewer.take(scan)
      viewer.settings.apply(scan)
      viewer.update()
    }
    #expect(
      String(decoding: HistoryCSV.bytes(of: viewer), as: UTF8.self).split(separator: "\r\n").map(String.init) == [
        "timeS,bssid,ssid,ssidHex,channel,signalDBm",
        "100.250,02:00:00:00:00:01,\"'=1+1, \"\"x\"\"\",3d312b312c20227822,6,-50.5",
        "110.250,02:00:00:00:00:01,\"'=1+1, \"\"x\"\"\",3d312b312c20227822,6,-61",
        "100.250,02:00:00:00:00:02,Home,486f6d65,11,-50.5", "110.250,02:00:00:00:00:02,Home,486f6d65,11,-61",
      ])
  }
}
