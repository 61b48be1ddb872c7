import DaemonProtocols
import WiFi

/// The client's side of a connection to the system bus: authentication, match rules, one call at a time with its
/// deadline, and who may send signals.
///
///     closed → opening → authenticating → naming → watching → ready
///
/// The bus delivers a signal with a destination from any client, whatever the receiver's match rules say: Debian's
/// policy allows it to every user. So a signal is an event only where it comes from the bus or from the owner of a name
/// that was called and has answered.
struct BusClient: Sendable {
  /// What comes over the bus.
  indirect enum Event {
    /// Send this.
    case send([UInt8])
    /// The connection has a name and its match rules, and takes calls.
    case ready
    /// The answer to the call.
    case answer(DBusMessage)
    /// The error that answers the call, or a match rule.
    case refusal(DBusMessage)
    /// A signal of the bus, or of a daemon that has answered.
    case signal(DBusMessage)
    /// A call of this client.
    case call(DBusMessage)
    /// Why the conversation cannot go on.
    case failed(JoinFailure.Reason)
  }

  private enum Phase {
    case closed, opening
    case authenticating(read: [UInt8])
    case naming
    case watching(rule: Int)
    case ready
  }

  private let rules: [String]
  private let replyLimit: Duration
  private let limit: Duration?
  private var phase = Phase.closed
  private var stream = DBusStream()
  private var serial: UInt32 = 0
  /// The call that waits for its answer, and the name that it went to.
  private var pending: (serial: UInt32, name: String)?
  /// Who owns each name that has answered, by its unique name such as `:1.7`.
  private var owners: [String: String] = [:]
  /// When the conversation as a whole must have ended.
  private var end: Duration?
  /// Until when something must come.
  private(set) var deadline = Duration.zero

  /// A client that is to receive the signals of these match rules.
  ///
  /// - Parameter limit: how long the whole conversation may take; `nil` where it goes on for ever.
  init(_ rules: [String] = [], replyLimit: Duration, limit: Duration? = nil) {
    self.rules = rules
    self.replyLimit = replyLimit
    self.limit = limit
  }

  /// Whether it was not opened yet, or the conversation has ended.
  var isClosed: Bool { if case .closed = phase { true } else { false } }

  /// Whether a call or a match rule waits for its answer.
  var isAsking: Bool { if case .naming = phase { false } else { pending != nil } }

  /// Why the link refuses what was sent over it, or the connection.
  func reason(of error: LinkError) -> JoinFailure.Reason { if case .opening = phase { error.joinReason } else { .daemonLost } }

  /// Whether a message came from one of the owners.
  func isFromOwner(_ message: DBusMessage) -> Bool { message.sender.map { owners.values.contains($0) } ?? false }

  // MARK: Sending

  mutating func open<Output>(_ now: Duration) -> [ControlAction<Output>] {
    phase = .opening
    end = limit.map { now + $0 }
    return [.open(.bus), wait(for: replyLimit, now)]
  }

  /// Ends the conversation, and closes the bus where it was opened.
  mutating func finish<Output>(_ output: Output) -> [ControlAction<Output>] {
    if isClosed { return [.finish(output)] }
    phase = .closed
    return [.close(.bus), .finish(output)]
  }

  /// The connection is open: the bytes that begin the authentication; the kernel says who the client is, so they name
  /// no user.
  mutating func opened<Output>(_ now: Duration) -> [ControlAction<Output>] {
    guard case .opening = phase else { return [.wait(until: deadline)] }
    phase = .authenticating(read: [])
    let line = DBusAuthenticationLine.authenticate(mechanism: DBusAuthenticationLine.external, response: nil)
    return [.send(ControlPayload([0] + line.encoded), .bus), wait(for: replyLimit, now)]
  }

  /// Makes a call and waits for its answer; it never starts a daemon that does not run.
  ///
  /// - Parameter limit: how long the answer may take, where that is not as long as any.
  mutating func call<Output>(
    _ service: String, _ path: DBusObjectPath, _ interface: String, _ member: String, _ body: [DBusValue] = [], isSecret: Bool = false,
    limit: Duration? = nil, at now: Duration
  ) -> [ControlAction<Output>] {
    let bytes = encode(service, path, interface, member, body)
    return [.send(ControlPayload(bytes, isSecret: isSecret), .bus), wait(for: limit ?? replyLimit, now)]
  }

