import DaemonProtocols
import WiFi

/// The system bus of a simulated machine: connections of programs, names of daemons, calls, answers and signals, as
/// dbus-daemon 1.14 sends them.
final class SimulatedBus {
  /// The name of the bus itself, its object and its interface.
  static let name = SystemBus.service
  private static let path = SystemBus.path
  /// The identity of the bus, which every program receives.
  private static let guid = "720a8341de3db6e59ea8b2415f5e100a"

  /// A program on the bus.
  final class Connection {
    /// Its name, such as `:1.4`.
    let name: String
    fileprivate weak var link: SimulatedControlLink?
    fileprivate var lines: [UInt8] = []
    fileprivate var isReady = false
    fileprivate var stream = DBusStream()
    fileprivate var matches: [BusMatch] = []
    /// The number of the last message that the bus itself sent to it.
    fileprivate var serial: UInt32 = 0

    fileprivate init(name: String, link: SimulatedControlLink) {
      self.name = name
      self.link = link
    }
  }

  private struct Owner {
    var service: any BusService
    var name: String
  }

  private struct PendingCall {
    var caller: Connection
    var service: String
    var call: DBusMessage
  }

  private let kernel: SimulatedKernel
  private var connections: [Connection] = []
  private var owners: [String: Owner] = [:]
  private var nextNumber = 0
  /// Calls that a service has not answered: where it ends, the bus answers.
  private var pending: [PendingCall] = []

  init(kernel: SimulatedKernel) { self.kernel = kernel }

  private func uniqueName() -> String {
    nextNumber += 1
    return ":1.\(nextNumber - 1)"
  }

  // MARK: Programs

  func connect(_ link: SimulatedControlLink) -> Connection {
    let connection = Connection(name: uniqueName(), link: link)
    connections.append(connection)
    return connection
  }

  func disconnect(_ connection: Connection) {
    connections.removeAll { $0 === connection || $0.link == nil }
    pending.removeAll { $0.caller === connection }
    for name in owners.keys.sorted() { owners[name]?.service.left(connection) }
  }

  func receive(_ bytes: [UInt8], from connection: Connection) {
    do throws(WireError) {
      if connection.isReady {
        connection.stream.append(bytes)
      } else {
        // The first byte is NUL: the kernel says who sends it.
        connection.lines += connection.lines.isEmpty && bytes.first == 0 ? Array(bytes.dropFirst()) : bytes
        while !connection.isReady, let line = try DBusAuthenticationLine.take(from: &connection.lines) {
          authenticate(line, connection)
        }
        guard connection.isReady else { return }
        connection.stream.append(connection.lines)
        connection.lines = []
      }
      while let message = try connection.stream.next() { route(message, from: connection) }
    } catch {
      // A program that sends what cannot be read is thrown out.
      connection.link?.hangUp(.bus)
    }
  }

  private func authenticate(_ line: DBusAuthenticationLine, _ connection: Connection) {
    let answer: DBusAuthenticationLine
    switch line {
    case .authenticate(DBusAuthenticationLine.external?, nil): answer = .data([])
    case .data, .authenticate(DBusAuthenticationLine.external?, _?): answer = .ok(Self.guid)
    case .begin:
      connection.isReady = true
      return
    default: answer = .rejected([DBusAuthenticationLine.external])
    }
    connection.link?.deliver(answer.encoded, on: .bus, at: kernel.now)
  }

  private func deliver(_ message: DBusMessage, to connection: Connection) {
    connection.link?.deliver(message.encoded, on: .bus, at: kernel.now)
  }

  private func route(_ message: DBusMessage, from connection: Connection) {
    var message = message
    message.fields.removeAll { $0.code == DBusMessage.FieldCode.sender }
    message.fields.append(.init(DBusMessage.FieldCode.sender, .string(connection.name)))
    guard let destination = message.destination else { return }
    if message.kind == .methodCall, destination == Self.name { return answer(message, connection) }
    let owner = owners[destination] ?? owners.values.first { $0.name == destination }
    guard let owner else {
      guard message.kind == .methodCall else { return }
      return fail(message, connection, "NameHasNoOwner", "Name \"\(destination)\" does not exist")
    }
    if message.kind == .methodCall {
      pending.append(PendingCall(caller: connection, service: owner.service.busName, call: message))
      owner.service.called(BusCall(message: message, caller: connection))
    } else {
      owner.service.answered(message, by: connection)
    }
  }

  // MARK: The bus itself

