import ScanTools
import Testing
import WiFi

@testable import StrictFormats

@Suite struct AuditTests {
  func audit(_ bss: [BSS], baseline: AuditBaseline = AuditBaseline(), maker: ((MACAddress) -> String?)? = nil) -> [AuditFinding] {
    Audit(AuditedBSS.list(bss.map { BSSFacts($0) }), baseline: baseline, maker: maker).findings
  }

  func rules(_ bss: [BSS], baseline: AuditBaseline = AuditBaseline(), maker: ((MACAddress) -> String?)? = nil) -> [String] {
    audit(bss, baseline: baseline, maker: maker).map {
      "\($0.rule.rawValue) \($0.bssids.map { String("\($0)".suffix(2)) }.joined(separator: ","))"
    }
  }

  static let wpa3 = ElementValue.rsn([.sae], protection: 0xC0)
  static let wpa2 = ElementValue.rsn([.psk], protection: 0xC0)

  @Test func `an address counts once, on however many channels it was heard`() throws {
    let twins = [try makeBSS(1, "Home"), try makeBSS(1, "Home", frequencyMHz: 2462), try makeBSS(2, "Home")]
    let audit = Audit(AuditedBSS.list(twins.map { BSSFacts($0) }))
    #expect(audit.bssCount == 2)
    #expect(AuditReport(audit).text.contains(" in 2 access points: "))
  }

  @Test func `networks without a weakness give no finding`() throws {
    #expect(rules([]) == [])
    #expect(rules([try makeBSS(1, "Home", capability: 0x11, [Self.wpa3]), try makeBSS(2, "Home", capability: 0x11, [Self.wpa3])]) == [])
    #expect(rules([try makeBSS(1, "Guests", capability: 0x11, [.rsn([.owe], protection: 0xC0)])]) == [])
  }

  @Test(
    arguments: [
      (0x11, [ElementValue.rsn([.psk])], ["pmf-disabled 01"]), (0x11, [.rsn([.psk, .sae], protection: 0x80)], ["pmf-optional 01"]),
      (0x11, [], ["wep 01"]), (0x11, [.wpaPersonal], ["tkip 01", "pmf-disabled 01"]),
      (0x11, [.rsn([.sae], ciphers: [.tkip, .ccmp128], protection: 0xC0)], ["tkip 01"]),
      (0x11, [.rsn([.sae], ciphers: [.wep104, .ccmp128], protection: 0xC0)], ["wep 01"]),
      (0x11, [.rsn([.sae], protection: 0xC0), .wps(WPS(bytes: [0x10, 0x4A, 0, 1, 0x10]))], ["wps 01"]), (0x01, [], ["open 01"]),
    ] as [(UInt16, [ElementValue], [String])])
  func `what one access point announces`(capability: UInt16, elements: [ElementValue], expected: [String]) throws {
    #expect(rules([try makeBSS(1, "Home", capability: capability, elements)]) == expected)
  }

  /// The rules that apply to each kind of security, and no others.
  @Test(
    arguments: [
      ("WAPI-Personal", 0x11, [.wapi(2)], []), ("WAPI-Enterprise", 0x11, [.wapi(1)], []),
      ("WPA2/WAPI-Personal", 0x11, [.rsn([.psk]), .wapi(2)], ["pmf-disabled 01"]),
      ("WPA/WAPI-Personal", 0x11, [.wpaPersonal, .wapi(2)], ["tkip 01", "pmf-disabled 01"]),
      ("Open", 0x01, [], ["open 01"]), ("WEP", 0x11, [], ["wep 01"]), ("OWE", 0x11, [.rsn([.owe], protection: 0xC0)], []),
      ("OWE", 0x11, [.rsn([.owe])], ["pmf-disabled 01"]),
      ("OWE transition", 0x01, [.oweTransition(OWETransition(bssid: MACAddress(5), ssid: .wildcard))], []),
      ("WPA2-Enterprise", 0x11, [.rsn([.ieee8021X])], ["pmf-disabled 01"]),
      ("WPA3-Enterprise", 0x11, [.rsn([.ieee8021XSHA256], protection: 0xC0)], []),
      ("WPA2/WPA3-Personal", 0x11, [.rsn([.psk, .sae], protection: 0x80)], ["pmf-optional 01"]),
    ] as [(String, UInt16, [ElementValue], [String])])
  func `each kind of security has the findings that apply to it`(
    summary: String, capability: UInt16, elements: [ElementValue], expected: [String]
  ) throws {
    let bss = try makeBSS(1, "Home", capability: capability, elements)
    #expect(BSSFacts(bss).security.summary == summary)
    #expect(rules([bss]) == expected, "\(summary)")
    #expect(audit([bss]).filter { $0.why.contains("MFPC") && summary.hasPrefix("WPA/") } == [])
  }

