import ScanTools
import Testing
import WiFi
@testable import StrictFormats

@Suite struct ScanReportTests {
  @Test func `BSSs come strongest first, equally strong by address, those without dBm last`() throws {
    var percent = try makeBSS(1, "a", signalMBm: nil)
    percent.signalUnspecified = 90
    var weaker = try makeBSS(0, "a", signalMBm: nil)
    weaker.signalUnspecified = 20
    let bss = [
      try makeBSS(9, "a", signalMBm: nil), weaker, percent, try makeBSS(5, "a", signalMBm: -7000), try makeBSS(4, "a", signalMBm: -7000),
      try makeBSS(6, "a", signalMBm: -3000), try makeBSS(3, "a", signalMBm: -3500),
    ]
    #expect(ScanReport(makeScan(bss)).facts.map { $0.bss.bssid.value & 0xFF } == [6, 3, 4, 5, 1, 0, 9])
  }

  @Test func `networks come strongest first, equally strong by name and address`() throws {
    let bss = [
      try makeBSS(1, "open and near", signalMBm: -3000), try makeBSS(2, "b far", signalMBm: -9500, capability: 0x11),
      try makeBSS(3, "b near", signalMBm: -4100, capability: 0x11), try makeBSS(4, "a near", signalMBm: -4200, capability: 0x11),
      try makeBSS(6, "", signalMBm: -4000, capability: 0x11), try makeBSS(5, "", signalMBm: -4300, capability: 0x11),
      try makeBSS(7, "b near", signalMBm: -4000, capability: 0x11, [.rsn([.psk])]),
    ]
    let networks = ScanReport(makeScan(bss)).networks
    #expect(
      networks.map { "\($0.ssid) \($0.members[0].bssid.value & 0xFF)" }
        == ["open and near 1", "b near 7", " 6", "b near 3", "a near 4", " 5", "b far 2"])
  }

  @Test func `the order does not depend on the order of the kernel`() throws {
    let scan = try Captures.scan("lab")
    var reversed = scan
    reversed.bss.reverse()
    #expect(ScanReport(scan).json() == ScanReport(reversed).json())
    #expect(ScanReport(scan).csv() == ScanReport(reversed).csv())
    #expect(NetworkTable().lines(of: ScanReport(scan)) == NetworkTable().lines(of: ScanReport(reversed)))
  }

  @Test func `how long ago is counted from the end of the scan`() throws {
    var bss = try makeBSS(1, "a")
    let report = ScanReport(makeScan([bss]))
    #expect(report.lastSeenMs(bss) == 120)
    bss.seenMsAgo = nil
    bss.lastSeenBootTimeNs = 998_750_000_000
    #expect(report.lastSeenMs(bss) == 1250)
    bss.lastSeenBootTimeNs = nil
    #expect(report.lastSeenMs(bss) == 0)
  }
}

@Suite struct ChangeReportTests {
  private func network(_ bss: [BSS]) -> Network { ScanReport(makeScan(bss)).networks[0] }

  private func home(
    _ address: UInt64 = 1, _ signalMBm: Int32 = -6000, frequencyMHz: UInt32 = 2437, _ rsn: ElementValue = .rsn([.psk])
  ) throws -> BSS {
    try makeBSS(address, "Home", signalMBm: signalMBm, frequencyMHz: frequencyMHz, capability: 0x11, [rsn])
  }

  @Test func `found and lost are a line with what a user sees`() throws {
    let both = network([try home(1, -6150), try home(2, -7000, frequencyMHz: 5180)])
    let seen = "Home  WPA2-Personal  ▂▄▆·  -61 dBm  2.4GHz/5GHz"
    #expect(ChangeReport(.found(both), at: .milliseconds(12_300)).line == "  +12.300s  found    \(seen)")
    #expect(ChangeReport(.lost(both), at: .milliseconds(5)).line == "   +0.005s  lost     \(seen)")
    let hidden = network([try makeBSS(3, [0, 0, 0], signalMBm: nil)])
    #expect(
      ChangeReport(.found(hidden), at: .seconds(100_000)).line
        == "+100000.000s  found    (hidden 02:00:00:00:00:03)  Open  ····  -  2.4GHz")
  }

  @Test func `a change says what was and what is`() throws {
    let old = network([try home()])
    func line(_ bss: BSS...) -> String? { ChangeReport(.changed(network(bss), from: old), at: .seconds(1)).line }
    let start = "   +1.000s  changed  Home  "
    #expect(line(try home(1, -6100)) == nil)
    #expect(line(try home(1, -9000)) == start + "▂▄▆· → ▂···")
    #expect(line(try home(1, -6000, .rsn([.psk, .sae]))) == start + "WPA2-Personal → WPA2/WPA3-Personal")
    #expect(line(try home(1, -6000, .rsn([.psk], ciphers: [.gcmp256]))) == start + "security details")
    #expect(line(try home(frequencyMHz: 5180)) == start + "2.4GHz → 5GHz, 802.11b → 802.11a")
    #expect(line(try home(2)) == start + "another access point")
    #expect(line(try home(), try home(2, -9000)) == start + "1 → 2 access points")
  }

  @Test func `a change is one object of JSON`() throws {
    let home = network([try makeBSS(1, "Home")])
    let value = try StrictJSON(ChangeReport(.lost(home), at: .milliseconds(1234)).json)
    #expect(value["schema"]?.text == "wifi-harness/change/1")
    #expect(value["event"]?.text == "lost")
    #expect(value["timeMs"] == .number(1234, isInteger: true))
    #expect(value["network"]?["ssid"]?.text == "Home")
  }
}

@Suite struct SteadyBarsTests {
  private func network(_ signalMBm: Int32) throws -> Network {
    ScanReport(makeScan([try makeBSS(1, "Home", signalMBm: signalMBm)])).networks[0]
  }

  @Test func `bars change only where the strength is clearly beyond a limit`() throws {
    var bars = SteadyBars()
    var last = try network(-5300)
    // 55 % and more are three bars: from -67 dBm.
    func line(_ signalMBm: Int32) throws -> String? {
      let new = try network(signalMBm)
      defer { last = new }
      return bars.report(.changed(new, from: last), at: .zero).line
    }
    #expect(bars.report(.found(last), at: .zero).line?.contains("▂▄▆·") == true)
    #expect(try line(-6900) == nil)
    #expect(try line(-6600) == nil)
    #expect(try line(-6900) == nil)
    #expect(try line(-7100) == "   +0.000s  changed  Home  ▂▄▆· → ▂▄··")
    #expect(try line(-6500) == nil)
    #expect(try line(-6300) == "   +0.000s  changed  Home  ▂▄·· → ▂▄▆·")
    // What moves further at once is shown at once.
    #expect(try line(-9900) == "   +0.000s  changed  Home  ▂▄▆· → ····")
    // A change of something else is told as before, without the bars that hold still.
    let open = Network.networks(of: [BSSFacts(try makeBSS(1, "Home", signalMBm: -9800, capability: 0x11))])[0]
    #expect(bars.report(.changed(open, from: last), at: .zero).line == "   +0.000s  changed  Home  Open → WEP")
  }

  @Test func `a network that comes back has the bars of then`() throws {
    var bars = SteadyBars()
    _ = bars.report(.found(try network(-5000)), at: .zero)
    _ = bars.report(.lost(try network(-5000)), at: .zero)
    _ = bars.report(.found(try network(-9000)), at: .zero)
    #expect(bars.report(.changed(try network(-8900), from: try network(-9000)), at: .zero).line == nil)
  }
}
