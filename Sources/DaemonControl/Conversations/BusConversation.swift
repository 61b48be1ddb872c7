import DaemonProtocols
import WiFi

/// The client's side of a connection to the system bus: authentication, numbers of messages, the one call that waits for its answer, and who may
/// send signals.
///
/// The bus delivers a signal with a destination from any client, whatever the receiver's match rules say: Debian's policy allows it to every user. So a
/// signal is an event only where it comes from the bus or from the owner of a name that was called and has answered.
struct BusConversation: Hashable, Sendable {
  private enum Phase: Hashable {
    case authenticating
    case naming
    case ready
  }

  /// What bytes from the bus mean.
  enum Event: Hashable {
    /// Send this.
    case send([UInt8])
    /// The connection has a name and takes calls.
    case ready
    /// A message.
    case message(DBusMessage)
    /// The bus does not accept this user.
    case rejected
    /// The bus sent what cannot be read, so that nothing after it can either.
    case malformed(WireError)
  }

  private var phase = Phase.authenticating
  private var lines: [UInt8] = []
  private var stream = DBusStream()
  private var serial: UInt32 = 0
  /// The daemon's name that the last call went to, until it is answered.
  private var called: (serial: UInt32, name: String)?
  /// Who owns each name that has answered, by its unique name such as `:1.7`.
  private var owners: [String: String] = [:]
  /// The name that the bus gave, such as `:1.42`.
  private(set) var name: String?

  init() {}

  /// The bytes that open the conversation: the kernel says who the client is, so they name no user.
  let opening: [UInt8] = [0] + DBusAuthenticationLine.authenticate(mechanism: DBusAuthenticationLine.external, response: nil).encoded

  /// Takes in bytes.
  mutating func receive(_ bytes: [UInt8]) -> [Event] {
    var events: [Event] = []
    do throws(WireError) {
      if phase == .authenticating {
        lines += bytes
        while phase == .authenticating, let line = try DBusAuthenticationLine.take(from: &lines) {
          events += authenticate(line)
        }
        guard phase != .authenticating else { return events }
        stream.append(lines)
        lines = []
      } else {
        stream.append(bytes)
      }
      while let message = try stream.next() {
        if phase == .naming, message.replySerial == serial {
          name = message.body.first?.text
          phase = .ready
          events.append(message.kind == .error ? .rejected : .ready)
        } else if follow(message) {
          events.append(.message(message))
        }
      }
    } catch {
      events.append(.malformed(error))
    }
    return events
  }

  /// Whether a message came from one of the owners, as they are now.
  func isFromOwner(_ message: DBusMessage) -> Bool { message.sender.map { owners.values.contains($0) } ?? false }

  /// Keeps who owns the names; returns whether a message is to be heard.
  private mutating func follow(_ message: DBusMessage) -> Bool {
    switch message.kind {
    case .methodReturn, .error:
      if let called, message.replySerial == called.serial {
        self.called = nil
        if let sender = message.sender, sender != SystemBus.service { owners[called.name] = sender }
      }
      return true
    case .signal where message.sender == SystemBus.service:
      if let (name, _, new) = message.changeOfOwner, owners[name] != nil { owners[name] = new.isEmpty ? nil : new }
      return true
    case .signal: return isFromOwner(message)
    case .methodCall, .other: return true
    }
  }

  private mutating func authenticate(_ line: DBusAuthenticationLine) -> [Event] {
    switch line {
    case .data: return [.send(DBusAuthenticationLine.data([]).encoded)]
    case .ok:
      phase = .naming
      let hello = call(SystemBus.service, SystemBus.path, SystemBus.service, "Hello")
      return [.send(DBusAuthenticationLine.begin.encoded + hello.bytes)]
    case .rejected, .error: return [.rejected]
    default: return [.send(DBusAuthenticationLine.error("").encoded)]
    }
  }

  /// Makes a call; it never starts a daemon that does not run.
  mutating func call(
    _ destination: String, _ path: DBusObjectPath, _ interface: String, _ member: String, _ body: [DBusValue] = [],
    flags: UInt8 = DBusMessage.Flag.noAutoStart
  ) -> (bytes: [UInt8], serial: UInt32) {
    serial &+= 1
    if destination != SystemBus.service { called = (serial, destination) }
    let message = DBusMessage.call(destination, path, interface, member, body, serial: serial, flags: flags)
    return (message.encoded, serial)
  }

  /// Makes the answer to a call.
  mutating func reply(to call: DBusMessage, _ body: [DBusValue] = []) -> [UInt8] {
    serial &+= 1
    return call.reply(body, serial: serial).encoded
  }

  /// Makes the refusal of a call.
  mutating func refuse(_ call: DBusMessage, _ name: String, _ sentence: String) -> [UInt8] {
    serial &+= 1
    return call.failure(name, sentence, serial: serial).encoded
  }

  static func == (left: Self, right: Self) -> Bool {
    left.serial == right.serial && left.phase == right.phase && left.lines == right.lines && left.owners == right.owners
  }
  func hash(into hasher: inout Hasher) { hasher.combine(serial) }
}
