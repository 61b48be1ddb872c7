import ScanTools
import Testing
import WiFi
@testable import StrictFormats

@Suite struct TwoSampleTests {
  /// Values of `scipy.stats.fisher_exact`.
  @Test(arguments: [
    (8, 10, 1, 10, 0.005_477_495), (10, 10, 0, 10, 1.082_509e-05), (1, 1, 0, 1, 1), (3, 60, 0, 60, 0.243_697_479),
    (0, 5, 0, 7, 1), (5, 5, 7, 7, 1), (30, 60, 0, 60, 1.393_435e-11),
  ])
  func `Fisher's exact test gives the published values`(a: Int, n: Int, b: Int, m: Int, expected: Double) {
    let pValue = FisherExactTest.pValue((a, n), (b, m))
    #expect((pValue - expected).magnitude <= 1e-5 * expected, "\(pValue)")
    #expect((FisherExactTest.pValue((b, m), (a, n)) - pValue).magnitude <= 1e-9)
  }

  /// The dullest way: every table with these margins.
  @Test func `Fisher's exact test agrees with counting`() {
    func binomial(_ n: Int, _ k: Int) -> Double { (0..<k).reduce(1.0) { $0 * Double(n - $1) / Double($1 + 1) } }
    for (n, m) in [(1, 1), (4, 7), (6, 6), (9, 2)] {
      for a in 0...n {
        for b in 0...m {
          let k = a + b
          let weights = (0...n).map { k - $0 >= 0 && k - $0 <= m ? binomial(n, $0) * binomial(m, k - $0) : 0 }
          let extreme = weights.filter { $0 <= weights[a] * (1 + 1e-9) }.reduce(0, +)
          #expect((FisherExactTest.pValue((a, n), (b, m)) - extreme / weights.reduce(0, +)).magnitude < 1e-12)
        }
      }
    }
  }

  /// Every way of choosing the first sample from all values, by the sum of mean ranks.
  private func counted(_ first: [Int32], _ second: [Int32]) -> Double {
    let all = first + second
    let ranks = all.map { value in Double(all.count { $0 < value }) + Double(all.count { $0 == value } + 1) / 2 }
    let mean = Double(first.count) * Double(all.count + 1) / 2
    let observed = (ranks.prefix(first.count).reduce(0, +) - mean).magnitude
    var (extreme, ways) = (0, 0)
    for mask in 0..<(1 << all.count) where mask.nonzeroBitCount == first.count {
      ways += 1
      let sum = all.indices.reduce(0.0) { mask >> $1 & 1 == 1 ? $0 + ranks[$1] : $0 }
      if (sum - mean).magnitude >= observed - 1e-9 { extreme += 1 }
    }
    return Double(extreme) / Double(ways)
  }

  @Test(
    arguments: [
      ([-50, -51, -52], [-60, -61, -62]), ([-50, -50, -50], [-50, -50, -51]), ([-50], [-60]), ([-50, -60, -70, -70], [-70, -60, -55]),
      ([-50, -50, -50, -50, -50], [-51, -51, -51, -51, -51]), ([-40, -80], [-60, -60, -60, -60]),
    ] as [([Int32], [Int32])])
  func `the U test of few values agrees with counting`(first: [Int32], second: [Int32]) {
    let pValue = MannWhitneyTest.pValue(SignalHistogram(first), SignalHistogram(second))
    #expect((pValue - counted(first, second)).magnitude < 1e-12)
    #expect((MannWhitneyTest.pValue(SignalHistogram(second), SignalHistogram(first)) - pValue).magnitude < 1e-12)
  }

  /// Values of `scipy.stats.mannwhitneyu(method="asymptotic")`.
  @Test func `the U test of many values gives the published values`() {
    let first = SignalHistogram((0..<30).map { Int32(-5000 - $0 % 7 * 100) })
    let second = SignalHistogram((0..<25).map { Int32(-5200 - $0 % 5 * 100) })
    #expect((MannWhitneyTest.pValue(first, second) - 0.033_241_303).magnitude < 0.000_001)
    #expect(MannWhitneyTest.pValue(first, first) == 1)
  }