  private func answer(_ call: DBusMessage, _ connection: Connection) {
    switch call.member {
    case "Hello":
      reply(call, connection, [.string(connection.name)])
      let name = DBusValue.string(connection.name)
      signal("NameAcquired", [DBusMessage.FieldCode.destination: name], body: [name], to: connection)
    case "AddMatch":
      guard let rule = call.body.first?.text.flatMap({ BusMatch($0) }) else {
        return fail(call, connection, "MatchRuleInvalid", "Match rule has a key with no subsequent '=' character")
      }
      connection.matches.append(rule)
      reply(call, connection, [])
    case "GetNameOwner":
      guard let name = call.body.first?.text, let owner = owners[name] else {
        return fail(call, connection, "NameHasNoOwner", "Could not get owner of name '\(call.body.first?.text ?? "")': no such name")
      }
      reply(call, connection, [.string(owner.name)])
    default: fail(call, connection, "UnknownMethod", "\(Self.name) does not understand message \(call.member ?? "")")
    }
  }

  private func reply(_ call: DBusMessage, _ connection: Connection, _ body: [DBusValue]) {
    answer(call, connection, .methodReturn, [:], body)
  }

  private func fail(_ call: DBusMessage, _ connection: Connection, _ error: String, _ sentence: String) {
    let name = DBusValue.string("org.freedesktop.DBus.Error.\(error)")
    answer(call, connection, .error, [DBusMessage.FieldCode.errorName: name], [.string(sentence)])
  }

  private func answer(
    _ call: DBusMessage, _ connection: Connection, _ kind: DBusMessage.Kind, _ fields: [UInt8: DBusValue], _ body: [DBusValue]
  ) {
    var fields = fields
    fields[DBusMessage.FieldCode.destination] = .string(connection.name)
    fields[DBusMessage.FieldCode.replySerial] = .uint32(call.serial)
    send(kind, fields, body, to: connection)
  }

  private func signal(_ member: String, _ fields: [UInt8: DBusValue] = [:], body: [DBusValue], to connection: Connection) {
    var fields = fields
    fields[DBusMessage.FieldCode.path] = .objectPath(Self.path)
    fields[DBusMessage.FieldCode.interface] = .string(Self.name)
    fields[DBusMessage.FieldCode.member] = .string(member)
    send(.signal, fields, body, to: connection)
  }

  private func send(_ kind: DBusMessage.Kind, _ fields: [UInt8: DBusValue], _ body: [DBusValue], to connection: Connection) {
    var fields = fields
    fields[DBusMessage.FieldCode.sender] = .string(Self.name)
    connection.serial += 1
    deliver(BusDialect.daemon.message(kind, fields, body, serial: connection.serial), to: connection)
  }

  // MARK: Daemons

  /// Gives a daemon its name on the bus.
  func own(_ service: any BusService) {
    let unique = uniqueName()
    owners[service.busName] = Owner(service: service, name: unique)
    announce(service.busName, from: "", to: unique)
  }

  /// Takes a daemon's name away, and answers its waiting callers with an error.
  func disown(_ service: any BusService) {
    guard let owner = owners[service.busName], owner.service === service else { return }
    owners[service.busName] = nil
    announce(service.busName, from: owner.name, to: "")
    let lost = pending.filter { $0.service == service.busName }
    pending.removeAll { $0.service == service.busName }
    for call in lost {
      fail(call.call, call.caller, "NoReply", "Message recipient disconnected from message bus without replying")
    }
  }

  private func announce(_ name: String, from old: String, to new: String) {
    for connection in connections
    where connection.matches.contains(where: { $0.hits(Self.name, Self.path, Self.name, "NameOwnerChanged", name) }) {
      signal("NameOwnerChanged", body: [.string(name), .string(old), .string(new)], to: connection)
    }
  }

  /// Sends what a daemon answers, sends or signals; the bus adds who sent it.
  func send(_ message: DBusMessage, from service: any BusService) {
    guard let owner = owners[service.busName], owner.service === service else { return }
    var message = message
    message.fields.append(.init(DBusMessage.FieldCode.sender, .string(owner.name)))
    if let destination = message.destination {
      if let serial = message.replySerial {
        pending.removeAll { $0.caller.name == destination && $0.call.serial == serial && $0.service == service.busName }
      }
      if let connection = connections.first(where: { $0.name == destination }) { deliver(message, to: connection) }
      return
    }
    let first = message.body.first?.text
    for connection in connections
    where connection.matches.contains(where: { $0.hits(service.busName, message.path, message.interface, message.member, first) }) {
      deliver(message, to: connection)
    }
  }
}

/// A daemon on a simulated bus.
protocol BusService: AnyObject {
  /// Its well-known name.
  var busName: String { get }
  var bus: SimulatedBus { get }
  var dialect: BusDialect { get }
  /// The number of the last message that it sent.
  var serial: UInt32 { get set }
  /// A program calls a method of it.
  func called(_ call: BusCall)
  /// A program answers a call of its own.
  func answered(_ message: DBusMessage, by connection: SimulatedBus.Connection)
  /// A program left the bus.
  func left(_ connection: SimulatedBus.Connection)
}

extension BusService {
  func nextSerial() -> UInt32 {
    serial += 1
    return serial
  }