  @Test func `WAPI is as strong as WPA2`() throws {
    let wapi = try makeBSS(1, "Home", capability: 0x11, [.wapi(2)])
    #expect(rules([wapi, try makeBSS(2, "Home", capability: 0x11, [Self.wpa2])]) == [])
    #expect(rules([wapi, try makeBSS(2, "Home", capability: 0x11, [Self.wpa3])]) == ["weaker-security 01"])
  }

  @Test func `the most severe stands first, and what concerns one network stands together`() throws {
    let findings = audit([
      try makeBSS(1, "Alpha", capability: 0x11, [.rsn([.psk, .sae], protection: 0x80)]),
      try makeBSS(2, "Beta", capability: 0x11, [.wpaPersonal]),
      try makeBSS(3, "Gamma"), try makeBSS(4, "Delta", capability: 0x11, [.rsn([.psk])]), try makeBSS(5, "Delta", capability: 0x11),
    ])
    #expect(
      findings.map { "\($0.rule.severity) \($0.rule.rawValue) \($0.ssid?.description ?? "-")" } == [
        "high wep Delta", "medium weaker-security Delta", "medium pmf-disabled Delta", "high open Gamma", "medium tkip Beta",
        "medium pmf-disabled Beta", "low pmf-optional Alpha",
      ])
    let report = AuditReport(Audit(AuditedBSS.list([BSSFacts(try makeBSS(3, "Gamma"))])))
    #expect(report.text.hasPrefix("high  open  Gamma  02:00:00:00:00:03\n"))
    #expect(report.text.hasSuffix("1 finding in 1 access point: 1 high.\n"))
  }

  @Test func `a sentence says no more than the octets`() throws {
    let old = audit([try makeBSS(1, "Home", capability: 0x11, [.wpaPersonal])])
    #expect(old.last?.why.contains("no RSN element") == true)
    for finding in old + audit([try makeBSS(1, "A", [Self.wpa3]), try makeBSS(2, "A")]) {
      #expect(finding.why.hasSuffix(".") && !finding.rule.clause.isEmpty)
    }
    // What cannot be read is not called weak.
    let unreadable = try makeBSS(1, "Home", capability: 0x11, [.malformed(RSN.elementID, [1], .truncated(needed: 2, available: 1))])
    #expect(rules([unreadable, try makeBSS(2, "Home", capability: 0x11, [Self.wpa3])]) == [])
  }

  @Test func `one name open and secured`() throws {
    let secured = try makeBSS(1, "Café", capability: 0x11, [Self.wpa3])
    #expect(rules([secured, try makeBSS(2, "Café"), try makeBSS(3, "Café")]) == ["open 02,03", "open-and-secured 02,03"])
    #expect(rules([secured, try makeBSS(2, "Cafe")]) == ["open 02"])
    // The open half of a pair with OWE says so.
    let transition = ElementValue.oweTransition(OWETransition(bssid: MACAddress(5), ssid: try #require(SSID([0x61]))))
    #expect(
      rules([try makeBSS(2, "Café", [transition]), try makeBSS(3, "Café", capability: 0x11, [.rsn([.owe], protection: 0xC0)])]) == [])
  }

  @Test func `an access point that is weaker than the others of its name`() throws {
    let strong = [try makeBSS(1, "Home", capability: 0x11, [Self.wpa3]), try makeBSS(2, "Home", capability: 0x11, [Self.wpa3])]
    let weak = try makeBSS(3, "Home", capability: 0x11, [Self.wpa2])
    let findings = audit(strong + [weak])
    #expect(findings.map(\.rule) == [.weakerSecurity] && findings[0].bssids == [weak.bssid])
    #expect(findings[0].why.contains("WPA2-Personal, while 2 others of the same name announce WPA3-Personal"))
    // One that takes either is as weak as its weakest.
    #expect(rules(strong + [try makeBSS(3, "Home", capability: 0x11, [.rsn([.psk, .sae], protection: 0xC0)])]) == ["weaker-security 03"])
    // In the 6 GHz band WPA2 is not allowed, so what is there is no measure.
    let wide = try makeBSS(4, "Home", frequencyMHz: 5955, capability: 0x11, [Self.wpa3])
    #expect(rules([weak, wide]) == [])
  }

  @Test func `another maker among the access points of a name`() throws {
    func bss(_ address: UInt64) throws -> BSS {
      var bss = try makeBSS(0, "Home", capability: 0x11, [Self.wpa3])
      bss.bssid = MACAddress(address)
      return bss
    }
    let same = [try bss(0x0011_2200_0001), try bss(0x0011_2200_0002)]
    #expect(rules(same) == [])
    #expect(rules(same + [try bss(0x00AA_BB00_0003)]) == ["other-maker 03"])
    // Two ranges of one maker are one where a registry says so.
    #expect(rules(same + [try bss(0x00AA_BB00_0003)], maker: { _ in "Sample" }) == [])
    // An address that was made up locally says nothing of its maker.
    #expect(rules(same + [try bss(0x0200_0000_0003)]) == [])
    #expect(rules([same[0], try bss(0x00AA_BB00_0003)]) == ["other-maker 01,03"])
  }

  @Test func `one address on two channels`() throws {
    let both = [
      try makeBSS(1, "Home", capability: 0x11, [Self.wpa3]), try makeBSS(1, "Home", frequencyMHz: 2462, capability: 0x11, [Self.wpa3]),
    ]
    #expect(rules(both) == ["two-channels 01"])
    var summary = ScanSummary(name: "x")
    for index in 0..<6 { summary.add(makeScan([both[index % 2]])) }
    #expect(Audit(summary.audited).findings.map(\.rule) == [.twoChannels])
    // One that moved once is there.
    var moved = ScanSummary(name: "x")
    for index in 0..<6 { moved.add(makeScan([both[index / 3]])) }
    #expect(Audit(moved.audited).findings == [])
  }

  @Test func `of a beacon and a probe response that differ in little the same one always counts`() throws {
    let wps = ElementValue.wps(WPS(bytes: [0x10, 0x4A, 0, 1, 0x10]))
    let list = try (1...16 as ClosedRange<UInt64>).map { number in
      var bss = try makeBSS(number, "Home \(number)", capability: 0x11, [Self.wpa3, wps])
      bss.isFromProbeResponse = true
      bss.beaconElements = try makeBSS(number, "Home \(number)", [Self.wpa3]).informationElements
      return bss
    }
    var summary = ScanSummary(name: "x")
    for _ in 0..<2 { summary.add(makeScan(list)) }
    #expect(summary.audited.map(\.facts.hasWPS) == list.map { _ in true })
  }

  @Test func `what is known is a measure`() throws {
    let baseline = AuditBaseline(AuditedBSS.list([BSSFacts(try makeBSS(1, "Home", capability: 0x11, [Self.wpa3]))]))
    #expect(rules([try makeBSS(1, "Home", capability: 0x11, [Self.wpa3])], baseline: baseline) == [])
    #expect(rules([try makeBSS(1, "Home", capability: 0x11, [Self.wpa2])], baseline: baseline) == ["weaker-security 01"])
    #expect(rules([try makeBSS(2, "Home")], baseline: baseline) == ["open 02", "weaker-security 02", "unknown-access-point 02"])
    #expect(rules([try makeBSS(2, "Other", capability: 0x11, [Self.wpa2])], baseline: baseline) == [])
  }

  @Test func `known networks of a daemon are a measure, too`() throws {
    let json = #"{"schema":"wifi-harness/known/1","networks":[{"ssidHex":"486f6d65","security":"sae"},{"ssidHex":"","security":"psk"}]}"#
    let baseline = try #require(try AuditBaseline(knownNetworks: Array(json.utf8)))
    #expect(baseline.count == 1)
    #expect(rules([try makeBSS(2, "Home", capability: 0x11, [Self.wpa2])], baseline: baseline) == ["weaker-security 02"])
    #expect(rules([try makeBSS(2, "Home", capability: 0x11, [Self.wpa3])], baseline: baseline) == [])
    for text in ["", "{}", "[", #"{"schema":"wifi-harness/scan/1"}"#] { #expect(try AuditBaseline(knownNetworks: Array(text.utf8)) == nil) }
  }

  @Test(arguments: [
    (#"{"ssidHex":"zz","security":"psk"}"#, "network 1: \"ssidHex\" is missing, or no name in hexadecimal"),
    (#"{"security":"psk"}"#, "network 1: \"ssidHex\" is missing, or no name in hexadecimal"),
    (
      #"{"ssidHex":"4f","security":"OWE"}"#,
      "network 1: there is no security “OWE”; choose from open, owe, psk, sae, pskOrSAE, enterprise, wep"
    ),
  ])
  func `a list of known networks that cannot be read is refused`(network: String, sentence: String) throws {
    let json = #"{"schema":"wifi-harness/known/1","networks":[\#(network)]}"#
    let error = #expect(throws: AuditBaseline.Failure.self) { try AuditBaseline(knownNetworks: Array(json.utf8)) }
    #expect(error.map { "\($0)" } == sentence)
  }

  @Test func `an open access point among those of OWE is weaker`() throws {
    let owe = [try makeBSS(1, "Guest", capability: 0x11, [.rsn([.owe], protection: 0xC0)]), try makeBSS(2, "Guest")]
    #expect(rules(owe) == ["open 02", "weaker-security 02"])
  }

  @Test func `a comparison finds what is new`() throws {
    var (before, after) = (ScanSummary(name: "a"), ScanSummary(name: "b"))
    let strong = try makeBSS(1, "Home", capability: 0x11, [Self.wpa3])
    let old = try makeBSS(5, "Old", capability: 0x11)
    before.add(makeScan([strong, old]))
    after.add(makeScan([strong, try makeBSS(2, "Home")]))
    let comparison = AuditComparison(before, after)
    #expect(comparison.new.map(\.rule) == [.open, .openAndSecured, .weakerSecurity, .unknownAccessPoint])
    #expect(comparison.gone.map(\.rule) == [.wep])
    let report = ComparisonReport(ScanComparison(before, after), audit: comparison)
    #expect(try JSONSchema(file: "diff-1.json").violations(of: StrictJSON(report.json())) == [])
    #expect(report.text.contains("Found by the audit, and not before:"))
  }

  @Test func `reports escape names and keep their schema`() throws {
    let hostile: [UInt8] = [0x1B, 0x5B, 0x41, 0x22, 0xFF]
    let list = [
      try makeBSS(1, hostile, capability: 0x11), try makeBSS(2, hostile), try makeBSS(3, "", capability: 0x11),
      try makeBSS(4, "", capability: 0x11),
    ]
    let report = AuditReport(Audit(AuditedBSS.list(list.map { BSSFacts($0) })))
    #expect(report.audit.findings.count == 5)
    let value = try StrictJSON(report.json())
    #expect(try JSONSchema(file: "audit-1.json").violations(of: value) == [])
    #expect(try StrictJSON(report.json(pretty: true)) == value)
    #expect(!report.text.unicodeScalars.contains { $0 != "\n" && PrintableText.mustEscape($0) })
  }

  @Test(arguments: Captures.distinctScans)
  func `real scans are audited, in any order with the same result`(name: String) throws {
    let facts = try Captures.scan(name).bss.map { BSSFacts($0) }
    let findings = Audit(AuditedBSS.list(facts)).findings
    #expect(Audit(AuditedBSS.list(facts.reversed())).findings.map(\.rule) == findings.map(\.rule))
  }
}

extension ElementValue {
  /// A WAPI element with one key management.
  fileprivate static func wapi(_ akm: UInt32) -> ElementValue {
    let cipher = CipherSuite(selector: 0x0014_7201)
    return .wapi(WAPI(akms: [AKMSuite(selector: 0x0014_7200 | akm)], pairwiseCiphers: [cipher], groupCipher: cipher))
  }
}