  @Test func `samples without a value or of one value prove nothing`() {
    #expect(MannWhitneyTest.pValue(SignalHistogram(), SignalHistogram([-50])) == 1)
    #expect(MannWhitneyTest.pValue(SignalHistogram([-50, -50]), SignalHistogram([-50])) == 1)
  }

  @Test(
    arguments: [([], nil), ([-50], -50), ([-50, -61], -55), ([-90, -50, -60], -60), ([-50, -50, -50, -90], -50)] as [([Int32], Int?)])
  func `the median is the middle`(signals: [Int32], median: Int?) {
    #expect(SignalHistogram(signals).medianMBm == median)
  }
}

@Suite struct ScanComparisonTests {
  func summary(_ scans: [[BSS]], frequenciesKHz: [UInt32]? = nil, completion: Scan.Completion = .complete, name: String = "x")
    -> ScanSummary
  {
    var summary = ScanSummary(name: name)
    for bss in scans {
      var scan = makeScan(bss)
      scan.frequenciesKHz = frequenciesKHz
      scan.completion = completion
      summary.add(scan)
    }
    return summary
  }

  func differences(_ before: ScanSummary, _ after: ScanSummary) -> [String] {
    ScanComparison(before, after).differences.map { difference in
      "\(difference.kind) \(difference.ssid?.description ?? "-")" + (difference.doubt.map { " \($0)" } ?? "")
        + difference.changes.map { " \($0.field) \($0.before) → \($0.after)" }.joined()
    }
  }

  func repeated(_ bss: [BSS], _ count: Int = 20) -> [[BSS]] { Array(repeating: bss, count: count) }

  @Test func `what is the same does not differ`() throws {
    let scans = repeated([try makeBSS(1, "Home"), try makeBSS(2, "Café")])
    let comparison = ScanComparison(summary(scans), summary(scans))
    #expect(comparison.differences.isEmpty && !comparison.differs)
    #expect(ComparisonReport(comparison).summary == "No difference in 2 access points.")
  }

