import Foundation
import Models
import Testing
import WiFi

@testable import Harness

/// The tables of `docs/what-the-settings-do.md` are what the reference does: they are made of it.
@Suite struct WhatTheSettingsDoTests {
  private static let home = NetworkID.network(ssid("Home"), .personal)
  private static let cafe = NetworkID.network(ssid("Cafe"), .open)

  /// What happens, one after the other, from a list with Home, which takes a password, and Cafe, which is open.
  static let rows: [(what: String, events: [Happening])] = [
    ("A network that takes a password is tapped", [.input(.tapRow(home))]),
    ("An open network is tapped", [.input(.tapRow(cafe))]),
    ("The selected network is tapped", [.input(.tapRow(cafe)), .input(.tapRow(cafe))]),
    ("Info of a network is tapped", [.input(.tapInfo(home))]),
    ("A network that is not there is tapped", [.input(.tapRow(.bss(MACAddress(9))))]),
    ("Join is tapped on a sheet", sheet + [.input(.type("blob")), .input(.join)]),
    ("Join is tapped again while it connects", sheet + [.input(.join), .began, .input(.join)]),
    ("The password is changed while it connects", sheet + [.input(.type("blob")), .input(.join), .began, .input(.type("other"))]),
    ("The network is joined", connecting + [.ended(nil)]),
    ("The password was wrong", connecting + [.ended(.wrongPassword)]),
    ("OK is tapped then", connecting + [.ended(.wrongPassword), .input(.close("incorrectPassword", isCurrent: true, over: 1))]),
    ("The access point does not answer", connecting + [.ended(.timedOut)]),
    ("The network is out of range", connecting + [.ended(.outOfRange)]),
    ("The access point refuses", connecting + [.ended(.rejected(status: 17))]),
    ("Join is tapped after a failure", connecting + [.ended(.timedOut), .input(.join)]),
    ("Cancel is tapped while it connects", connecting + [.input(.cancel)]),
    ("The answer comes after that", connecting + [.input(.cancel), .ended(nil)]),
    ("Cancel is tapped while nothing runs", sheet + [.input(.cancel)]),
    ("A sheet that connects goes away", connecting + [.input(.close("connect", isCurrent: true, over: 0))]),
    ("The answer comes after that, too", connecting + [.input(.close("connect", isCurrent: true, over: 0)), .ended(nil)]),
    ("Forget is tapped on the page of the selected network", page + [.input(.forget)]),
    ("Forget is tapped on another page", [.input(.tapInfo(home)), .input(.forget)]),
    ("The question is answered with Forget", page + [.input(.forget), .input(.confirmForget)]),
    ("The question is answered with Cancel", page + [.input(.forget), .input(.keep)]),
    ("Wi-Fi is turned off while a sheet connects", connecting + [.input(.switchWiFi(isOn: false))]),
    ("Wi-Fi is turned off while a network is selected", [.input(.tapRow(cafe)), .input(.switchWiFi(isOn: false))]),
    ("Wi-Fi is turned on again", [.input(.switchWiFi(isOn: false)), .input(.switchWiFi(isOn: true))]),
    ("A scan ends while Wi-Fi is off", [.input(.switchWiFi(isOn: false)), .scan([], lost: true), .input(.switchWiFi(isOn: true))]),
    ("The source says that a network is lost", [.scan(["Home"], lost: true)]),
    ("One scan does not hear a network", [.scan(["Home"])]),
    ("Three scans do not hear it, within 30 s", [.scan(["Home"]), .scan(["Home"]), .scan(["Home"])]),
    ("Three scans do not hear it, and it was heard 30 s ago", [.scan(["Home"]), .scan(["Home"]), .scan(["Home"], after: 40)]),
    ("So, but the scans were cut short", (0..<3).map { .scan(["Home"], isWhole: false, after: $0 < 2 ? 2 : 40) }),
    ("The selected network is lost", [.input(.tapRow(cafe)), .scan(["Home"], lost: true)]),
    ("The network of a sheet is lost", sheet + [.scan(["Cafe"], lost: true)]),
    ("It is heard again", sheet + [.scan(["Cafe"], lost: true), .scan(["Home", "Cafe"])]),
    ("A second access point of a network is heard, and stronger", [.scan(["Home", "Home"])]),
    ("A network that hides its name is heard", [.scan(["Home", "Cafe", ""])]),
  ]

  private static let sheet: [Happening] = [.input(.tapRow(home))]
  private static let connecting: [Happening] = sheet + [.input(.type("blob")), .input(.join), .began]
  private static let page: [Happening] = [.input(.tapRow(cafe)), .input(.tapInfo(cafe))]

