import Terminal
import Testing
import WiFi

@testable import ScanTools

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("日本", 4), ("ﾊﾝｶｸ", 4), ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
    ("🌈", 2), ("👍🏽", 2), ("🇩🇪", 2), ("☀", 1), ("☀\u{FE0F}", 2), ("🌡", 1), ("🌡\u{FE0F}", 2), ("⌚", 2), ("\u{301}", 0), ("，", 2),
    ("🈁", 2), ("𠀀", 2), ("▂▄▆█", 4), ("…", 1),
  ])
  func `columns are those of a terminal`(text: String, columns: Int) {
    #expect(DisplayWidth.columns(text) == columns)
  }

  @Test(arguments: [
    ("ab", 4, "ab  "), ("abcd", 4, "abcd"), ("abcde", 4, "abc…"), ("日本語", 4, "日… "), ("日本語", 5, "日本…"), ("日本", 4, "日本"),
    ("a日", 2, "a…"), ("日本", 2, "… "), ("abc", 1, "…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
  ])
  func `text is filled or cut to a width`(text: String, width: Int, fitted: String) {
    #expect(DisplayWidth.fit(text, to: width) == fitted)
    #expect(DisplayWidth.columns(DisplayWidth.fit(text, to: width)) == width)
  }

  @Test func `numbers are filled in front`() {
    #expect(DisplayWidth.fit("7", to: 3, alignRight: true) == "  7")
  }
}

@Suite struct NetworkTableTests {
  private func report() throws -> ScanReport {
    ScanReport(
      makeScan([
        try makeBSS(1, "日本のカフェ", signalMBm: -4000, capability: 0x11, [.rsn([.sae], protection: 0xC0)]),
        try makeBSS(2, "🌈 Blob", signalMBm: -6000),
        try makeBSS(3, "", signalMBm: -8000, frequencyMHz: 5180),
        try makeBSS(4, "Home", signalMBm: -7025, capability: 0x11, [.rsn([.psk])]),
        try makeBSS(5, "Home", signalMBm: -9000, frequencyMHz: 5180, capability: 0x11, [.rsn([.psk])]),
        try makeBSS(6, "\u{1B}[31mred\u{7}", signalMBm: -9900, capability: 0x11),
      ]))
  }

