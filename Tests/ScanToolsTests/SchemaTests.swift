import DaemonControl
import Foundation
import Models
import Observing
import Page
import ScanTools
import Simulator
import Testing
import WiFi

@testable import StrictFormats

@Suite struct SchemaTests {
  @Test(arguments: JSONSchema.names)
  func `every keyword of the schemas is one that is checked here`(file: String) throws {
    try JSONSchema(file: file).checkKeywords()
  }

  @Test func `there are captures of scans to check`() {
    #expect(Captures.scans.count >= 20)
  }

  // MARK: What the package writes

  @Test(arguments: Captures.distinctScans)
  func `scans keep their schema`(name: String) throws {
    let schema = try JSONSchema(file: "scan-1.json")
    for grouping in Grouping.allCases {
      let report = ScanReport(try Captures.scan(name), grouping: grouping)
      let value = try StrictJSON(report.json())
      #expect(try schema.violations(of: value) == [])
      #expect(try StrictJSON(report.json(pretty: true)) == value)
    }
  }

  @Test(arguments: [
    JoinFailure.Reason.wrongPassword, .savedPasswordWrong,
    .impossiblePassword(.tooShort(count: 3, minimum: 8)), .passwordMissing, .outOfRange,
    .accessPointNotHeard(MACAddress(9), heard: [MACAddress(2)]), .otherSecurity(announced: ["Open"], asked: .psk),
    .lost(.handshake), .refused(.associating, status: 17), .dismissed(.handshake, reason: 15), .timedOut(.searching), .noAddress, .linkLost,
    .notSupported("x"), .noInterface, .interfaceDown, .notManaged, .superseded, .busy, .noPermission, .noDaemon, .daemonLost,
    .supplicantLost, .daemonSilent, .daemonRefused("\u{1B}[31m"), .malformed(WireError(offset: 1, reason: .invalid("x"))), .cancelled,
  ])
  func `joins keep their schema, and hold no password`(reason: JoinFailure.Reason) throws {
    let schema = try JSONSchema(file: "join-1.json")
    let request = JoinRequest(
      interface: "wlan0", ssid: try #require(SSID([0x1B, 0xFF])), security: .psk, password: Secret("blobby boots"))
    let evidence = [JoinEvidence(.supplicant, at: .seconds(3), "CTRL-EVENT-\"x\"")]
    let failure = JoinFailure(reason, .likely, evidence: evidence, aftermath: .returning)
    let joined = JoinOutcome.Joined(
      bssid: MACAddress(2), address: "10.0.0.1", isKept: true, usedSavedPassword: true, savingFailure: .daemonSilent)
    for outcome in [JoinOutcome(.failure(failure), after: .seconds(2)), JoinOutcome(.success(joined), after: .zero)] {
      for daemon in JoinDaemon.allCases + [nil] {
        let json = JoinReport(request, over: daemon, outcome: outcome, start: .seconds(1)).json()
        #expect(try schema.violations(of: StrictJSON(json)) == [])
        #expect(!String(decoding: json, as: UTF8.self).contains("blob"))
      }
    }
  }

  @Test(arguments: [
    KnownNetworkError.cannot(.priority, .iwd), .unknownNetwork(.wildcard), .nameMissing, .notSupported(.wep), .securityFamily(.open, .psk),
    .passwordNotTaken(.open), .passwordMissing, .impossiblePassword(.notPrintable(offset: 1)), .priorityOutOfRange(-1000), .noInterface,
    .notManaged, .busy, .noPermission, .noDaemon, .daemonLost, .daemonSilent, .refused("\u{1B}[31m"),
    .malformed(WireError(offset: 1, reason: .invalid("x"))), .cancelled,
  ])
  func `known networks keep their schema, and hold no password`(error: KnownNetworkError) throws {
    let schema = try JSONSchema(file: "known-1.json")
    let ssid = try #require(SSID([0x1B, 0xFF]))
    let report = KnownNetworksReport(
      .forget(.init(key: "1", ssid: ssid)), interface: "wlan0", over: nil, outcome: .failure(error))
    #expect(try schema.violations(of: StrictJSON(report.json())) == [])
    #expect(error.description.hasSuffix("."))
  }

  @Test(arguments: Captures.distinctScans)
  func `advice about channels keeps its schema`(name: String) throws {
    let scan = try Captures.scan(name)
    let networks = Network.networks(of: scan.bss.map { BSSFacts($0) })
    let bands = [Band.ghz2_4, .ghz5, .ghz6].map { ChannelAdvice(networks, band: $0) }
    let report = ChannelsReport(interface: scan.interface, bands: bands)
    let value = try StrictJSON(report.json())
    #expect(try JSONSchema(file: "channels-1.json").violations(of: value) == [])
    #expect(try StrictJSON(report.json(pretty: true)) == value)
  }

  @Test func `the radio keeps its schema, and its lines hold nothing that a terminal obeys`() throws {
    let schema = try JSONSchema(file: "radio-1.json")
    var report = RadioReport()
    #expect(try schema.violations(of: StrictJSON(report.json())) == [])
    (report.daemon, report.isOn) = (.iwd, false)
    report.switches = [
      .init(name: "phy\u{1B}0", isSoftBlocked: true, isHardBlocked: false), .init(name: "phy1", isSoftBlocked: false, isHardBlocked: true),
    ]
    #expect(try schema.violations(of: StrictJSON(report.json())) == [])
    #expect(report.lines == ["iwd: off", #"rfkill phy\x1b0: off"#, "rfkill phy1: off, by a switch of the machine"])
  }

  @Test func `answers about known networks keep their schema, and hold no password`() throws {
    let schema = try JSONSchema(file: "known-1.json")
    let ssid = try #require(SSID([0x1B, 0xFF]))
    let secret = Secret("blobby boots")
    let networks = JoinSecurity.allCases.enumerated().map { index, security in
      KnownNetwork(
        id: .init(key: "\u{1B}\(index)", ssid: ssid), security: security, priority: index == 0 ? nil : -index,
        joinsAutomatically: index == 1, isHidden: index == 2, isJoined: index == 3, isInRange: [nil, true, false][index % 3])
    }
    let id = networks[0].id
    let requests: [KnownNetworkRequest] = [
      .list, .add(KnownNetworkDraft(ssid: ssid, security: .psk, password: secret)), .edit(id, KnownNetworkEdit(password: secret)),
      .duplicate(id, KnownNetworkEdit(password: secret)), .forget(id),
    ]
    for (index, request) in requests.enumerated() {
      let answer = KnownNetworkAnswer(networks: networks, changed: index == 0 ? nil : id, isSaved: index != 2)
      let json = KnownNetworksReport(
        request, interface: "wlan0", over: JoinDaemon.allCases[index % 3], outcome: .success(answer)
      ).json()
      #expect(try schema.violations(of: StrictJSON(json)) == [])
      #expect(!String(decoding: json, as: UTF8.self).contains("blob"))
      #expect(!"\(request)".contains("blob"))
    }
  }

  @Test(arguments: [
    Scan.Completion.cached, .partial(.aborted), .partial(.eventsLost), .partial(.deadline), .partial(.dumpInterrupted),
  ])
  func `scans that are no complete ones keep their schema`(completion: Scan.Completion) throws {
    var scan = try Captures.scan("hidden-found")
    scan.completion = completion
    scan.frequenciesKHz = [2_412_000, 902_500]
    scan.unreadable = 3
    var report = ScanReport(scan)
    let messages = try NetlinkMessage.messages(in: Captures.bytes("station")).messages
    let answer = try messages.first.map { try GenericNetlinkMessage(payload: $0.payload) }
    report.station = answer.flatMap { Station($0) }
    let value = try StrictJSON(report.json())
    #expect(try JSONSchema(file: "scan-1.json").violations(of: value) == [])
    #expect(value["station"]?["sendingRate"] == .string("1.0 Mb/s (20 MHz)"))
    let lines = try JSONSchema(file: "recording-1.json")
    #expect(try lines.violations(of: StrictJSON(Recording.line(scan))) == [])
  }

  @Test func `a BSS with every attribute that a kernel can send keeps its schema`() throws {
    var bss = BSS(bssid: MACAddress(0x0200_0000_0001), frequencyMHz: 902, capability: 0x0431, informationElements: [0, 1, 65, 255, 0, 7])
    bss.frequencyOffsetKHz = 500
    bss.tsfUs = .max
    bss.beaconIntervalTU = .max
    bss.beaconElements = [0, 1, 66, 5]
    bss.beaconTSFUs = 1
    bss.signalUnspecified = 70
    bss.status = 1
    bss.seenMsAgo = .max
    bss.lastSeenBootTimeNs = 5
    bss.scanWidth = 4
    bss.parentTSFUs = 9
    bss.parentBSSID = MACAddress(2)
    bss.mloLinkID = 15
    bss.mldAddress = MACAddress(3)
    bss.trailing = [8, 0, 2]
    bss.otherAttributes = [
      .init(type: 0x8000 | NL80211.BSSAttribute.chainSignal, payload: [5, 0, 0, 0, 0xC8, 0, 0, 0, 5, 0, 1, 0, 0xC9, 0, 0, 0]),
      .init(type: 200, payload: [1, 2, 3]),
    ]
    let value = try StrictJSON(
      ScanReport(Scan(interface: "w", start: .zero, end: .zero, completion: .cached, bss: [bss])).json())
    #expect(try JSONSchema(file: "scan-1.json").violations(of: value) == [])
    guard case .object(let members)? = value["bss"]?.items?.first,
      case .object(let known)? = try JSONSchema(file: "scan-1.json", definition: "bss").root["properties"]
    else {
      Issue.record("no object")
      return
    }
    // The schema promises nothing that is never written; what profiles say is written by `decode`, makers where they are asked for.
    let decoded: Set = ["nontransmittedBSSs", "malformedProfilesHex", "links"]
    #expect(Set(known.keys).subtracting(members.keys).subtracting(decoded) == ["apName", "centerFrequency1MHz", "maker", "signalDBm"])
  }

  @Test(arguments: Captures.distinctScans)
  func `scans as lines keep the schema of a BSS`(name: String) throws {
    let schema = try JSONSchema(file: "scan-1.json", definition: "bss")
    let report = ScanReport(try Captures.scan(name))
    let lines = report.ndjson().split(separator: 0x0A)
    #expect(lines.count == report.facts.count)
    for (line, whole) in zip(lines, try #require(StrictJSON(report.json())["bss"]?.items)) {
      let value = try StrictJSON(Array(line))
      #expect(try schema.violations(of: value) == [])
      #expect(value == whole)
    }
  }

  @Test(arguments: Captures.scans)
  func `recordings keep their schema`(name: String) throws {
    let schema = try JSONSchema(file: "recording-1.json")
    #expect(try schema.violations(of: StrictJSON(Recording.line(try Captures.scan(name)))) == [])
  }

  @Test func `the recording that ships keeps its schema`() throws {
    let schema = try JSONSchema(file: "recording-1.json")
    let lines = Array(try Data(contentsOf: fixtures.appending(path: "recordings/lab.ndjson"))).split(separator: 0x0A)
    #expect(lines.count > 10)
    for line in lines { #expect(try schema.violations(of: StrictJSON(Array(line))) == []) }
  }

  @Test func `headers of recordings keep their schema`() throws {
    let schema = try JSONSchema(file: "recording-1.json")
    let dated = Recording.Header(source: "", began: UTCTime("2026-11-21 03:57:00"), beganBootTime: .seconds(5))
    for header in [Recording.Header(source: "a \"b\" \u{1B}"), dated] {
      #expect(try schema.violations(of: StrictJSON(Recording.line(header))) == [])
    }
  }

  @Test func `events of a page keep their schema`() throws {
    let settings = WiFiSettingsModel(
      source: NoScans(), joiner: NoJoins(), knownNetworks: SimulatedKnownNetworks(clock: ContinuousClock()), onIssue: { _ in })
    let viewer = Viewer(settings, now: .seconds(1))
    let presenter = PagePresenter()
    let turn = ObservationTurn(isolation: nil)
    let navigation = Navigation(presenter, in: turn) { settings.declareNavigation(in: $0) { _ in } }
    let feed = PageFeed(viewer, presenter)
    let user = PageUser(viewer, presenter, onAttempt: { _, _ in }, onCancelled: { _ in }, onScanNow: {})
    let hello = try JSONSchema(file: "page-1.json", definition: "hello")
    let change = try JSONSchema(file: "page-1.json", definition: "change")
    #expect(try hello.violations(of: StrictJSON(feed.hello(mayAct: true).data)) == [])
    var count = 0
    for (index, name) in Captures.scans.enumerated() {
      var scan = try Captures.scan(name)
      scan.start = .seconds(100 * index)
      scan.end = .seconds(100 * index + 3)
      turn {
        viewer.take(scan)
        settings.apply(scan)
        viewer.update()
      }
      for action in [nil, viewer.networks.first.map { PageAction.info($0.id) }, viewer.networks.last.map { PageAction.tap($0.id) }] {
        if let action { turn { _ = user.perform(action) } }
        if let event = feed.event(of: feed.look(), Transaction(animation: .default)) {
          #expect(try change.violations(of: StrictJSON(event.data)) == [])
          count += 1
        }
        #expect(try hello.violations(of: StrictJSON(feed.hello(mayAct: false).data)) == [])
      }
    }
    #expect(count > Captures.scans.count)
    // What a filter hides.
    for text in ["no network has this name", ""] {
      turn { _ = user.perform(.filter(text)) }
      let event = try #require(feed.event(of: feed.look(), Transaction(animation: .default)))
      #expect(try change.violations(of: StrictJSON(event.data)) == [])
      #expect(try hello.violations(of: StrictJSON(feed.hello(mayAct: false).data)) == [])
    }
    // The known networks, their pages, and the sheet.
    let known = KnownNetwork(id: .init(key: "3", ssid: try #require(SSID([0x3C, 0xFF]))), security: .psk, priority: -2)
    turn {
      settings.destination = settings.knownNetworksModel(
        networks: [known], failure: .noPermission, path: { [$0.editModel(of: known, failure: .passwordMissing)] },
        sheet: { $0.addModel(copying: known, password: "secret", isSaving: true) }
      ).map { .known($0) }
    }
    let shown = feed.hello(mayAct: true).data
    #expect(feed.look().layers.count == 3)
    #expect(try hello.violations(of: StrictJSON(shown)) == [])
    let event = try #require(feed.event(of: feed.look(), Transaction(animation: .default)))
    #expect(try change.violations(of: StrictJSON(event.data)) == [])
    #expect(!String(decoding: event.data, as: UTF8.self).contains("secret"))
    navigation.end()
  }

  private final class NoScans: NetworkSource {
    func nextScan() async throws -> Scan? { nil }
  }

  private final class NoJoins: NetworkJoiner {
    func join(_ network: Network, password: String?) async throws(JoinError) { throw .outOfRange }
  }

  @Test func `changes keep their schema`() throws {
    let schema = try JSONSchema(file: "change-1.json")
    var events: Set<String> = []
    for grouping in Grouping.allCases {
      let model = FoundNetworksModel(grouping: grouping)
      for (index, name) in Captures.scans.enumerated() {
        var scan = try Captures.scan(name)
        scan.start = .seconds(100 * index)
        scan.end = .seconds(100 * index + 3)
        scan.bss = scan.bss.map { bss in
          var bss = bss
          bss.lastSeenBootTimeNs = nil
          return bss
        }
        for change in model.apply(scan).networks {
          let value = try StrictJSON(ChangeReport(change, at: scan.end).json)
          #expect(try schema.violations(of: value) == [])
          events.insert(value["event"]?.text ?? "")
        }
      }
    }
    #expect(events == ["found", "changed", "lost"])
  }

  @Test(arguments: Captures.distinctNames)
  func `decoded captures keep their schema`(name: String) throws {
    let input = try DecodedInput(Captures.bytes(name), as: .nl80211)
    #expect(try JSONSchema(file: "decode-1.json").violations(of: json(input)) == [])
    #expect(try lines(input) == json(input)["messages"]?.items)
  }

  /// What ndjson has a line of.
  private func lines(_ input: DecodedInput) throws -> [StrictJSON] {
    var writer = FieldWriter(style: .json)
    input.describeLines(into: &writer)
    return try writer.bytes.split(separator: 0x0A).map { try StrictJSON(Array($0)) }
  }

  @Test(arguments: ["lab", "modern", "malformed", "measurement"])
  func `decoded elements, frames and files keep their schema`(name: String) throws {
    let schema = try JSONSchema(file: "decode-1.json")
    let scan = try Captures.scan(name)
    for bss in scan.bss {
      let body = BeaconBody(
        timestampUs: 1, intervalTU: 100, capabilities: bss.capability, elements: ElementList(parsing: bss.informationElements))
      let frame = ManagementFrame(receiver: MACAddress(1), transmitter: bss.bssid, bssid: bss.bssid, body: .beacon(body))
      guard !bss.informationElements.isEmpty else { continue }
      #expect(try schema.violations(of: json(DecodedInput(bss.informationElements, as: .elements))) == [])
      #expect(try schema.violations(of: json(DecodedInput(frame.encoded, as: .frame))) == [])
    }
    let file = ScanReport(scan).pcapng(release: "1", end: UTCTime(seconds: 1_800_000_000))
    #expect(try schema.violations(of: json(DecodedInput(file))) == [])
    #expect(try lines(DecodedInput(file)) == json(DecodedInput(file))["frames"]?.items)
    #expect(try schema.violations(of: json(DecodedInput(Array(file.dropLast(3)), as: .capture))) == [])
  }

  private func json(_ input: DecodedInput) throws -> StrictJSON {
    var writer = FieldWriter(style: .json)
    writer.object { input.describe(into: &$0) }
    return try StrictJSON(writer.bytes)
  }

  @Test func `what doctor shows keeps its schema`() throws {
    func check(_ value: some Describable, _ definition: String) throws {
      var writer = FieldWriter(style: .json)
      writer.object { value.describe(into: &$0) }
      #expect(try JSONSchema(file: "doctor-1.json", definition: definition).violations(of: StrictJSON(writer.bytes)) == [])
    }
    let adapters = Adapter.adapters(of: try Captures.messages("wiphy"))
    let interfaces = try Captures.messages("interfaces").compactMap { Interface($0) }
    let domains = try Captures.messages("regulatory").compactMap { RegulatoryDomain($0) }
    #expect(adapters.count == 1 && interfaces.count == 32 && !domains.isEmpty)
    for adapter in adapters { try check(adapter, "adapter") }
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.mac, [2, 0, 0, 0, 0, 1])
    writer.nest(NL80211.Attribute.stationInfo) { writer in
      for type in [1, 9, 10, 11, 12, 16] as [UInt16] { writer.write(type, UInt32(1)) }
      for type in [7, 13] as [UInt16] { writer.write(type, UInt8(0xD0)) }
      for type in [23, 24] as [UInt16] { writer.write(type, UInt64(1)) }
      for type in [8, 14] as [UInt16] { writer.nest(type) { $0.write(5, UInt32(540)) } }
    }
    try check(try #require(Station(GenericNetlinkMessage(command: NL80211.Command.newStation, attributes: writer.bytes))), "station")
    for interface in interfaces { try check(interface, "interface") }
    for domain in domains { try check(domain, "regulatoryDomain") }
  }

  // MARK: What the schemas refuse

  /// A scan with one thing changed.
  private func withScan(_ change: (inout [String: StrictJSON]) -> Void) throws -> StrictJSON {
    guard case .object(var members) = try StrictJSON(ScanReport(try Captures.scan("hidden-found")).json()) else { return .null }
    change(&members)
    return .object(members)
  }

  /// A scan with one thing of its first BSS changed.
  private func withBSS(_ change: (inout [String: StrictJSON]) -> Void) throws -> StrictJSON {
    try withScan { members in
      guard case .array(var list)? = members["bss"], case .object(var bss) = list[0] else { return }
      change(&bss)
      list[0] = .object(bss)
      members["bss"] = .array(list)
    }
  }

  @Test func `a wrong type, a missing and an additional name are refused`() throws {
    let schema = try JSONSchema(file: "scan-1.json")
    let wrong: [(StrictJSON, [String])] = [
      (.null, ["$: null is no object"]),
      (try withScan { $0["complete"] = .string("yes") }, ["$.complete: string(\"yes\") is no boolean"]),
      (try withScan { $0["interface"] = nil }, ["$: no interface"]),
      (try withScan { $0["wlan0"] = .null }, ["$: wlan0 is additional"]),
      (try withScan { $0["schema"] = .string("wifi-harness/scan/2") }, ["$.schema: not string(\"wifi-harness/scan/1\")"]),
      (
        try withBSS({ $0["channel"] = .number(1.5, isInteger: false) }),
        ["$.bss[0].channel: number(1.5, isInteger: false) is no integer or null"]
      ),
      (try withBSS({ $0["channel"] = .number(0, isInteger: true) }), ["$.bss[0].channel: 0.0 is less than 1.0"]),
      (try withBSS({ $0["capabilityBits"] = .number(65536, isInteger: true) }), ["$.bss[0].capabilityBits: 65536.0 is more than 65535.0"]),
      (
        try withBSS({ $0["secondaryChannel"] = .string("beside") }),
        ["$.bss[0].secondaryChannel: string(\"beside\") is none of the values"]
      ),
      (try withBSS({ $0["ssid"] = nil }), ["$.bss[0]: no ssid"]),
      (
        try withBSS({ $0["bssid"] = .string("02:00:00:00:00:0G") }),
        ["$.bss[0].bssid: \"02:00:00:00:00:0G\" is not ^[0-9a-f]{2}(:[0-9a-f]{2}){5}$"]
      ),
      (
        try withBSS({ $0["elements"] = .array([.object([:])]) }),
        ["id", "name", "offset", "length", "hex"].map { "$.bss[0].elements[0]: no \($0)" }
      ),
    ]
    for (value, violations) in wrong { #expect(try schema.violations(of: value) == violations) }
  }

  @Test func `a line that is neither header nor scan is refused`() throws {
    let schema = try JSONSchema(file: "recording-1.json")
    #expect(try schema.violations(of: StrictJSON("{\"format\":\"wifi-harness/recording/1\"}")) == ["$: 0 of oneOf", "$: no source"])
  }

  @Test(arguments: [
    ("{\"maxLength\":3}", "$: the keyword maxLength: number(3.0, isInteger: true)"),
    ("{\"items\":{\"format\":\"date\"}}", "$.items: the keyword format: string(\"date\")"),
    ("{\"type\":\"text\"}", "$: the type string(\"text\")"),
    ("{\"$ref\":\"#/$defs/none\"}", "the reference #/$defs/none leads nowhere"),
    ("{\"properties\":{}}", "$: whether there may be additional properties"),
  ])
  func `a schema with a keyword that is not checked is an error`(text: String, message: String) throws {
    #expect { try JSONSchema(text).checkKeywords() } throws: { "\($0)" == message }
  }

  @Test(arguments: ["{\"a\":1,\"a\":1}", "[1,]", "01", "-", "1.", "1e", "+1", ".5", "\"\u{1}\"", "\"\\ud800\"", "{} {}", "tru", ""])
  func `what is no strict JSON is refused`(text: String) {
    #expect(throws: StrictJSON.Failure.self) { try StrictJSON(text) }
  }
}
