import Foundation
import Testing
import WiFi
@testable import ScanTools
@testable import StrictFormats

@Suite struct PlotTests {
  /// A scan that heard each name, at a signal in dBm, at its end.
  private func scan(_ end: Int, _ heard: [(name: String, dBm: Int)], channel: Int = 36) -> Scan {
    let list = heard.enumerated().map { index, network in
      var bss = BSS(
        bssid: MACAddress(0x0200_0000_0000 + UInt64(index)), frequencyMHz: UInt32(5000 + 5 * channel), capability: 1,
        informationElements: [0, UInt8(network.name.utf8.count)] + Array(network.name.utf8))
      bss.signalMBm = Int32(network.dBm * 100)
      bss.lastSeenBootTimeNs = UInt64(end) * 1_000_000_000
      return bss
    }
    return Scan(interface: "wlan0", start: .seconds(end - 2), end: .seconds(end), completion: .complete, bss: list)
  }

  private func history(_ scans: [Scan], start: UTCTime? = UTCTime("2026-11-21 03:57:00")) -> AirHistory {
    var history = AirHistory()
    for scan in scans {
      history.add(scan, time: scan.end, utc: start?.advanced(by: scan.end), networkCount: scan.bss.count)
    }
    return history
  }

  private static let hostile = "<b>\u{202E}&\"'\u{7}\u{1B}[31m"

  @Test func `time is divided anew where it goes on, and nothing is lost`() {
    var history = AirHistory()
    for second in 0..<10_000 {
      history.add(scan(second, [("Home", -50), ("Away", second < 5000 ? -80 : -70)]), time: .seconds(second), utc: nil, networkCount: 2)
    }
    #expect(history.bins.count <= AirHistory.binCount)
    #expect(history.bins.count > AirHistory.binCount / 2)
    #expect(history.bins.reduce(0) { $0 + $1.scanCount } == 10_000)
    #expect(history.bins.allSatisfy { $0.networkCount == 2 && $0.accessPointCount == 2 })
    let series = history.series
    #expect(series.map(\.heardCount) == [10_000, 10_000])
    let signals = series[1].signals(history.bins.count)
    #expect(signals.first == -8000)
    #expect(signals[history.bins.count - 1] == -7000)
    #expect(series[1].range == -8000 ... -7000)
  }

  @Test func `what was heard before a scan is no signal of it`() {
    var late = scan(100, [("Home", -50)])
    late.start = .seconds(99)
    late.bss[0].lastSeenBootTimeNs = 80_000_000_000
    let history = history([scan(10, [("Home", -50)]), late])
    #expect(history.series.map(\.heardCount) == [1])
    #expect(history.bins.map(\.accessPointCount).max() == 1)
  }

