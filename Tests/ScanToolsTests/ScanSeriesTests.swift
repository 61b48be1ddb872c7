import Testing
import WiFi

@testable import ScanTools

@Suite struct ScanSeriesTests {
  private let began = UTCTime(seconds: 1_700_000_000)

  /// A BSS that was heard at a time since boot.
  private func bss(_ index: UInt64, at seconds: Double, beaconTSF: UInt64? = nil) throws -> BSS {
    var bss = try makeBSS(index, "Net \(index)", signalMBm: -5000 - Int32(index) * 1000)
    bss.seenMsAgo = nil
    bss.lastSeenBootTimeNs = UInt64(seconds * 1e9)
    if let beaconTSF {
      bss.beaconElements = bss.informationElements
      bss.beaconTSFUs = beaconTSF
      bss.isFromProbeResponse = true
    }
    return bss
  }

  private func scan(_ end: Int, _ list: [BSS]) -> Scan {
    var scan = makeScan(list)
    scan.start = .seconds(end - 1)
    scan.end = .seconds(end)
    return scan
  }

  private func written(_ format: ScanSeries.Format, _ scans: [Scan], query: BSSQuery = BSSQuery()) -> [UInt8] {
    var series = ScanSeries(format, query: query, release: "1")
    var bytes: [UInt8] = []
    for (index, scan) in scans.enumerated() { bytes += series.bytes(of: scan, number: index + 1, end: began.advanced(by: scan.end)) }
    return bytes + series.end()
  }

  @Test func `a line is what was heard anew, with its scan and both times`() throws {
    let scans = [
      scan(10, [try bss(1, at: 9.5), try bss(2, at: 9.75)]),
      // The first was not heard again: it is told by the kernel, and not written.
      scan(20, [try bss(1, at: 9.5), try bss(2, at: 19.75)]),
      scan(30, [try bss(1, at: 29.5)]),
    ]
    let lines = String(decoding: written(.csv, scans), as: UTF8.self).split(separator: "\r\n")
    #expect(lines.first?.hasPrefix("scan,time,bootNs,bssid,ssid,") == true)
    #expect(
      lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false).prefix(4).joined(separator: " ") } == [
        "1 2023-11-14T22:13:29.500Z 9500000000 02:00:00:00:00:01", "1 2023-11-14T22:13:29.750Z 9750000000 02:00:00:00:00:02",
        "2 2023-11-14T22:13:39.750Z 19750000000 02:00:00:00:00:02", "3 2023-11-14T22:13:49.500Z 29500000000 02:00:00:00:00:01",
      ])
  }

  @Test func `an answer is written once, however often its beacons are heard`() throws {
    func heard(_ seconds: Double, answer: UInt64, beacon: UInt64) throws -> BSS {
      var bss = try bss(1, at: seconds, beaconTSF: beacon)
      bss.tsfUs = answer
      return bss
    }
    let scans = [
      scan(10, [try heard(9.5, answer: 9_500_000, beacon: 9_300_000)]), scan(20, [try heard(19.5, answer: 9_500_000, beacon: 19_500_000)]),
      scan(30, [try heard(29.5, answer: 29_400_000, beacon: 29_500_000)]),
    ]
    let frames = try Capture(written(.pcapng, scans)).frames.map { frame in
      let isAnswer = try #require(frame.bytes.first) == 0x50
      return "\(isAnswer ? "answer" : "beacon") \((Int64(frame.timestampNs ?? 0) - began.nanoseconds) / 1_000_000)"
    }
    #expect(frames == ["beacon 9300", "answer 9500", "beacon 19500", "answer 29400", "beacon 29500"])
  }

  @Test func `a capture has each frame once, with the time it was heard`() throws {
    let scans = [
      scan(10, [try bss(1, at: 9.5, beaconTSF: 77), try bss(2, at: 9.75)]),
      // A new answer to a probe request, beside the beacon of before.
      scan(20, [try bss(1, at: 19.5, beaconTSF: 77), try bss(2, at: 9.75)]),
    ]
    let capture = try Capture(written(.pcapng, scans))
    let origin = began.nanoseconds
    #expect(capture.frames.map { Int64($0.timestampNs ?? 0) - origin } == [9_500_000_000, 9_500_000_000, 9_750_000_000, 19_500_000_000])
    #expect(capture.complaints.isEmpty)
  }

  @Test func `one address on two channels has a line for each`() throws {
    var twin = try bss(1, at: 9.5)
    twin.frequencyMHz = 2462
    let text = String(decoding: written(.csv, [scan(10, [try bss(1, at: 9.5), twin])]), as: UTF8.self)
    #expect(text.split(separator: "\r\n").count == 3)
  }

  @Test func `the frames of a scan are in the order of their times`() throws {
    // The beacon beside the answer was heard four seconds before it.
    var first = try bss(1, at: 9.75, beaconTSF: 5_750_000)
    first.tsfUs = 9_750_000
    let one = scan(10, [first, try bss(2, at: 9.5), try bss(3, at: 8)])
    let origin = began.nanoseconds
    for bytes in [written(.pcapng, [one]), ScanReport(one, grouping: .bss).pcapng(release: "1", end: began.advanced(by: one.end))] {
      let times = try Capture(bytes).frames.map { Int64($0.timestampNs ?? 0) - origin }
      #expect(times == [5_750_000_000, 8_000_000_000, 9_500_000_000, 9_750_000_000])
    }
  }

  @Test(arguments: ScanSeries.Format.allCases)
  func `no scans are a file of no lines`(_ format: ScanSeries.Format) throws {
    let bytes = written(format, [])
    switch format {
    case .csv: #expect(String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").count == 1)
    case .wigle: #expect(String(decoding: bytes, as: UTF8.self).split(separator: "\n").count == 2)
    case .pcapng: #expect(try Capture(bytes).frames.isEmpty)
    }
  }

  @Test(arguments: ScanSeries.Format.allCases)
  func `one scan is what a report of it is, but for the columns in front`(_ format: ScanSeries.Format) throws {
    let one = scan(10, [try bss(1, at: 9.5), try bss(2, at: 9.75)])
    let report = ScanReport(one, grouping: .bss)
    let end = began.advanced(by: one.end)
    let bytes = written(format, [one])
    switch format {
    case .csv:
      let cut = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map { line in
        line.split(separator: ",", maxSplits: 3, omittingEmptySubsequences: false)[3] + "\r\n"
      }
      #expect(cut.joined() == report.csv())
    case .wigle: #expect(bytes == Array(report.wigleCSV(end: end, release: "1").utf8))
    case .pcapng: #expect(bytes == report.pcapng(release: "1", end: end))
    }
  }

  @Test func `after the machine was started again what is told is new`() throws {
    var series = ScanSeries(.wigle, release: "1")
    let first = series.bytes(of: scan(1000, [try bss(1, at: 999)]), number: 1, end: began)
    let second = series.bytes(of: scan(20, [try bss(1, at: 19)]), number: 2, end: began.advanced(by: .seconds(60)), isRestart: true)
    #expect(String(decoding: first, as: UTF8.self).split(separator: "\n").count == 3)
    #expect(String(decoding: second, as: UTF8.self).split(separator: "\n").count == 1)
  }

  @Test func `only what is asked for is written`() throws {
    let query = BSSQuery(names: [NamePattern("*2")])
    let text = String(decoding: written(.csv, [scan(10, [try bss(1, at: 9), try bss(2, at: 9)])], query: query), as: UTF8.self)
    #expect(text.split(separator: "\r\n").count == 2)
    #expect(text.contains(",Net 2,"))
  }
}
