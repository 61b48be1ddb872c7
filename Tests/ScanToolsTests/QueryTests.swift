import Determinism
import ScanTools
import Testing
import WiFi
@testable import StrictFormats

@Suite struct NamePatternTests {
  @Test(arguments: [
    ("home", "Home", true), ("home", "Home 2", false), ("*", "", true), ("", "", true), ("", "x", false), ("h?me", "home", true),
    ("h?me", "hme", false), ("*me*", "Home 2", true), ("*2", "Home 2", true), ("*a*b*c", "xaybzcc", true), ("*a*b*c", "xaybzcd", false),
    ("?", "é", true), ("STRASSE", "strasse", true), ("**", "abc", true), ("a*", "", false),
  ])
  func `a pattern matches whole names, whatever the case`(pattern: String, name: String, matches: Bool) throws {
    #expect(NamePattern(pattern).matches(try #require(SSID(Array(name.utf8)))) == matches)
  }

  @Test func `bytes that are no text are matched as they are printed`() throws {
    let name = try #require(SSID([0x1B, 0x5B, 0x41]))
    #expect(NamePattern(#"\x1b[a"#).matches(name))
    #expect(NamePattern(#"*\x1B*"#).matches(name))
    #expect(!NamePattern("[a").matches(name))
  }

  @Test(arguments: [
    // As tables print them: spaces at the ends are escaped there.
    (#"trail\x20"#, "trail ", true), (#"trail\x20"#, "trail", false), ("trail ", "trail ", true), (#"\\"#, #"\"#, true),
    (#"a\\b"#, #"a\b"#, true),
    (#"a\b"#, #"a\b"#, true), (#"\*"#, "*", true), (#"\*"#, "x", false), (#"\?"#, "?", true), (#"\?"#, "x", false), (#"\x2a"#, "*", true),
    (#"\x2A"#, "x", false), (#"\xc3\xa9"#, "é", true), (#"\xC3\xA9"#, "É", true), ("?", "\u{1B}", true), ("??", "\u{1B}", false),
    ("?", #"\"#, true), (#"\x"#, #"\x"#, true), (#"\x1"#, #"\x1"#, true), (#"\"#, #"\"#, true), (#"*\"#, #"ab\"#, true),
  ])
  func `a name is typed as it is printed`(pattern: String, name: String, matches: Bool) throws {
    #expect(NamePattern(pattern).matches(try #require(SSID(Array(name.utf8)))) == matches)
  }

  @Test func `every name matches itself as it is printed, and with each byte escaped`() throws {
    var random = RandomStream(seed: 2, name: "names")
    for _ in 0..<2000 {
      let bytes = (0..<random.next(below: 12)).map { _ in
        random.next(below: 2) == 0 ? Array(#"*?\x 2aA"#.utf8)[Int(random.next(below: 8))] : UInt8(random.next(below: 256))
      }
      let ssid = try #require(SSID(bytes))
      let quoted = ssid.description.replacing("*", with: #"\*"#).replacing("?", with: #"\?"#)
      #expect(NamePattern(quoted).matches(ssid), "\(bytes)")
      #expect(NamePattern(bytes.map { "\\x" + Hex.string([$0]) }.joined()).matches(ssid), "\(bytes)")
    }
  }

  /// The dullest matcher there is.
  private func matches(_ pattern: ArraySlice<Character>, _ name: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    if first == "*" {
      return matches(pattern.dropFirst(), name) || (!name.isEmpty && matches(pattern, name.dropFirst()))
    }
    return !name.isEmpty && (first == "?" || first == name.first) && matches(pattern.dropFirst(), name.dropFirst())
  }

  @Test func `random patterns match as by the definition`() throws {
    var random = RandomStream(seed: 1, name: "patterns")
    var matched = 0
    for _ in 0..<5000 {
      let pattern = (0..<random.next(below: 7)).map { _ in Array("ab*?")[Int(random.next(below: 4))] }
      let name = (0..<random.next(below: 9)).map { _ in Array("ab")[Int(random.next(below: 2))] }
      let expected = matches(pattern[...], name[...])
      matched += expected ? 1 : 0
      let ssid = try #require(SSID(Array(String(name).utf8)))
      #expect(NamePattern(String(pattern)).matches(ssid) == expected, "\(String(pattern)) on \(String(name))")
    }
    #expect((500...4500).contains(matched))
  }

  @Test func `a hostile pattern takes no time`() throws {
    let pattern = NamePattern(String(repeating: "*a", count: 2000) + "b")
    #expect(!pattern.matches(try #require(SSID([UInt8](repeating: 0x61, count: 32)))))
  }
}

@Suite struct ChannelSelectionTests {
  @Test(arguments: [
    ("36", 5180, true), ("36", 5200, false), ("1", 2412, true), ("1", 5955, true), ("1-11", 2462, true), ("1-11", 2467, false),
    ("5180", 5180, true), ("5180", 5200, false), ("699", 5180, false), ("233", 7115, true),
  ])
  func `a channel is named by number, range or frequency`(text: String, megahertz: Int, isMeant: Bool) throws {
    #expect(try #require(ChannelSelection(text)).contains(frequencyKHz: megahertz * 1000) == isMeant)
  }

  @Test(arguments: ["", "0", "-", "1-", "-1", "11-1", "1-2-3", "1-5180", "x", "+1", "1.5", "999999", "３６"])
  func `anything else names none`(text: String) { #expect(ChannelSelection(text) == nil) }

  @Test(arguments: [
    ("2.4", Band.ghz2_4), ("2", .ghz2_4), ("2.4GHz", .ghz2_4), ("5", .ghz5), ("5ghz", .ghz5), ("5 GHz", .ghz5), ("6GHz", .ghz6),
    ("60", .ghz60),
    ("s1g", .s1g), ("S1G", .s1g),
  ])
  func `bands are read as they are written`(text: String, band: Band) { #expect(Band(typed: text) == band) }

  @Test(arguments: ["", "GHz", "7", "24", "2.5", "5g"])
  func `no other text is a band`(text: String) { #expect(Band(typed: text) == nil) }
}

@Suite struct BSSQueryTests {
  private func scan() throws -> Scan {
    makeScan([
      try makeBSS(1, "Home", signalMBm: -4000, frequencyMHz: 2412, capability: 0x11, [.rsn([.psk])]),
      try makeBSS(2, "Home", signalMBm: -6000, frequencyMHz: 5180, capability: 0x11, [.rsn([.sae], protection: 0xC0)]),
      try makeBSS(3, "Cafe", signalMBm: -7050, frequencyMHz: 5180),
      try makeBSS(4, "Work", signalMBm: -8000, frequencyMHz: 5955, capability: 0x11, [.rsn([.ieee8021X])]),
      try makeBSS(5, "Old", signalMBm: -5000, frequencyMHz: 2437, capability: 0x11),
    ])
  }

  private func addresses(_ query: BSSQuery, _ order: ReportOrder = .signal) throws -> [UInt64] {
    ScanReport(try scan(), query: query, order: order).facts.map { $0.bss.bssid.value & 0xFF }
  }

  @Test func `conditions of one kind are alternatives, of different kinds they add up`() throws {
    #expect(try addresses(BSSQuery()) == [1, 5, 2, 3, 4])
    #expect(try addresses(BSSQuery(bands: [.ghz5])) == [2, 3])
    #expect(try addresses(BSSQuery(bands: [.ghz5, .ghz6])) == [2, 3, 4])
    #expect(try addresses(BSSQuery(names: [NamePattern("home")], bands: [.ghz5])) == [2])
    #expect(try addresses(BSSQuery(channels: [#require(ChannelSelection("1"))])) == [1, 4])
    #expect(try addresses(BSSQuery(minimumSignalDBm: -69)) == [1, 5, 2])
    // -70.5 dBm is shown as -70.
    #expect(try addresses(BSSQuery(minimumSignalDBm: -70)) == [1, 5, 2, 3])
  }

  @Test func `what is left out for its signal alone is kept apart`() throws {
    let selected = BSSQuery(bands: [.ghz5, .ghz6], minimumSignalDBm: -65).selected(try scan())
    #expect(selected.bss.map { $0.bssid.value & 0xFF } == [2])
    #expect(selected.tooWeak.map { $0.bssid.value & 0xFF } == [3, 4])
  }

  @Test(
    arguments: [
      (BSSQuery.Protection.open, [3]), (.owe, []), (.wep, [5]), (.wpa, []), (.wpa2, [1, 4]), (.wpa3, [2]), (.personal, [1, 2]),
      (.enterprise, [4]), (.secured, [1, 5, 2, 4]), (.weak, [5, 3]),
    ] as [(BSSQuery.Protection, [UInt64])])
  func `protection is asked for by its usual words`(protection: BSSQuery.Protection, wanted: [UInt64]) throws {
    #expect(try addresses(BSSQuery(protections: [protection])) == wanted)
  }

  @Test(
    arguments: [
      (ReportOrder.signal, [1, 5, 2, 3, 4]), (.name, [3, 1, 2, 5, 4]), (.channel, [1, 5, 2, 3, 4]), (.security, [3, 5, 1, 2, 4]),
    ] as [(ReportOrder, [UInt64])])
  func `BSSs come in the order that was asked for`(order: ReportOrder, wanted: [UInt64]) throws {
    #expect(try addresses(BSSQuery(), order) == wanted)
  }

  /// As the column has it: what offers WPA2 is weaker than what offers WPA3 alone, also where it offers both.
  @Test func `by security the weakest choice counts, then the strongest`() throws {
    let (wpa2, wpa3, both) = (ElementValue.rsn([.psk]), ElementValue.rsn([.sae], protection: 0xC0), ElementValue.rsn([.psk, .sae]))
    let elements: [(String, [ElementValue])] = [
      ("New", [wpa3]), ("Both", [both]), ("Mid", [wpa2]), ("Old", [.wpaPersonal, both]), ("Split", [wpa2]), ("Split", [wpa3]),
      ("Work", [.rsn([.ieee8021X])]),
    ]
    var list = try elements.enumerated().map { try makeBSS(UInt64($0.offset + 1), $0.element.0, capability: 0x11, $0.element.1) }
    list.append(try makeBSS(9, "Free"))
    let report = ScanReport(makeScan(list), order: .security)
    #expect(report.networks.map(\.ssid.description) == ["Free", "Old", "Mid", "Both", "Split", "New", "Work"])
    #expect(report.facts.map { $0.bss.bssid.value & 0xFF } == [9, 4, 3, 5, 2, 1, 6, 7])
    let weak = report.networks.map { BSSQuery.Protection.weak.accepts($0.security) }
    #expect(weak == [true, true, false, false, false, false, false])
  }

  @Test func `a network of unknown security is none of credentials of each user`() throws {
    let malformed = ElementValue.malformed(RSN.elementID, [1], .truncated(needed: 2, available: 1))
    let bss = try makeBSS(1, "Odd", capability: 0x11, [malformed])
    #expect(BSSFacts(bss).security.summary == "Unknown")
    #expect(ScanReport(makeScan([bss]), query: BSSQuery(protections: [.enterprise])).facts.isEmpty)
    #expect(ScanReport(makeScan([bss]), query: BSSQuery(protections: [.secured])).facts.count == 1)
  }

  @Test func `by age what was heard last comes first`() throws {
    var scan = try scan()
    for index in scan.bss.indices { scan.bss[index].seenMsAgo = UInt32([50, 10, 40, 20, 30][index]) }
    let report = ScanReport(scan, order: .age)
    #expect(report.facts.map { $0.bss.bssid.value & 0xFF } == [2, 4, 5, 3, 1])
    #expect(report.networks.map(\.ssid.description) == ["Home", "Work", "Old", "Cafe"])
  }

  @Test func `a network is formed of what is wanted, in every format`() throws {
    let report = ScanReport(try scan(), query: BSSQuery(bands: [.ghz5]))
    #expect(report.networks.map(\.members.count) == [1, 1])
    #expect(report.scan.bss.count == 2)
    #expect(report.csv().split(separator: "\r\n").count == 3)
    #expect(report.ndjson().count { $0 == 0x0A } == 2)
    #expect(try StrictJSON(report.json())["bss"]?.items?.count == 2)
  }

  @Test func `what is excluded is not wanted, whatever else holds`() throws {
    var query = BSSQuery()
    query.excludedNames = [NamePattern("home")]
    #expect(try addresses(query) == [5, 3, 4])
    query.excludedBands = [.ghz6]
    #expect(try addresses(query) == [5, 3])
    query.excludedProtections = [.open]
    #expect(try addresses(query) == [5])
    query.protections = [.wep, .open]
    #expect(try addresses(query) == [5])
    #expect(query.namesChannels && query.accepts(frequencyKHz: 5_180_000) && !query.accepts(frequencyKHz: 5_955_000))
  }

  @Test(
    arguments: [
      ("02:00:00:00:00:02", [2]), ("02-00-00-00-00-02", [2]), ("02:00:00", [1, 5, 2, 3, 4]), ("02", [1, 5, 2, 3, 4]), ("AA:BB", []),
    ] as [(String, [UInt64])])
  func `an address is named whole or by how it begins`(text: String, wanted: [UInt64]) throws {
    var query = BSSQuery()
    query.addresses = [try #require(AddressPattern(text))]
    #expect(try addresses(query) == wanted)
  }

  @Test func `upper and lower case of an address are the same`() throws {
    #expect(try #require(AddressPattern("aA:0b")).matches(MACAddress(0xAA0B_0000_0000)))
  }

  @Test(arguments: ["", ":", "02:", "2:00", "002:00", "02:00-00", "0200", "+2:00", "０２:00", "02:00:00:00:00:00:00", "xy"])
  func `no other text is an address`(text: String) { #expect(AddressPattern(text) == nil) }

  @Test(arguments: ReportOrder.allCases) func `an order can be turned round`(order: ReportOrder) throws {
    let (forward, backward) = (ScanReport(try scan(), order: order), ScanReport(try scan(), order: order, isReversed: true))
    #expect(backward.facts.map(\.bss) == forward.facts.map(\.bss).reversed())
    #expect(backward.networks == forward.networks.reversed())
  }

  /// A list never depends on what the kernel put first.
  @Test(arguments: ReportOrder.allCases) func `the order is total`(order: ReportOrder) throws {
    let scan = try Captures.scan("lab")
    var reversed = scan
    reversed.bss.reverse()
    #expect(ScanReport(scan, order: order).json() == ScanReport(reversed, order: order).json())
    let twins = [try makeBSS(1, "Home"), try makeBSS(1, "Home", frequencyMHz: 2462)]
    #expect(
      ScanReport(makeScan(twins), grouping: .bss, order: order).networks
        == ScanReport(makeScan(twins.reversed()), grouping: .bss, order: order).networks)
  }
}

@Suite struct SteadyOrderTests {
  private func network(_ address: UInt64, _ signalMBm: Int32) throws -> Network {
    ScanReport(makeScan([try makeBSS(address, [UInt8(address)], signalMBm: signalMBm)])).networks[0]
  }

  @Test func `a network moves only when its strength differs by six decibels`() throws {
    var order = SteadyOrder(.signal)
    func shown(_ signals: [Int32]) throws -> [Int32] {
      let rows = try signals.enumerated().map { try network(UInt64($0.offset + 1), $0.element) }
      return order.sorted(rows) { ($0, 0) }.compactMap(\.signalMBm)
    }
    #expect(try shown([-5000, -5200, -6000]) == [-5000, -5200, -6000])
    #expect(try shown([-5500, -5100, -6000]) == [-5500, -5100, -6000])
    #expect(try shown([-5700, -5100, -6000]) == [-5100, -5700, -6000])
    // What went by little steps is placed anew once it is far from where it was placed.
    #expect(try shown([-5700, -5100, -5500]) == [-5100, -5700, -5500])
    #expect(try shown([-5700, -5100, -5300]) == [-5100, -5300, -5700])
    order = SteadyOrder(.signal, isReversed: true)
    #expect(try shown([-5000, -5200, -6000]) == [-6000, -5200, -5000])
  }

  @Test func `strengths that no radio has are sorted as well`() throws {
    var order = SteadyOrder(.signal)
    for signal in [Int32.max, .min, .max] {
      let rows = order.sorted([try network(1, signal)]) { ($0, 0) }
      #expect(rows.map(\.signalMBm) == [signal])
    }
  }
}