  @Test func `an access point of one side is gone or added, and so is its network`() throws {
    let home = [try makeBSS(1, "Home"), try makeBSS(2, "Home", frequencyMHz: 5180)]
    let comparison = ScanComparison(summary(repeated(home)), summary(repeated([home[0], try makeBSS(3, "New")])))
    #expect(
      comparison.differences.map { "\($0.kind) \($0.bssid) \($0.isWholeNetwork)" } == [
        "gone 02:00:00:00:00:02 false", "added 02:00:00:00:00:03 true",
      ])
    #expect(comparison.differs)
  }

  @Test func `two scans are too few to tell that something is gone, and the answer says so`() throws {
    let bss = try makeBSS(1, "Home")
    #expect(differences(summary([[bss]]), summary([[]])) == ["gone Home tooFewScans"])
    #expect(!ScanComparison(summary([[bss]]), summary([[]])).differs)
    #expect(differences(summary(repeated([bss], 12)), summary([[]])) == ["gone Home tooFewScans"])
  }

  @Test func `what is heard now and then is at the edge of hearing, not gone`() throws {
    let edge = try makeBSS(1, "Edge", signalMBm: -9000)
    for heard in [1, 5, 29] {
      let scans = (0..<60).map { $0 < heard ? [edge] : [] }
      #expect(differences(summary(scans), summary(repeated([], 60))) == ["gone Edge seldomHeard"])
      #expect(differences(summary(repeated([], 60)), summary(scans)) == ["added Edge seldomHeard"])
    }
    #expect(differences(summary((0..<60).map { $0 < 30 ? [edge] : [] }), summary(repeated([], 60))) == ["gone Edge"])
  }

  @Test func `a channel that was not visited and a scan that was cut short prove nothing`() throws {
    let bss = [try makeBSS(1, "Home", frequencyMHz: 5180)]
    #expect(
      differences(summary(repeated(bss)), summary(repeated([]), frequenciesKHz: [2_412_000, 2_437_000])) == ["gone Home notCovered"])
    #expect(differences(summary(repeated(bss)), summary(repeated([]), completion: .partial(.aborted))) == ["gone Home notCovered"])
    #expect(differences(summary(repeated(bss)), summary(repeated([]), frequenciesKHz: [5_180_000])) == ["gone Home"])
  }

  @Test func `a twin is told as one replaced by another`() throws {
    let before = repeated([try makeBSS(1, "Home", [.rsn([.sae], protection: 0xC0)])])
    let after = repeated([try makeBSS(9, "Home", frequencyMHz: 2462)])
    let comparison = ScanComparison(summary(before), summary(after))
    let difference = try #require(comparison.differences.first)
    #expect(comparison.differences.count == 1 && difference.kind == .replaced)
    #expect(difference.bssid == MACAddress(0x0200_0000_0001) && difference.successor == MACAddress(0x0200_0000_0009))
    #expect(difference.changes.contains { $0.field == .security && $0.before == "WPA3-Personal" && $0.after == "Open" })
    #expect(difference.changes.contains { $0.field == .channel })
    let apart = ScanComparison(summary(before), summary(after), ignoring: [.replaced])
    #expect(apart.differences.map(\.kind) == [.gone, .added])
    // Another band is another radio.
    let other = repeated([try makeBSS(9, "Home", frequencyMHz: 5180)])
    #expect(differences(summary(before), summary(other)).count == 2)
  }

  @Test func `one that was heard in less than half of the scans is replaced where its successor is there for sure`() throws {
    func heard(_ bss: BSS, _ heard: Int, of count: Int) -> ScanSummary { summary((0..<count).map { $0 < heard ? [bss] : [] }) }
    let (old, new) = (try makeBSS(1, "Home"), try makeBSS(9, "Home"))
    // As in a world where both are at the edge of hearing: the test says so of either, and half of the scans of one alone.
    #expect(differences(heard(old, 32, of: 68), heard(new, 72, of: 137)) == ["replaced Home"])
    #expect(differences(heard(new, 72, of: 137), heard(old, 32, of: 68)) == ["replaced Home"])
    #expect(differences(heard(old, 32, of: 68), heard(new, 66, of: 137)) == ["replaced Home seldomHeard"])
    // What the test does not tell from chance is not replaced.
    #expect(differences(heard(old, 1, of: 60), heard(new, 60, of: 60)) == ["gone Home seldomHeard", "added Home"])
  }

  @Test func `a second sender of an address on another channel is added, and gone again`() throws {
    let home = try makeBSS(1, "Home", frequencyMHz: 2437)
    let twin = try makeBSS(1, "Home", frequencyMHz: 2462)
    let (one, two) = (repeated([home]), repeated([home, twin]))
    let comparison = ScanComparison(summary(one), summary(two))
    #expect(comparison.differences.map { "\($0.kind) \($0.bssid) \($0.frequencyKHz ?? 0)" } == ["added 02:00:00:00:00:01 2462000"])
    #expect(comparison.differs)
    let row = try #require(ComparisonReport(comparison).text.split(separator: "\n").first { $0.hasPrefix("added") })
    #expect(row.contains("in 0 of 20 scans") && row.contains("11 (2.4GHz, 20 MHz)") && row.contains("in 20 of 20 scans"), "\(row)")
    #expect(differences(summary(two), summary(one)) == ["gone Home"])
    #expect(differences(summary(two), summary(two)).isEmpty)
    // One that was there before the second came.
    #expect(differences(summary(one), summary(one + two + two)) == ["added Home"])
  }

  @Test func `a signal is written as in every other list`() throws {
    func scans(_ signal: Int32) throws -> [[BSS]] { try (0..<12).map { [try makeBSS(1, "Home", signalMBm: signal + Int32($0))] } }
    let comparison = ScanComparison(try summary(scans(-3486)), try summary(scans(-4396)))
    let row = try #require(ComparisonReport(comparison).text.split(separator: "\n").first { $0.hasPrefix("signal") })
    #expect(row.contains("-34 dBm") && row.contains("-43 dBm (-9 dB)"), "\(row)")
    var query = BSSQuery()
    query.minimumSignalDBm = -34
    var summary = ScanSummary(name: "a", query: query)
    for _ in 0..<3 { summary.add(makeScan([try makeBSS(1, "Home", signalMBm: -3486), try makeBSS(2, "Far", signalMBm: -3500)])) }
    #expect(summary.accessPoints.map { $0.bssid.value & 0xFF } == [1])
  }

  @Test func `of an address on two channels the table says which signal is meant`() throws {
    func scans(_ low: Int32, _ high: Int32) throws -> ScanSummary {
      summary(
        repeated([
          try makeBSS(1, "Home", signalMBm: low, frequencyMHz: 2437), try makeBSS(1, "Home", signalMBm: high, frequencyMHz: 2462),
        ]))
    }
    let comparison = ScanComparison(try scans(-4000, -5000), try scans(-6000, -7000))
    let rows = ComparisonReport(comparison).text.split(separator: "\n").filter { $0.hasPrefix("signal") }
    #expect(rows.count == 2)
    #expect(rows.first?.contains("6 (2.4GHz, 20 MHz), -40 dBm") == true, "\(rows)")
    #expect(rows.last?.contains("11 (2.4GHz, 20 MHz), -50 dBm") == true, "\(rows)")
  }

  @Test func `one that moves in the middle of a scan has moved`() throws {
    let (here, there) = (try makeBSS(1, "Home", frequencyMHz: 2437), try makeBSS(1, "Home", frequencyMHz: 2462))
    let moved = repeated([here], 3) + [[here, there]] + repeated([there])
    let kinds = ScanComparison(summary(repeated([here])), summary(moved)).differences.map(\.kind)
    #expect(kinds == [.moved])
  }

  @Test func `hidden access points are not twins of each other`() throws {
    let comparison = ScanComparison(summary(repeated([try makeBSS(1, "")])), summary(repeated([try makeBSS(2, "")])))
    #expect(comparison.differences.map(\.kind) == [.gone, .added])
  }

  @Test func `changes of name, channel, security and capabilities are told by fact`() throws {
    let before = try makeBSS(
      1, "Home", [.rsn([.sae], protection: 0xC0), .mobilityDomain(MobilityDomain(mobilityDomainID: 0x1234, ftCapabilityAndPolicy: 0))])
    let after = try makeBSS(1, "Casa", frequencyMHz: 2462, [.rsn([.psk])])
    #expect(
      differences(summary([[before]]), summary([[after]])) == [
        "name Casa ssid Home → Casa", "moved Casa channel 6 (2.4GHz, 20 MHz) → 11 (2.4GHz, 20 MHz)",
        "security Casa security WPA3-Personal → WPA2-Personal pmf required → disabled akms SAE → PSK",
        "capabilities Casa fastTransition domain 0x1234 → no",
      ])
  }

  @Test func `what was announced most often counts`() throws {
    let (usual, odd) = (try makeBSS(1, "Home"), try makeBSS(1, "Home", frequencyMHz: 5180))
    #expect(differences(summary(repeated([usual], 10) + [[odd]]), summary(repeated([usual], 5))) == [])
  }

  @Test func `probe responses are not compared with beacons in what only one of them holds`() throws {
    var response = try makeBSS(1, "Home", [.country(Country(countryString: 0x44_4520, tripletBytes: []))])
    response.isFromProbeResponse = true
    #expect(differences(summary([[response]]), summary([[try makeBSS(1, "Home")]])) == [])
    // A hidden name that a probe response tells is no new name.
    var named = try makeBSS(2, "Secret")
    named.isFromProbeResponse = true
    named.beaconElements = try makeBSS(2, "").informationElements
    #expect(differences(summary([[named]]), summary([[try makeBSS(2, "")]])) == [])
  }

  @Test func `a signal counts where it differs by 3 dB and the test agrees`() throws {
    func scans(_ signals: [Int32]) throws -> [[BSS]] { try signals.map { [try makeBSS(1, "Home", signalMBm: $0)] } }
    let around50 = (0..<30).map { Int32(-5000 - $0 % 3 * 100) }
    #expect(try differences(summary(scans(around50)), summary(scans(around50.map { $0 - 200 }))) == [])
    #expect(try differences(summary(scans(around50)), summary(scans(around50.map { $0 - 300 }))) == ["signal Home"])
    #expect(try differences(summary(scans([-5000])), summary(scans([-6000]))) == ["signal Home tooFewScans"])
    // Medians apart, but the values are all over the place.
    let wild = (0..<10).map { Int32(-4000 - $0 * 400) }
    #expect(try differences(summary(scans(wild)), summary(scans(wild.map { $0 - 300 }))) == [])
  }

  @Test func `what was heard before a scan began is not heard by it`() throws {
    var stale = try makeBSS(1, "Home")
    stale.seenMsAgo = 25_000
    #expect(differences(summary(repeated([try makeBSS(1, "Home")])), summary(repeated([stale]))) == ["gone Home"])
    // A list of one scan is all there is.
    #expect(differences(summary([[try makeBSS(1, "Home")]]), summary([[stale]])) == [])
  }

  @Test func `a filter is passed by access points, not by scans`() throws {
    var before = ScanSummary(name: "a", query: BSSQuery(minimumSignalDBm: -70))
    var after = before
    for _ in 0..<20 {
      before.add(makeScan([try makeBSS(1, "Home", signalMBm: -6900), try makeBSS(2, "Far", signalMBm: -8000)]))
      after.add(makeScan([try makeBSS(1, "Home", signalMBm: -7100)]))
    }
    let comparison = ScanComparison(before, after)
    #expect(comparison.differences.isEmpty && comparison.accessPointCount == 1)
  }

  @Test func `the table escapes names, and the JSON keeps its schema`() throws {
    let schema = try JSONSchema(file: "diff-1.json")
    let hostile: [UInt8] = [0x1B, 0x5B, 0x31, 0x6D, 0x22, 0xFF, 0x0A]
    let before = summary(repeated([try makeBSS(1, hostile), try makeBSS(2, ""), try makeBSS(3, "Home")]), name: "a\u{1B}.ndjson")
    let after = summary(
      repeated([try makeBSS(9, hostile), try makeBSS(3, "Home", signalMBm: -7000, [.rsn([.psk])])]) + [[try makeBSS(5, "x")]], name: "b")
    for report in [ComparisonReport(ScanComparison(before, after)), ComparisonReport(ScanComparison(after, before))] {
      let value = try StrictJSON(report.json())
      #expect(try schema.violations(of: value) == [])
      #expect(try StrictJSON(report.json(pretty: true)) == value)
      #expect(!report.text.unicodeScalars.contains { $0 != "\n" && PrintableText.mustEscape($0) })
      #expect(report.text.contains(#"\x1b[1m""#))
    }
  }
}