  @Test func `an SVG file is well-formed, says what it shows, and hostile names are text`() throws {
    let scans = (0..<40).map { scan($0 * 10 + 10, [("Home", -50 - $0 % 7), (Self.hostile, -61), ("", -88)]) }
    let bytes = SVGPlot(history(scans), name: Self.hostile).bytes
    let text = try #require(String(validating: bytes, as: UTF8.self))
    let document = try StrictXML(text)
    #expect(document.name == "svg")
    #expect(text.contains("40 scans heard 3 access points (3 on 5GHz)"))
    #expect(text.contains("from 2026-11-21 03:57:00 to 2026-11-21 04:03:40 UTC"))
    #expect(!text.contains("<b>"))
    #expect(!text.contains("\u{202E}"))
    #expect(!text.contains("\u{1B}"))
    for forbidden in ["<script", "href", "url(", "@import", "<image"] { #expect(!text.contains(forbidden), "\(forbidden)") }
    #expect(text.contains("prefers-color-scheme:dark"))
    // One line for each access point, and one bar.
    #expect(text.components(separatedBy: "<path class=\"l s").count - 1 == 3)
    #expect(text.components(separatedBy: "<rect class=\"bar\"").count - 1 == 3)
    // The same scans give the same bytes.
    #expect(SVGPlot(history(scans), name: Self.hostile).bytes == bytes)
  }

  @Test func `a bar has dBm in its words only where the signal is known`() {
    var heard = scan(10, [("Home", -50), ("Away", -60)])
    heard.bss[1].signalMBm = nil
    heard.bss[1].signalUnspecified = 70
    let text = String(decoding: SVGPlot(history([heard]), name: "x").bytes, as: UTF8.self)
    #expect(text.contains("<title>Home -50 dBm, 02:00:00:00:00:00, "))
    #expect(text.contains("<title>Away, 02:00:00:00:00:01, "))
  }

  @Test(arguments: [Int64.min, Int64.min + 1, -1, 0, Int64.max - 1, Int64.max] as [Int64], [0, 86_400])
  func `a recording may begin at any time`(nanoseconds: Int64, seconds: Int) throws {
    var history = AirHistory()
    let start = UTCTime(nanoseconds: nanoseconds)
    for end in [0, seconds] {
      let time = Duration.seconds(end)
      history.add(scan(end + 10, [("Home", -50)]), time: time, utc: start.advanced(by: time), networkCount: 1)
    }
    _ = try StrictXML(String(decoding: SVGPlot(history, name: "x").bytes, as: UTF8.self))
  }

  @Test(arguments: [0, 1, 2, 500])
  func `any number of access points fits`(count: Int) throws {
    let names = (0..<count).map { (name: "Network \($0)", dBm: -40 - $0 % 50) }
    let history = history([scan(10, names), scan(20, names)])
    _ = try StrictXML(String(decoding: SVGPlot(history, name: "x").bytes, as: UTF8.self))
    let lines = TextPlot(history, columns: 80).lines
    #expect(lines.count < 50)
    if count > 10 { #expect(lines.contains("\(count - 10) more access points are not drawn")) }
  }

  /// A history of scans that each hear another access point, on the channels of 6 GHz in turn.
  private func history(accessPoints count: Int) -> AirHistory {
    var history = AirHistory()
    for index in 0..<count {
      var bss = BSS(
        bssid: MACAddress(0x0200_0000_0000 + UInt64(index)), frequencyMHz: UInt32(5955 + 20 * (index % 59)), capability: 1,
        informationElements: [0, 1, 0x41])
      bss.signalMBm = -5000
      bss.lastSeenBootTimeNs = 10_000_000_000
      let scan = Scan(interface: "wlan0", start: .seconds(8), end: .seconds(10), completion: .complete, bss: [bss, bss])
      history.add(scan, time: .seconds(10), utc: nil, networkCount: 1)
    }
    return history
  }

  @Test(
    arguments: [
      (0, nil), (1, "1 more access point is left out"), (7, "7 more access points are left out"),
      (AirHistory.leftOutLimit, "65536 more access points are left out"),
      (AirHistory.leftOutLimit + 1, "Over 65536 access points are left out"),
    ] as [(Int, String?)])
  func `access points that are not kept are counted`(count: Int, words: String?) {
    let history = history(accessPoints: AirHistory.accessPointLimit + count)
    #expect(history.accessPointCount == AirHistory.accessPointLimit)
    #expect(history.leftOutWords == words)
    #expect(words?.count ?? 0 <= 40)
  }

  @Test func `a plot says how many access points it leaves out`() {
    let history = history(accessPoints: AirHistory.accessPointLimit + 7)
    let words = "7 more access points are left out"
    #expect(TextPlot(history, columns: 40).lines.last == words)
    let text = String(decoding: SVGPlot(history, name: "x").bytes, as: UTF8.self)
    #expect(text.contains("heard 8192 access points (8192 on 6GHz) and more; at most 1 network was there at once. \(words)."))
    #expect(text.contains(">\(words)</text>"))
  }

  @Test(arguments: [40, 80, 133, 300])
  func `lines are no wider than was asked for`(columns: Int) {
    let wide = "日本語の名前の長いネ"
    let scans = (0..<300).map { scan($0 * 7 + 10, [("Home", -50), (wide, -70), (Self.hostile, -60)]) }
    for line in TextPlot(history(scans), columns: columns).lines {
      // Characters of East Asia take two columns.
      let width = line.unicodeScalars.reduce(0) { $0 + ((0x1100...0xFFEF).contains($1.value) && $1.value > 0x2E80 ? 2 : 1) }
      #expect(width <= columns, "\(line)")
      #expect(!line.unicodeScalars.contains { PrintableText.mustEscape($0) })
    }
  }

  @Test func `a plot in the terminal shows networks, signals and channels`() {
    let scans = (0..<60).map { index in
      scan(index * 10 + 10, [("Home", -50)] + (index < 30 ? [] : [("Away", -90)]))
    }
    let lines = TextPlot(history(scans, start: nil), columns: 80).lines
    #expect(lines[0] == "Networks over time")
    #expect(lines[1].hasPrefix("    2 ┤ "))
    #expect(lines[6].hasPrefix("    0 ┤ █"))
    #expect(lines[7].hasSuffix("10 min"))
    let away = lines.first { $0.hasPrefix("Away") }
    #expect(away?.contains("····") == true)
    #expect(away?.hasSuffix("-90…-90 dBm") == true)
    #expect(lines.contains { $0.hasPrefix(" 5 GHz") && $0.contains("36") })
    #expect(lines.contains { $0.contains("Home -50") })
  }

  @Test func `without a scan there is a sentence`() {
    #expect(TextPlot(AirHistory()).lines == ["There is no scan to draw."])
  }
}
