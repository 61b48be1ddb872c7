import DaemonControl
import DaemonProtocols
import Foundation
import Testing
import WiFi

/// Requests about known networks as they were recorded from real daemons (`fixtures/README.md`, known/).
@Suite struct RecordedKnownNetworksTests {
  struct Recorded: Sendable, CustomTestStringConvertible {
    var name: String
    var interface: String
    /// The name of the network that it is about, or that it makes.
    var subject = "home"
    var request: @Sendable (KnownNetwork.ID) -> KnownNetworkRequest
    /// The networks afterwards, or why it failed.
    var expected: Result<[String], KnownNetworkError>
    var changed: String?

    var testDescription: String { name }
    var daemon: JoinDaemon { JoinDaemon(ofRecording: name) }

    static let folder = RecordedJoin.folder.deletingLastPathComponent().appending(path: "known")

    func recording() throws -> ControlRecording {
      try ControlRecording(String(contentsOf: Self.folder.appending(path: "\(name).control"), encoding: .utf8))
    }
  }

  static let password = "new passw0rd"
  static let café = "café 🏳️"
  static let draft = KnownNetworkDraft(
    ssid: SSID(Array(café.utf8)) ?? .wildcard, security: .pskOrSAE, password: Secret(password), priority: 7, joinsAutomatically: false,
    isHidden: true)

  static let ofSupplicant = [
    "home: WPA2-Personal, priority 3, joined automatically", "corp: Enterprise, joined automatically",
    "sae: WPA3-Personal, joined automatically", "wep: WEP, joined by hand",
  ]
  static let added = "café 🏳️: WPA2/WPA3-Personal, priority 7, joined by hand, hidden"
  static let edited = "sae: WPA3-Personal, priority 9, joined automatically"
  static let copy = "home 5G: WPA2-Personal, priority 3, joined automatically"
  static let ofNetworkManager = "home: WPA2-Personal, joined automatically"
  static let addedThere = "café 🏳️: WPA2-Personal, priority 7, joined by hand, hidden"

  static let all: [Recorded] = [
    Recorded(name: "supplicant-list", interface: "lo", request: { _ in .list }, expected: .success(ofSupplicant)),
    Recorded(
      name: "supplicant-add", interface: "lo", request: { _ in .add(draft) }, expected: .success(ofSupplicant + [added]), changed: added),
    Recorded(
      name: "supplicant-edit", interface: "lo", subject: "sae",
      request: { .edit($0, KnownNetworkEdit(password: Secret(password), priority: 9)) },
      expected: .success(ofSupplicant[..<2] + [edited, ofSupplicant[3], added]), changed: edited),
    Recorded(
      name: "supplicant-duplicate", interface: "lo", request: { .duplicate($0, KnownNetworkEdit(ssid: SSID(Array("home 5G".utf8)))) },
      expected: .success(ofSupplicant[..<2] + [edited, ofSupplicant[3], added, copy]), changed: copy),
    Recorded(
      name: "supplicant-forget", interface: "lo", request: { .forget($0) },
      expected: .success([ofSupplicant[1], edited, ofSupplicant[3], added, copy])),
    Recorded(name: "networkmanager-list", interface: "wlan0", request: { _ in .list }, expected: .success([ofNetworkManager])),
    Recorded(
      name: "networkmanager-add", interface: "wlan0", request: { _ in .add(draft) },
      expected: .success([addedThere, ofNetworkManager]), changed: addedThere),
    Recorded(
      name: "networkmanager-edit", interface: "wlan0", request: { .edit($0, KnownNetworkEdit(priority: 9)) },
      expected: .success([addedThere, "home: WPA2-Personal, priority 9, joined automatically"]),
      changed: "home: WPA2-Personal, priority 9, joined automatically"),
    Recorded(
      name: "networkmanager-duplicate-refused", interface: "wlan0",
      request: { .duplicate($0, KnownNetworkEdit(ssid: SSID(Array("home 5G".utf8)))) }, expected: .failure(.passwordMissing)),
    Recorded(
      name: "networkmanager-duplicate", interface: "wlan0",
      request: { .duplicate($0, KnownNetworkEdit(ssid: SSID(Array("home 5G".utf8)), password: Secret(password))) },
      expected: .success([
        addedThere.replacing("WPA2", with: "WPA3"), "home: WPA2-Personal, priority 9, joined by hand",
        "home 5G: WPA2-Personal, priority 9, joined by hand",
      ]), changed: "home 5G: WPA2-Personal, priority 9, joined by hand"),
    Recorded(
      name: "networkmanager-forget", interface: "wlan0", request: { .forget($0) },
      expected: .success([
        addedThere.replacing("WPA2", with: "WPA3"), "home 5G: WPA2-Personal, priority 9, joined by hand",
      ])),
    Recorded(name: "networkmanager-no-daemon", interface: "wlan0", request: { _ in .list }, expected: .failure(.noDaemon)),
    Recorded(
      name: "iwd-list", interface: "wlan0", request: { _ in .list },
      expected: .success([
        "home: WPA2/WPA3-Personal, joined automatically, out of range", "cafe: Open, joined by hand, hidden, out of range",
      ])),
    Recorded(
      name: "iwd-edit", interface: "wlan0", request: { .edit($0, KnownNetworkEdit(joinsAutomatically: false)) },
      expected: .success([
        "home: WPA2/WPA3-Personal, joined by hand, out of range", "cafe: Open, joined by hand, hidden, out of range",
      ]), changed: "home: WPA2/WPA3-Personal, joined by hand, out of range"),
    Recorded(
      name: "iwd-forget", interface: "wlan0", request: { .forget($0) },
      expected: .success(["cafe: Open, joined by hand, hidden, out of range"])),
  ]