@Suite struct SavedScanTests {
  @Test(arguments: Captures.distinctScans)
  func `a scan that was saved as JSON is read again`(name: String) throws {
    let scan = try Captures.scan(name)
    let contents = try Recording.read(ScanReport(scan).json(pretty: scan.bss.count < 10))
    let read = try #require(contents.scans.first)
    #expect(contents.scans.count == 1)
    let (old, new) = (scan.bss.sorted { $0.bssid < $1.bssid }, read.bss.sorted { $0.bssid < $1.bssid })
    #expect(old.count == new.count)
    for (old, new) in zip(old, new) {
      #expect(
        old.informationElements == new.informationElements
          && (old.beaconElements ?? old.informationElements) == (new.beaconElements ?? new.informationElements))
      #expect(old.capability == new.capability && old.signalMBm == new.signalMBm && old.frequencyKHz == new.frequencyKHz)
      #expect(old.isFromProbeResponse == new.isFromProbeResponse && BSSFacts(old).security == BSSFacts(new).security)
    }
    #expect(read.completion == scan.completion && read.frequenciesKHz == scan.frequenciesKHz)
  }

  @Test func `times of more than 53 bits are read as they were saved`() throws {
    let time: UInt64 = 1 << 60 | 1
    var bss = try makeBSS(1, "Home")
    (bss.lastSeenBootTimeNs, bss.tsfUs, bss.parentTSFUs, bss.scanWidth) = (time, time + 1, time + 2, 1)
    (bss.isFromProbeResponse, bss.beaconElements, bss.beaconTSFUs) = (true, [0, 0], time + 4)
    var scan = makeScan([bss])
    scan.end = .nanoseconds(Int64(time))
    let read = try #require(try Recording.read(ScanReport(scan).json()).scans.first?.bss.first)
    #expect(read.lastSeenBootTimeNs == time && read.tsfUs == time + 1)
    #expect(read.parentTSFUs == time + 2 && read.scanWidth == 1 && read.beaconTSFUs == time + 4)
  }

  @Test func `signals by antenna chain and a state without a name are read as they were saved`() throws {
    var bss = try makeBSS(1, "Home")
    bss.status = 7
    bss.otherAttributes = [
      BSS.RawAttribute(type: NL80211.BSSAttribute.chainSignal, payload: [5, 0, 0, 0, 0xC8, 0, 0, 0, 5, 0, 2, 0, 0x80, 0, 0, 0])
    ]
    let saved = ScanReport(makeScan([bss])).json()
    let read = try #require(try Recording.read(saved).scans.first?.bss.first)
    #expect(read.status == 7)
    #expect(read.chainSignalsDBm.map(\.chain) == [0, 2])
    #expect(read.chainSignalsDBm.map(\.signalDBm) == [-56, -128])
    #expect(read.otherAttributes == bss.otherAttributes)
  }

  @Test func `scans behind each other are a list`() throws {
    let one = ScanReport(makeScan([try makeBSS(1, "Home")])).json()
    #expect(try Recording.read(one + [0x0A] + one).scans.count == 2)
  }

  @Test(arguments: [
    (#"{"schema":"wifi-harness/scan/1""#, "line 1: the scan that begins here is not JSON, or was cut off"),
    (#"{"schema":"wifi-harness/scan/2","bss":[]}"#, "line 1: not a scan of version 1, but wifi-harness/scan/2"),
    (#"{"schema":"wifi-harness/scan/1","completion":"complete"}"#, "line 1: not a scan: \"bss\" is missing"),
    (#"{"schema":"wifi-harness/scan/1","completion":"odd\u001b","bss":[]}"#, #"line 1: no such completion: odd\x1b"#),
    (
      #"{"schema":"wifi-harness/scan/1","completion":"complete","startBootTimeMs":-9223372036854775808,"bss":[]}"#,
      "line 1: \"startBootTimeMs\" is no time since boot"
    ),
    (
      #"{"schema":"wifi-harness/scan/1","completion":"complete","endBootTimeMs":9223372036855,"bss":[]}"#,
      "line 1: \"endBootTimeMs\" is no time since boot"
    ),
    (#"{"schema":"wifi-harness/scan/1","completion":"complete","bss":[{"bssid":"x"}]}"#, "line 1: bss 0: \"bssid\" is no address"),
    (
      #"{"schema":"wifi-harness/scan/1","completion":"complete","bss":[]}"# + "\n\n[",
      "line 3: the scan that begins here is not JSON, or was cut off"
    ),
  ])
  func `what is no scan is refused with its line`(text: String, reason: String) {
    #expect { try Recording.read(Array(text.utf8)) } throws: { "\($0)" == reason }
  }
}