  enum Happening {
    case input(UserInput)
    case began
    case ended(JoinError?)
    /// A scan that hears these names, whether it says that all others are lost, and how many seconds after the last.
    case scan([String], lost: Bool = false, isWhole: Bool = true, after: Int = 2)
  }

  @Test func `the article says what the reference does`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/what-the-settings-do.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let marker = "| What happens | What is shown then |\n| --- | --- |\n"
    let head = try #require(text.range(of: marker)).upperBound
    let made = Self.rows.map { "| \($0.what) | \(Self.shown(after: $0.events)) |\n" }.joined()
    if ProcessInfo.processInfo.environment["WRITE_ARTICLE"] != nil {
      try (String(text[..<head]) + made).write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(String(text[head...]) == made, "write it again: WRITE_ARTICLE=1 swift test --filter WhatTheSettingsDo")
    }
  }

  private static func shown(after events: [Happening]) -> String {
    let log = WorldLog(initialScan: nil)
    var reference = SettingsReference(ScenarioStart(), log, grouping: .network, order: .strength)
    var seconds = 100
    func take(_ event: WorldLog.Event) { reference.take(event, log) }
    for event in [.scan(["Home", "Cafe"])] + events {
      switch event {
      case .input(let input): take(.input(input))
      case .began:
        log.attempts.append(.init(network: home, password: "blob", start: .zero))
        if case .sheet(let sheet) = reference.shown { log.attempts[0].password = sheet.attempt?.password ?? "" }
        take(.attemptBegan(0))
      case .ended(let error):
        log.attempts[0].error = error
        take(.attemptEnded(0, isCancelled: false))
      case .scan(let names, let saysLost, let isWhole, let pause):
        seconds += pause
        var scan = Scan(
          interface: "wlan0", start: .seconds(seconds - 1), end: .seconds(seconds), completion: isWhole ? .complete : .partial(.aborted),
          bss: names.enumerated().map { Self.bss($1, second: names.firstIndex(of: $1) != $0, heard: seconds) })
        let heard = Set(scan.bss.map(\.bssid))
        if saysLost { scan.lost = ["Home", "Cafe"].map { Self.bss($0, second: false, heard: 0).bssid }.filter { !heard.contains($0) } }
        take(.scan(scan, list: nil))
      }
    }
    return reference.words
  }

  private static func bss(_ name: String, second: Bool, heard: Int) -> BSS {
    var elements: [UInt8] = [0, UInt8(name.utf8.count)] + Array(name.utf8)
    if name == "Home" { elements += [48, 20, 1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 2, 0, 0] }
    let address: UInt64 = ["Home": 1, "Cafe": 2][name, default: 3] + (second ? 16 : 0)
    var bss = BSS(bssid: MACAddress(address), frequencyMHz: 2412, capability: name == "Home" ? 0x11 : 1, informationElements: elements)
    (bss.signalMBm, bss.lastSeenBootTimeNs) = (second ? -4500 : -6000, UInt64(heard) * 1_000_000_000)
    return bss
  }

  private static func ssid(_ name: String) -> SSID { SSID(Array(name.utf8)) ?? .wildcard }
}

extension SettingsReference {
  /// All that is shown, in words.
  fileprivate var words: String {
    guard isOn else { return "only the switch, which is off" }
    var parts: [String] = []
    switch shown {
    case .list: break
    case .knownNetworks: parts.append("the known networks")
    case .page(let page):
      let offers = page.row.id == selected?.id ? ", which offers Forget" : ""
      parts.append("the page of \(page.row.title)\(offers)" + (page.asksToForget ? ", and the question whether to forget it" : ""))
    case .sheet(let sheet):
      var words = "the sheet of \(sheet.row.title)"
      if list[sheet.row.id] == nil { words += ", which is lost" }
      if !sheet.password.isEmpty { words += ", with “\(sheet.password)” in its field" }
      if let attempt = sheet.attempt { words += ", connecting" + (attempt.password.map { " with “\($0)”" } ?? "") }
      if let failure = sheet.failure { words += ", which says “\(failure.rawValue)”" }
      if sheet.hasAlert { words += ", and the alert that the password was wrong" }
      parts.append(words)
    }
    if let selected { parts.append("selected: \(selected.title)" + (list[selected.id] == nil ? ", out of range" : "")) }
    let rest = list.rows.filter { $0.id != selected?.id }.map { "\($0.title) \(Int(($0.strength * 100).rounded())) %" }
    parts.append(rest.isEmpty ? "no other rows" : "rows: " + rest.joined(separator: ", "))
    return parts.joined(separator: "; ")
  }
}