  @Test func `columns stand below each other, whatever is in them`() throws {
    let lines = NetworkTable().lines(of: try report())
    #expect(
      lines == [
        "NETWORK          SIGNAL         CH  BAND   MHZ  WI-FI    SECURITY          AGE  APS  BSSID",
        "日本のカフェ     ▂▄▆█  -40 dBm   6  2.4     20  802.11b  WPA3-Personal  120 ms    1  02:00:00:00:00:01",
        "🌈 Blob          ▂▄▆·  -60 dBm   6  2.4     20  802.11b  Open           120 ms    1  02:00:00:00:00:02",
        "Home             ▂▄··  -70 dBm   6  2.4/5   20  802.11b  WPA2-Personal  120 ms    2  02:00:00:00:00:04",
        "(hidden)         ▂▄··  -80 dBm  36  5       20  802.11a  Open           120 ms    1  02:00:00:00:00:03",
        "\\x1b[31mred\\x07  ····  -99 dBm   6  2.4     20  802.11b  WEP            120 ms    1  02:00:00:00:00:06",
      ])
  }

  @Test func `by BSS one address on two channels is two rows, each with its own facts`() throws {
    var later = try makeBSS(1, "Home", signalMBm: -6000, frequencyMHz: 2462)
    later.seenMsAgo = 5000
    let report = ScanReport(makeScan([try makeBSS(1, "Home"), later]), grouping: .bss)
    #expect(
      NetworkTable(columns: [.channel, .signal, .age, .bssid]).lines(of: report).dropFirst() == [
        " 6  ▂▄▆█  -50 dBm  120 ms  02:00:00:00:00:01", "11  ▂▄▆·  -60 dBm     5 s  02:00:00:00:00:01",
      ])
    #expect(ScanReport(report.scan, grouping: .bss, order: .age).networks.map { $0.members.map(\.channel.number) } == [[6], [11]])
  }

  @Test func `an access point that changed its name is listed under both, each with its own age`() throws {
    var old = try makeBSS(1, "Old")
    old.seenMsAgo = 18_000
    var new = try makeBSS(1, "New")
    new.seenMsAgo = 4000
    let report = ScanReport(makeScan([old, new]), order: .age)
    #expect(NetworkTable(columns: [.name, .age]).lines(of: report).dropFirst() == ["New       4 s", "Old      18 s"])
  }

  @Test func `by BSS each is a row of its own`() throws {
    let scan = try report().scan
    let lines = NetworkTable().lines(of: ScanReport(scan, grouping: .bss))
    #expect(lines.count == 7)
    #expect(lines.count { $0.hasPrefix("Home ") } == 2)
    #expect(!lines[0].contains("APS"))
  }

  @Test func `a narrow table of BSSs keeps their addresses`() throws {
    let lines = NetworkTable(width: 80).lines(of: ScanReport(try report().scan, grouping: .bss))
    #expect(lines[0].hasSuffix("  BSSID"))
    #expect(lines.dropFirst().allSatisfy { $0.contains("  02:00:00:00:00:0") })
    #expect(lines.allSatisfy { DisplayWidth.columns($0) <= 80 })
  }

  @Test func `columns that are named come in their order, and none else`() throws {
    let table = NetworkTable(width: 30, columns: [.bssid, .aps])
    #expect(
      table.lines(of: try report()).prefix(2) == ["BSSID              APS", "02:00:00:00:00:01    1"])
  }

  @Test(arguments: [20, 40, 60, 79, 80, 100, 120])
  func `no line is wider than the terminal, and columns go before names are cut`(width: Int) throws {
    let lines = NetworkTable(width: width).lines(of: try report())
    #expect(lines.allSatisfy { DisplayWidth.columns($0) <= width })
    if width >= 80 { #expect(lines[0].contains("SECURITY")) }
    #expect(lines.contains { $0.contains("…") } == (width < 40))
    #expect(lines[0].contains("BSSID") == (width > 100))
  }

  @Test func `a name takes 40 columns of a screen at most, and elsewhere what it has`() throws {
    let name = [UInt8](repeating: 0xFF, count: 32)
    let report = ScanReport(makeScan([try makeBSS(1, name)]))
    #expect(NetworkTable(width: 200).lines(of: report)[1].hasPrefix(String(repeating: "\\xff", count: 9) + "\\xf…  ▂▄▆█"))
    #expect(NetworkTable().lines(of: report)[1].hasPrefix(String(repeating: "\\xff", count: 32) + "  ▂▄▆█"))
  }

  @Test func `the weakest signal that there is has its unit`() throws {
    let report = ScanReport(makeScan([try makeBSS(1, "far", signalMBm: -12800)]))
    #expect(NetworkTable().lines(of: report)[1].contains("-128 dBm  "))
  }

  @Test func `colours come only where they are asked for, and change nothing else`() throws {
    let report = try report()
    let plain = NetworkTable().lines(of: report)
    let coloured = NetworkTable(isColoured: true).lines(of: report)
    #expect(plain.allSatisfy { !$0.contains("\u{1B}") })
    #expect(coloured[1].hasPrefix("\u{1B}[1m日本のカフェ   \u{1B}[0m  \u{1B}[32m▂▄▆█  -40 dBm\u{1B}[0m   6"))
    for (line, expected) in zip(coloured, plain) {
      let withoutColour = line.replacing(/\u{1B}\[[0-9]*m/, with: "")
      #expect(withoutColour == expected)
    }
  }

  @Test(arguments: [(-1, "0 ms"), (0, "0 ms"), (999, "999 ms"), (1000, "1 s"), (59_999, "59 s"), (60_000, "1 min"), (7_200_000, "120 min")])
  func `ages have the largest unit that fits`(milliseconds: Int, text: String) {
    #expect(NetworkTable.age(milliseconds) == text)
  }

  @Test(arguments: [(0, "····"), (1, "▂···"), (4, "▂▄▆█")])
  func `bars are lit from the first`(count: Int, text: String) { #expect(SignalMarks.bars(count) == text) }

  @Test func `a driver without dBm shows percent`() throws {
    var bss = try makeBSS(1, "x", signalMBm: nil)
    bss.signalUnspecified = 70
    #expect(NetworkTable().lines(of: ScanReport(makeScan([bss])))[1].contains("▂▄▆·     70 %"))
  }
}
