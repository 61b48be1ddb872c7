import ScanTools
import Testing
import WiFi
@testable import StrictFormats

@Suite struct CommandWordsTests {
  @Test(arguments: [
    ("notify-send found", ["notify-send", "found"]), ("  a\tb\nc ", ["a", "b", "c"]), ("'a b' \"c d\"", ["a b", "c d"]),
    (#"a\ b"#, ["a b"]), (#"'a\b' "a\b" "a\"b" "a\\b""#, [#"a\b"#, #"a\b"#, #"a"b"#, #"a\b"#]), ("a''b \"\" c", ["ab", "", "c"]),
    ("sh -c 'echo $X | cat > y'", ["sh", "-c", "echo $X | cat > y"]), (#"echo \$HOME"#, ["echo", "$HOME"]), ("~/a {b}", ["~/a", "{b}"]),
    ("é '🏳️‍🌈'", ["é", "🏳️‍🌈"]),
  ])
  func `words are divided and quoted`(text: String, words: [String]) throws {
    #expect(try CommandWords(text).words == words)
  }

  @Test(arguments: [
    ("", CommandWords.Failure.noProgram), ("  ", .noProgram), ("'' a", .noProgram), ("a 'b", .openQuote("'")),
    ("a \"b\\", .openQuote("\"")),
    ("a \\", .lastBackslash), ("a | b", .needsShell("|")), ("a > b", .needsShell(">")), ("echo $X", .needsShell("$")),
    ("a; b", .needsShell(";")),
    ("a &", .needsShell("&")), ("a `b`", .needsShell("`")), ("ls *", .needsShell("*")),
  ])
  func `what cannot be divided, or would need a shell, is refused`(text: String, failure: CommandWords.Failure) {
    #expect(throws: failure) { try CommandWords(text) }
  }
}

@Suite struct ChangeEventTests {
  func network(_ bss: [BSS]) throws -> Network {
    try #require(Network.networks(of: bss.map { BSSFacts($0) }).first)
  }

  @Test func `a change says which fields differ and what they were`() throws {
    let old = try network([try makeBSS(1, "Home", signalMBm: -5000, [.rsn([.psk])])])
    let new = try network([
      try makeBSS(1, "Home", signalMBm: -7250, [.rsn([.psk], protection: 0x80)]),
      try makeBSS(2, "Home", signalMBm: -8000, frequencyMHz: 5180, [.rsn([.psk])]),
    ])
    var report = ChangeReport(.changed(new, from: old), at: .seconds(1))
    report.utc = UTCTime("2026-11-22 10:00:00")
    #expect(report.changes.map { "\($0.field)" } == ["security", "signalDBm", "bars", "bands", "channels", "bssids"])
    let json = try StrictJSON(report.json)
    #expect(try JSONSchema(file: "change-1.json").violations(of: json) == [])
    #expect(String(decoding: report.json, as: UTF8.self).contains(#""time":"2026-11-22T10:00:00.000Z""#))
    #expect(
      String(decoding: report.json, as: UTF8.self).contains(
        #"{"field":"signalDBm","before":-50,"after":-72.5},{"field":"bars","before":4,"after":2}"#))
    #expect(report.changes.first?.after == .text("WPA2-Personal (PSK, CCMP-128, PMF optional)"))
    // Which of several is the strongest is no change.
    let swapped = try network([
      try makeBSS(1, "Home", signalMBm: -8000, [.rsn([.psk])]),
      try makeBSS(2, "Home", signalMBm: -7250, frequencyMHz: 5180, [.rsn([.psk])]),
    ])
    let report2 = ChangeReport(.changed(swapped, from: new), at: .zero)
    #expect(!report2.changes.contains { [.bssids, .channels, .bands].contains($0.field) })
  }

  @Test func `a network under the name of another with other security is told as a change of security`() throws {
    var history = SecurityHistory()
    let secured = try network([try makeBSS(1, "Home", [.rsn([.psk])])])
    let open = try network([try makeBSS(2, "Home")])
    #expect(history.earlier(.found(secured)) == nil)
    var report = ChangeReport(.found(open), at: .zero)
    report.earlierSecurity = history.earlier(.found(open))
    #expect(report.changes == [NetworkFieldChange(field: .security, before: .text("WPA2-Personal"), after: .text("Open"))])
    #expect(EventFilter.security.accepts(report) && !EventFilter.lost.accepts(report))
    #expect(try JSONSchema(file: "change-1.json").violations(of: StrictJSON(report.json)) == [])
    // The same again, and a loss, are none.
    #expect(history.earlier(.found(open)) == nil && history.earlier(.lost(secured)) == nil)
    let hidden = try network([try makeBSS(3, "")])
    #expect(history.earlier(.found(hidden)) == nil)
  }

  @Test func `events are chosen by what happened`() throws {
    let old = try network([try makeBSS(1, "Home", signalMBm: -5000)])
    let weaker = try network([try makeBSS(1, "Home", signalMBm: -5100)])
    let far = try network([try makeBSS(1, "Home", signalMBm: -8000)])
    let all: EventFilter = [.found, .lost, .changed, .security]
    #expect(all.accepts(ChangeReport(.found(old), at: .zero)) && all.accepts(ChangeReport(.lost(old), at: .zero)))
    #expect(all.accepts(ChangeReport(.changed(far, from: old), at: .zero)))
    // A user would not see it.
    #expect(!all.accepts(ChangeReport(.changed(weaker, from: old), at: .zero)))
    #expect(!EventFilter.found.accepts(ChangeReport(.lost(old), at: .zero)))
  }

  @Test func `the environment is text without a control character, whatever the name`() throws {
    for name: [UInt8] in [[0x1B, 0x00, 0xFF, 0x0A], Array("a=b\"'$(x)".utf8), [], [0, 0], Array("🏳️‍🌈\u{202E}".utf8)] {
      let report = ChangeReport(.found(try network([try makeBSS(1, name)])), at: .zero)
      let environment = report.environment
      #expect(Set(environment.map(\.name)).count == environment.count && environment.allSatisfy { $0.name.hasPrefix("WIFI_HARNESS_") })
      #expect(!environment.contains { $0.value.unicodeScalars.contains(where: PrintableText.mustEscape) })
      let hex = environment.first { $0.name == "WIFI_HARNESS_SSID_HEX" }?.value
      #expect(hex == (name.allSatisfy { $0 == 0 } ? "" : Hex.string(name)))
    }
  }

  @Test func `no time is negative where a scan ends before it began, or before it was heard`() throws {
    var bss = try makeBSS(1, "Home")
    (bss.seenMsAgo, bss.lastSeenBootTimeNs) = (nil, 999_000_000_000)
    let scan = Scan(interface: "wlan0", start: .seconds(900), end: .seconds(890), completion: .complete, bss: [bss])
    let count = ScanCount(number: 1, scan: scan, time: .zero, utc: nil, networkCount: 1, changes: [])
    #expect(try StrictJSON(count.json)["durationMs"] == .number(0, isInteger: true))
    #expect(ScanReport(scan).lastSeenMs(bss) == 0)
  }

  @Test func `the line of a scan counts, and keeps its schema`() throws {
    let network = try network([try makeBSS(1, "Home")])
    var scan = makeScan([try makeBSS(1, "Home")])
    scan.frequenciesKHz = [2_412_000]
    let count = ScanCount(
      number: 3, scan: scan, time: .seconds(9), utc: nil, networkCount: 2, changes: [.found(network), .lost(network), .lost(network)])
    #expect(try JSONSchema(file: "scan-count-1.json").violations(of: StrictJSON(count.json)) == [])
    #expect(
      String(decoding: count.json, as: UTF8.self)
        == #"{"schema":"wifi-harness/scan-count/1","timeMs":9000,"event":"scan","scan":3,"interface":"wlan0","complete":true,"durationMs":3000,"#
        + #""channels":1,"bss":1,"networks":2,"found":1,"changed":0,"lost":2}"#)
  }
}
