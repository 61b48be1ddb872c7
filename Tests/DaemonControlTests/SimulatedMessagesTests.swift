import DaemonControl
import DaemonProtocols
import Simulator
import Testing
import WiFi

/// The messages of the simulated daemons have the shape of those that were recorded from the real ones.
@Suite struct SimulatedMessagesTests {
  /// What a message is: what it answers, or its interface and member.
  struct Key: Hashable {
    var kind: DBusMessage.Kind
    var name: String
  }

  /// How a message is put together: the order of the fields of its header, and the types of its body.
  struct Shape: Hashable {
    var fields: [UInt8]
    var signature: DBusSignature
  }

  /// The shapes of the messages that came, and the keys of properties in them.
  static func shapes(_ recording: ControlRecording) throws -> (shapes: [Key: Set<Shape>], properties: [Key: Set<String>]) {
    var calls: [UInt32: String] = [:]
    var shapes: [Key: Set<Shape>] = [:]
    var properties: [Key: Set<String>] = [:]
    var sent = DBusStream()
    var received = DBusStream()
    var serial: UInt32 = 0
    for entry in recording.entries where entry.channel == .bus {
      switch entry.content {
      case .sent(let bytes):
        // The first call comes behind the last line of the greeting.
        let start = bytes.starts(with: "BEGIN\r\n".utf8) ? 7 : 0
        guard start > 0 || bytes.first == UInt8(ascii: "l") else { continue }
        sent.append(bytes[start...])
        while let message = try sent.next() {
          serial = message.serial
          if message.kind == .methodCall {
            calls[message.serial] = "\(message.interface ?? "").\(message.member ?? "") \(message.body.first?.text ?? "")"
          }
        }
      case .sentSecret:
        serial += 1
        calls[serial] = "with a secret"
      case .received(let bytes):
        guard bytes.first == UInt8(ascii: "l") || received.pending > 0 else { continue }
        received.append(bytes)
        while let message = try received.next() {
          let name =
            switch message.kind {
            case .methodReturn, .error: "to \(message.replySerial.flatMap { calls[$0] } ?? "?")"
            default:
              "\(message.interface ?? "").\(message.member ?? "") \(message.body.first?.text.map { $0.hasPrefix("/") ? "" : $0 } ?? "")"
            }
          let key = Key(kind: message.kind, name: name)
          shapes[key, default: []].insert(Shape(fields: message.fields.map(\.code), signature: message.signature))
          for value in message.body { collect(value, into: &properties[key, default: []]) }
          #expect(try DBusMessage(message.encoded) == message)
        }
      default: break
      }
    }
    return (shapes, properties)
  }

  /// The names of all properties, with the types of their values.
  private static func collect(_ value: DBusValue, into names: inout Set<String>) {
    guard case .array(_, let elements) = value.unwrapped else { return }
    for case .dictionaryEntry(let key, let content) in elements {
      if case .string(let name) = key { names.insert("\(name): \(content.unwrapped.type)") }
      collect(content, into: &names)
    }
  }

  @Test(arguments: [
    ("networkmanager-sae-right", "Lab SAE", RecordedJoin.right), ("networkmanager-psk-wrong", "Lab WPA2", RecordedJoin.wrong),
    ("iwd-sae-right", "Lab SAE", RecordedJoin.right), ("iwd-psk-wrong", "Lab WPA2", RecordedJoin.wrong),
    ("iwd-nowhere", "Lab Nowhere", RecordedJoin.wrong), ("iwd-no-daemon", "Lab SAE", RecordedJoin.right),
  ])
  func `headers, types and properties are those of the real daemon`(row: (file: String, name: String, password: String)) async throws {
    let real = try Self.shapes(try RecordedJoin.recording(row.file))
    let lab = try DaemonLab(row.file.hasPrefix("iwd") ? .iwd : .networkManager)
    if row.file.hasSuffix("wrong") {
      try lab.know("Lab Transition")
      try await lab.pass(.seconds(10))
    }
    if row.file.hasSuffix("no-daemon") { lab.kill() }
    let simulated = try Self.shapes(try await lab.join(row.name, row.password).1)
    var compared = 0
    for (key, shapes) in simulated.shapes {
      guard let expected = real.shapes[key] else { continue }
      compared += 1
      #expect(shapes.isSubset(of: expected), "\(key): \(shapes), real are \(expected)")
    }
    for (key, names) in simulated.properties {
      guard let expected = real.properties[key] else { continue }
      #expect(names.isSubset(of: expected), "\(key): \(names.subtracting(expected)) are not what the real daemon sends")
    }
    #expect(compared > (row.file.hasSuffix("no-daemon") ? 2 : 5), "\(compared) kinds of messages are compared")
  }

  @Test func `calls of NetworkManager without their flags are no trap, and leave what is on disk`() throws {
    let lab = try DaemonLab(.networkManager)
    try lab.knowOpen("Lab Open")
    let link = lab.machine.link()
    try link.open(.bus)
    let settings = NetworkManagerProfile(ssid: try #require(SSID(Array("Lab Open".utf8)))).settings
    let profile = try #require(DBusObjectPath("\(NetworkManagerBus.settingsPath)/1"))
    let greeting = [DBusAuthenticationLine.authenticate(mechanism: DBusAuthenticationLine.external, response: [0x30]), .begin]
    let calls = [
      DBusMessage.call(
        NetworkManagerBus.service, NetworkManagerBus.settingsPath, NetworkManagerBus.settingsInterface, "AddConnection2", [settings],
        serial: 1),
      DBusMessage.call(NetworkManagerBus.service, profile, NetworkManagerBus.profileInterface, "Update2", [settings], serial: 2),
    ]
    let bytes: [UInt8] = [0] + greeting.flatMap(\.encoded) + calls.flatMap(\.encoded)
    try link.send(ControlPayload(bytes), on: .bus)
    #expect(lab.known == ["Lab Open", "Lab Open"])
    #expect(lab.saved == ["Lab Open"])
  }
}
