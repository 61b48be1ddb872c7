import Testing
import WiFi

@testable import ScanTools
@testable import StrictFormats

@Suite struct CSVReportTests {
  @Test func `a BSS is a line with a field for each title`() throws {
    let bss = try makeBSS(1, "Home, sweet", signalMBm: -5325, capability: 0x0011, [.rsn([.psk, .sae], protection: 0x80)])
    var s1g = BSS(bssid: MACAddress(0x0200_0000_0002), frequencyMHz: 902, capability: 1, informationElements: [])
    s1g.frequencyOffsetKHz = 500
    s1g.lastSeenBootTimeNs = 999_500_000_000
    #expect(
      ScanReport(makeScan([bss, s1g])).csv() == """
        bssid,ssid,ssidHex,hidden,frequencyMHz,channel,band,widthMHz,generation,signalDBm,lastSeenMs,beaconIntervalTU,\
        security,isSecured,groupCipher,pairwiseCiphers,akms,pmf,apName,complaints,maker,latitudeDegrees,longitudeDegrees,\
        altitudeM,accuracyM\r
        02:00:00:00:00:01,"Home, sweet",486f6d652c207377656574,false,2437,6,2.4GHz,20,,-53.25,120,100,\
        WPA2/WPA3-Personal,true,CCMP-128,CCMP-128,PSK SAE,optional,,0,,,,,\r
        02:00:00:00:00:02,,,true,902.5,1,S1G,1,,,500,,Open,false,,,,disabled,,0,,,,,\r

        """)
  }

  @Test(arguments: [
    ("plain", "plain"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a;b", "\"a;b\""), (" a", "\" a\""), ("a ", "\"a \""),
    ("", ""), ("\"", "\"\"\"\""),
    // A combining mark makes one character with what is before it; it separates nevertheless.
    ("a,\u{301}b", "\"a,\u{301}b\""), ("\"\u{301}", "\"\"\"\u{301}\""), ("a\r\nb", "\"a\r\nb\""),
  ])
  func `a field is quoted where it must be`(text: String, field: String) {
    #expect(Array(CSV.field(text).utf8) == Array(field.utf8))
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM", "'@SUM"), ("a=1", "a=1"), ("", ""), ("=\u{301}x", "'=\u{301}x"),
    ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("＠a", "'＠a"),
  ])
  func `what a spreadsheet would take for a formula begins with an apostrophe`(text: String, defused: String) {
    #expect(Array(CSV.defused(text).utf8) == Array(defused.utf8))
  }

  @Test func `names of networks and of access points are defused`() throws {
    let name = VendorSpecific(oui: 0x004096, bytes: [47] + Array("=2+5+cmd|' /C calc'!A0".utf8))
    let csv = ScanReport(makeScan([try makeBSS(1, "=HYPERLINK(\"x\")", [.vendor(name)])])).csv()
    #expect(csv.contains(",\"'=HYPERLINK(\"\"x\"\")\","))
    #expect(csv.contains(",'=2+5+cmd|' /C calc'!A0,0,,,,,\r\n"))
  }

  @Test(arguments: Captures.scans)
  func `every line has as many fields as titles, whatever the names`(capture: String) throws {
    let report = ScanReport(try Captures.scan(capture))
    let rows = fields(report.csv(), lineEnd: "\r\n")
    #expect(rows.count == report.facts.count + 1)
    #expect(rows.allSatisfy { $0.count == 25 })
    #expect(rows.dropFirst().map { $0[2] } == report.facts.map { Hex.string($0.ssid.bytes) })
    let wigle = fields(report.wigleCSV(end: UTCTime("2026-11-21 03:57:00"), release: "1"), lineEnd: "\n")
    #expect(wigle.dropFirst().allSatisfy { $0.count == 14 })
    #expect(wigle.dropFirst(2).map { $0[1] } == report.facts.map(\.ssid.description))
  }

  @Test func `makers and positions are told where they are known`() throws {
    let bss = BSS(bssid: MACAddress(0x0000_0C11_2233), frequencyMHz: 2437, capability: 1, informationElements: [])
    var scan = makeScan([bss, try makeBSS(1, "Home")])
    scan.position = Position(latitudeDegrees: 48.117302, longitudeDegrees: -0.5, accuracyM: 4)
    let registry = AddressRegistry(Array("00-00-0C   (hex)\t\t=Cisco, Inc\r\n".utf8))
    let report = ScanReport(scan, registry: registry)
    let rows = fields(report.csv(), lineEnd: "\r\n")
    #expect(rows[0].suffix(5) == ["maker", "latitudeDegrees", "longitudeDegrees", "altitudeM", "accuracyM"])
    let lines = Dictionary(uniqueKeysWithValues: rows.dropFirst().map { ($0[0], Array($0.suffix(5))) })
    #expect(lines["00:00:0c:11:22:33"] == ["'=Cisco, Inc", "48.117302", "-0.5", "", "4"])
    #expect(lines["02:00:00:00:00:01"] == ["", "48.117302", "-0.5", "", "4"])
    let wigle = report.wigleCSV(end: UTCTime(seconds: 0), release: "1")
    #expect(wigle.split(separator: "\n").dropFirst(2).allSatisfy { $0.contains(",48.117302,-0.5,0.0,4,") })
    let json = try StrictJSON(report.json())
    #expect(try JSONSchema(file: "scan-1.json").violations(of: json) == [])
    let text = String(decoding: report.json(), as: UTF8.self)
    #expect(text.contains(#""position":{"latitudeDegrees":48.117302,"longitudeDegrees":-0.5,"accuracyM":4}"#))
    #expect(text.contains(#""bssid":"00:00:0c:11:22:33","maker":"=Cisco, Inc""#))
    #expect(try Recording.read(report.json()).scans.first?.position == scan.position)
    let table = NetworkTable(columns: [.bssid, .maker], registry: registry).lines(of: report)
    #expect(table.contains("00:00:0c:11:22:33  =Cisco, Inc"))
    #expect(table.contains("02:00:00:00:00:01  -"))
  }

  /// Reads CSV by scalars, as RFC 4180 has it.
  private func fields(_ text: String, lineEnd: String) -> [[String]] {
    var rows: [[String]] = [[""]]
    var isQuoted = false
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      let last = rows.count - 1
      let column = rows[last].count - 1
      switch scalar {
      case "\"" where isQuoted && scalars.first == "\"":
        scalars.removeFirst()
        rows[last][column].unicodeScalars.append("\"")
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: rows[last].append("")
      case "\r" where !isQuoted && lineEnd == "\r\n": break
      case "\n" where !isQuoted: rows.append([""])
      default: rows[last][column].unicodeScalars.append(scalar)
      }
    }
    return rows.dropLast()
  }

  // MARK: WiGLE (https://api.wigle.net/csvFormat.html)

  @Test func `a WiGLE file has a pre-header, the header of version 1.6, and a line for each BSS`() throws {
    let home = try makeBSS(1, "Home", signalMBm: -5375, capability: 0x0411, [.rsn([.psk])])
    let guests = try makeBSS(2, "a,b", signalMBm: nil, frequencyMHz: 5180)
    let text = ScanReport(makeScan([home, guests])).wigleCSV(end: UTCTime("2026-11-21 03:57:00"), release: "0.1.0")
    #expect(
      text == """
        WigleWifi-1.6,appRelease=0.1.0,model=wifi-harness,release=0.1.0,device=wifi-harness,display=,board=,brand=,star=Sol,body=3,subBody=0
        MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,RCOIs,MfgrId,Type
        02:00:00:00:00:01,Home,[WPA2-PSK-CCMP][RSN-PSK-CCMP][ESS],2026-11-21 03:56:59,6,2437,-53,0.0,0.0,0.0,0.0,,,WIFI
        02:00:00:00:00:02,"a,b",[ESS],2026-11-21 03:56:59,36,5180,0,0.0,0.0,0.0,0.0,,,WIFI

        """)
  }

  @Test func `roaming consortiums are told`() throws {
    let text = ScanReport(try Captures.scan("lab")).wigleCSV(end: UTCTime("2026-11-21 03:57:00"), release: "1")
    let line = try #require(text.split(separator: "\n").first { $0.contains(",Lab Hotspot,") })
    #expect(line.hasSuffix(",021122 2233445566 8899AABB,,WIFI"))
  }

  static let capabilities: [(UInt16, [ElementValue], String)] = [
    (0x0001, [], "[ESS]"),
    (0x0002, [], "[IBSS]"),
    (0x0011, [], "[WEP][ESS]"),
    (0x0011, [.wpaPersonal], "[WPA-PSK-TKIP][ESS]"),
    (0x0011, [.wpaPersonal, .rsn([.psk])], "[WPA-PSK-TKIP][WPA2-PSK-CCMP][RSN-PSK-CCMP][ESS]"),
    (0x0011, [.rsn([.psk], ciphers: [.tkip, .ccmp128])], "[WPA2-PSK-TKIP+CCMP][RSN-PSK-TKIP+CCMP][ESS]"),
    (0x0011, [.rsn([.psk, .ftPSK])], "[WPA2-PSK+FT/PSK-CCMP][RSN-PSK+FT/PSK-CCMP][ESS]"),
    (0x0011, [.rsn([.psk, .sae], protection: 0x80)], "[WPA2-PSK-CCMP][RSN-PSK+SAE-CCMP][ESS][MFPC]"),
    (0x0011, [.rsn([.sae], protection: 0xC0)], "[RSN-SAE-CCMP][ESS][MFPR][MFPC]"),
    (0x0011, [.rsn([.ieee8021X])], "[WPA2-EAP-CCMP][RSN-EAP-CCMP][ESS]"),
    (
      0x0011, [.rsn([.ieee8021XSuiteB192], ciphers: [.gcmp256], protection: 0xC0)],
      "[RSN-EAP_SUITE_B_192-GCMP-256][ESS][MFPR][MFPC]"
    ),
    (0x0011, [.rsn([.owe], protection: 0xC0)], "[RSN-OWE-CCMP][ESS][MFPR][MFPC]"),
    (
      0x0001, [.oweTransition(OWETransition(bssid: MACAddress(1), ssid: .wildcard))], "[RSN-OWE_TRANSITION-CCMP][ESS]"
    ),
    (0x0011, [.rsn([AKMSuite(ieee80211: 99)])], "[RSN-?-CCMP][ESS]"),
    (0x0001, [.wps(WPS(bytes: []))], "[ESS][WPS]"),
  ]

  @Test(arguments: capabilities.indices)
  func `capabilities are written as Android writes them`(index: Int) throws {
    let (capability, values, text) = Self.capabilities[index]
    #expect(BSSFacts(try makeBSS(1, "x", capability: capability, values)).androidCapabilities == text)
  }

  @Test(arguments: [(UInt16(3), "[ESS]"), (1, "[IBSS]"), (2, "")])
  func `capabilities at 60 GHz have bits of their own`(capability: UInt16, text: String) throws {
    #expect(BSSFacts(try makeBSS(1, "x", frequencyMHz: 60480, capability: capability)).androidCapabilities == text)
  }

  @Test(arguments: [(0, "0"), (-5325, "-53.25"), (-5320, "-53.2"), (-5305, "-53.05"), (-5300, "-53"), (-25, "-0.25"), (5, "0.05")])
  func `hundredths are written without zeros behind`(value: Int, text: String) {
    #expect(Decimal.hundredths(value) == text)
  }
}
