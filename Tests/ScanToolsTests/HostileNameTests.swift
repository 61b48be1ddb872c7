import Models
import ScanTools
import Testing
import WiFi

@testable import StrictFormats

/// What access points call themselves reaches the terminal only as text.
@Suite struct HostileNameTests {
  /// What a terminal acts on: C0, DEL and C1 (as UTF-8), of which a line end is allowed.
  private func controls(_ text: String, allowing allowed: Set<Unicode.Scalar> = ["\n"]) -> [Unicode.Scalar] {
    // The usual case, plain ASCII, without looking at every scalar.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return [] }
    return text.unicodeScalars.filter {
      ($0.value < 0x20 || (0x7F...0x9F).contains($0.value) || PrintableText.mustEscape($0)) && !allowed.contains($0)
    }
  }

  @Test(arguments: Captures.distinctScans)
  func `no output has a control character but the end of a line`(capture: String) throws {
    for grouping in Grouping.allCases {
      let report = ScanReport(try Captures.scan(capture), grouping: grouping)
      #expect(controls(NetworkTable().lines(of: report).joined(separator: "\n")) == [])
      #expect(controls(NetworkTable(width: 60).lines(of: report).joined(separator: "\n")) == [])
      #expect(controls(report.csv(), allowing: ["\r", "\n"]) == [])
      #expect(controls(report.wigleCSV(end: UTCTime(seconds: 0), release: "")) == [])
      for change in FoundNetworksModel(grouping: grouping).apply(report.scan).networks {
        let line = ChangeReport(change, at: .zero)
        #expect(controls(line.line ?? "") == [])
        #expect(controls(String(decoding: line.json, as: UTF8.self)) == [])
      }
    }
    let report = ScanReport(try Captures.scan(capture))
    for bytes in [report.json(), report.ndjson()] {
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") { #expect(controls(String(line)) == []) }
    }
    #expect(controls(String(decoding: Recording.line(try Captures.scan(capture)), as: UTF8.self)) == [])
  }

  @Test(arguments: Captures.distinctNames)
  func `decoded messages have no control character either`(capture: String) throws {
    for style in [FieldWriter.Style.text, .json] {
      var writer = FieldWriter(style: style)
      let input = try DecodedInput(Captures.bytes(capture), as: .nl80211)
      writer.object { input.describe(into: &$0) }
      #expect(controls(writer.text) == [])
    }
  }

  @Test(arguments: Captures.scans)
  func `every name typed as it is shown is the same name`(capture: String) throws {
    for fact in ScanReport(try Captures.scan(capture)).facts {
      #expect(SSID(typed: fact.ssid.description) == fact.ssid)
      // Programs read the same text from JSON.
      let value = try StrictJSON(Recording.line(makeScan([fact.bss])))
      #expect(SSID(typed: try #require(value["bss"]?.items?.first?["ssid"]?.text)) == fact.ssid)
    }
  }

  @Test func `names of a table typed as they are shown are the same names`() throws {
    let report = ScanReport(try Captures.scan("lab"), grouping: .bss)
    let lines = NetworkTable().lines(of: report).dropFirst()
    #expect(lines.count == report.networks.count)
    for (line, network) in zip(lines, report.networks) where !network.isHidden {
      let name = line.prefix(upTo: try #require(line.firstRange(of: /[▂·]/)).lowerBound)
      let trimmed = name.reversed().drop { $0 == " " }.reversed()
      #expect(SSID(typed: String(trimmed)) == network.ssid)
    }
  }

  @Test func `the captures have the hostile names that this is about`() throws {
    let names = Set(ScanReport(try Captures.scan("lab")).facts.map(\.ssid.description))
    #expect(names.contains("\\x1b[31mred\\x0d\\x0a\\x07\\x1b]0;title\\x07"))
    #expect(names.contains("safe \\xe2\\x80\\xaetxt.exe"))
    #expect(names.contains("\\xff\\xfeA\\xc3(\\xe2\\x82("))
    #expect(names.contains("a\\x00b"))
  }
}