  func reply(_ call: BusCall, _ body: DBusValue...) { answer(call, .methodReturn, [:], body) }

  func fail(_ call: BusCall, _ error: String, _ sentence: String) {
    answer(call, .error, [DBusMessage.FieldCode.errorName: .string(error)], [.string(sentence)])
  }

  private func answer(_ call: BusCall, _ kind: DBusMessage.Kind, _ fields: [UInt8: DBusValue], _ body: [DBusValue]) {
    var fields = fields
    fields[DBusMessage.FieldCode.destination] = .string(call.caller.name)
    fields[DBusMessage.FieldCode.replySerial] = .uint32(call.message.serial)
    bus.send(dialect.message(kind, fields, body, serial: nextSerial()), from: self)
  }

  func signal(_ path: DBusObjectPath, _ interface: String, _ member: String, _ body: DBusValue...) {
    let fields: [UInt8: DBusValue] = [
      DBusMessage.FieldCode.path: .objectPath(path), DBusMessage.FieldCode.interface: .string(interface),
      DBusMessage.FieldCode.member: .string(member),
    ]
    bus.send(dialect.message(.signal, fields, body, serial: nextSerial()), from: self)
  }
}

struct BusCall {
  let message: DBusMessage
  let caller: SimulatedBus.Connection

  var path: DBusObjectPath { message.path ?? .root }
  var member: String { message.member ?? "" }
  var body: [DBusValue] { message.body }
  /// The interface and the method, such as `org.freedesktop.DBus.Properties.Get`.
  var method: String { "\(message.interface ?? "").\(member)" }
}

/// Which signals a program wants (`type='signal',sender='…',member='…',arg0='…'`).
struct BusMatch: Hashable {
  private var sender: String?
  private var path: String?
  private var interface: String?
  private var member: String?
  private var firstArgument: String?

  /// Parses a rule; `nil` where it is malformed or has a key that is not known here.
  init?(_ rule: String) {
    for part in rule.split(separator: ",") {
      let pieces = part.split(separator: "=", maxSplits: 1)
      guard pieces.count == 2, pieces[1].hasPrefix("'"), pieces[1].hasSuffix("'"), pieces[1].count >= 2 else { return nil }
      let value = String(pieces[1].dropFirst().dropLast())
      switch pieces[0] {
      case "type": if value != "signal" { return nil }
      case "sender": sender = value
      case "path": path = value
      case "interface": interface = value
      case "member": member = value
      case "arg0": firstArgument = value
      default: return nil
      }
    }
  }

  /// Whether a signal is one of them.
  func hits(_ sender: String, _ path: DBusObjectPath?, _ interface: String?, _ member: String?, _ first: String?) -> Bool {
    (self.sender ?? sender) == sender && (self.path ?? path?.description) == path?.description
      && (self.interface ?? interface) == interface && (self.member ?? member) == member
      && (firstArgument ?? first) == first
  }
}

/// How the library of a daemon, or the bus itself, orders the fields of its messages.
enum BusDialect {
  /// libdbus, as dbus-daemon uses it, which names itself last.
  case daemon
  /// GDBus, as NetworkManager uses it.
  case glib
  /// ell, as iwd uses it.
  case ell

  private var order: [UInt8] {
    typealias Code = DBusMessage.FieldCode
    return switch self {
    case .daemon:
      [Code.path, Code.interface, Code.member, Code.destination, Code.errorName, Code.replySerial, Code.signature, Code.sender]
    case .glib: [Code.errorName, Code.destination, Code.path, Code.interface, Code.signature, Code.replySerial, Code.member]
    case .ell: [Code.destination, Code.path, Code.errorName, Code.member, Code.replySerial, Code.interface, Code.signature]
    }
  }

  /// A message of its fields; the signature follows from the body, and all but GLib leave that of an empty reply out.
  func message(_ kind: DBusMessage.Kind, _ fields: [UInt8: DBusValue], _ body: [DBusValue], serial: UInt32) -> DBusMessage {
    var fields = fields
    if self == .glib || kind != .methodReturn || !body.isEmpty {
      fields[DBusMessage.FieldCode.signature] = .signature(DBusSignature(body.map(\.type)))
    }
    return DBusMessage(
      kind, serial: serial, flags: DBusMessage.Flag.noReplyExpected,
      fields: order.compactMap { code in fields[code].map { .init(code, $0) } }, body: body)
  }
}

extension DBusValue {
  /// A dictionary of text to variants (`a{sv}`), of entries that are computed.
  static func dictionary(_ entries: [(String, DBusValue)]) -> DBusValue {
    .array(.dictionaryEntry(.string, .variant), entries.map { .dictionaryEntry(.string($0.0), .variant($0.1)) })
  }

  /// Paths of objects (`ao`).
  static func paths(_ paths: [DBusObjectPath]) -> DBusValue { .array(.objectPath, paths.map { .objectPath($0) }) }
}