  @Test(arguments: all)
  func `a recorded conversation is held again, to the same end`(recorded: Recorded) async throws {
    let recording = try recorded.recording()
    let link = RecordedControlLink(recording)
    let joiner = Joiner(link: link)
    // The command lists before it changes.
    let listed = await joiner.known(.list, over: recorded.daemon, interface: recorded.interface)
    var outcome = listed
    if case .success(let answer) = listed {
      let subject = answer.networks.first { $0.ssid.description == recorded.subject }?.id
      let request = recorded.request(subject ?? .init(key: "", ssid: .wildcard))
      if request != .list { outcome = await joiner.known(request, over: recorded.daemon, interface: recorded.interface) }
    }
    #expect(link.difference == nil)
    #expect(link.isFinished)
    switch (outcome, recorded.expected) {
    case (.success(let answer), .success(let lines)):
      #expect(answer.networks.map(\.description).sorted() == lines.sorted())
      #expect(answer.isSaved)
      if let changed = recorded.changed {
        #expect(answer.networks.first { $0.id == answer.changed }?.description == changed)
      }
    case (.failure(let error), .failure(let expected)): #expect(error == expected)
    default: Issue.record("\(outcome)")
    }
  }

  @Test func `every recording has a test, encodes to itself and holds no password`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Recorded.folder.path).filter { $0.hasSuffix(".control") }
    #expect(files.sorted() == Self.all.map { "\($0.name).control" }.sorted())
    for recorded in Self.all {
      let recording = try recorded.recording()
      var stream = DBusStream()
      for entry in recording.entries {
        guard case .received(let bytes) = entry.content else { continue }
        for password in [Self.password, "blobby boots", "hunter22", "abcde"] {
          #expect(!Hex.string(bytes).contains(Hex.string(password.utf8)))
        }
        // The bus greets with a line of text before there are messages.
        guard entry.channel == .bus, bytes.first.map({ $0 == UInt8(ascii: "l") }) ?? false else { continue }
        stream.append(bytes)
        while let message = try stream.next() { #expect(try DBusMessage.messages(message.encoded) == [message]) }
      }
    }
  }
}

extension DBusMessage {
  fileprivate static func messages(_ bytes: [UInt8]) throws -> [DBusMessage] {
    var stream = DBusStream()
    stream.append(bytes)
    var messages: [DBusMessage] = []
    while let message = try stream.next() { messages.append(message) }
    return messages
  }
}