  /// Waits for a signal, or for the answer to the last call, for as long as this from now on.
  mutating func wait<Output>(for limit: Duration, _ now: Duration) -> ControlAction<Output> {
    deadline = end.map { min(now + limit, $0) } ?? now + limit
    return .wait(until: deadline)
  }

  /// Answers a call of this client.
  mutating func reply<Output>(to call: DBusMessage, _ body: [DBusValue] = [], isSecret: Bool = false) -> [ControlAction<Output>] {
    serial &+= 1
    return [.send(ControlPayload(call.reply(body, serial: serial).encoded, isSecret: isSecret), .bus)]
  }

  /// Refuses a call of this client.
  mutating func refuse<Output>(
    _ call: DBusMessage, _ name: String = SystemBus.ErrorName.unknownMethod, _ sentence: String = "No such method"
  ) -> [ControlAction<Output>] {
    serial &+= 1
    return [.send(ControlPayload(call.failure(name, sentence, serial: serial).encoded), .bus)]
  }

  private mutating func encode(
    _ service: String, _ path: DBusObjectPath, _ interface: String, _ member: String, _ body: [DBusValue]
  ) -> [UInt8] {
    serial &+= 1
    pending = (serial, service)
    return DBusMessage.call(service, path, interface, member, body, serial: serial, flags: DBusMessage.Flag.noAutoStart).encoded
  }

  // MARK: Receiving

  /// Takes in bytes; ``next(_:)`` gives what they mean.
  mutating func receive(_ bytes: [UInt8]) {
    if case .authenticating(let read) = phase { phase = .authenticating(read: read + bytes) } else { stream.append(bytes) }
  }

  /// The next thing that was received.
  mutating func next(_ now: Duration) -> Event? {
    do throws(WireError) {
      if case .authenticating(var read) = phase {
        guard let line = try DBusAuthenticationLine.take(from: &read) else { return nil }
        phase = .authenticating(read: read)
        return authenticate(line, rest: read, now)
      }
      while let message = try stream.next() {
        if let event = event(message, now) { return event }
      }
      return nil
    } catch { return .failed(.malformed(error)) }
  }

  private mutating func authenticate(_ line: DBusAuthenticationLine, rest: [UInt8], _ now: Duration) -> Event {
    switch line {
    case .data: return .send(DBusAuthenticationLine.data([]).encoded)
    case .ok:
      phase = .naming
      stream.append(rest)
      return .send(DBusAuthenticationLine.begin.encoded + encode(SystemBus.service, SystemBus.path, SystemBus.service, "Hello", []))
    case .rejected, .error: return .failed(.noPermission)
    default: return .send(DBusAuthenticationLine.error("").encoded)
    }
  }

  private mutating func event(_ message: DBusMessage, _ now: Duration) -> Event? {
    switch message.kind {
    case .methodReturn, .error:
      guard let pending, message.replySerial == pending.serial else { return nil }
      self.pending = nil
      if pending.name != SystemBus.service, let sender = message.sender, sender != SystemBus.service { owners[pending.name] = sender }
      return answer(message, now)
    case .signal where message.sender == SystemBus.service:
      if let (name, _, new) = message.changeOfOwner, owners[name] != nil { owners[name] = new.isEmpty ? nil : new }
      return .signal(message)
    case .signal: return isFromOwner(message) ? .signal(message) : nil
    case .methodCall: return .call(message)
    case .other: return nil
    }
  }

  private mutating func answer(_ message: DBusMessage, _ now: Duration) -> Event {
    switch phase {
    case .naming where message.kind == .error: return .failed(.noPermission)
    case _ where message.kind == .error: return .refusal(message)
    case .naming: return watch(rule: 0, now)
    case .watching(let rule): return watch(rule: rule + 1, now)
    case .closed, .opening, .authenticating, .ready: return .answer(message)
    }
  }

  private mutating func watch(rule: Int, _ now: Duration) -> Event {
    guard rule < rules.count else {
      phase = .ready
      return .ready
    }
    phase = .watching(rule: rule)
    deadline = end.map { min(now + replyLimit, $0) } ?? now + replyLimit
    return .send(encode(SystemBus.service, SystemBus.path, SystemBus.service, "AddMatch", [.string(rules[rule])]))
  }
}
