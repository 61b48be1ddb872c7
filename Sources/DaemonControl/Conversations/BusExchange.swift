import DaemonProtocols
import WiFi

/// Calls over the system bus, one after another: the connection, the call that waits for its answer, and its deadline.
struct BusExchange: Sendable {
  /// What an input means for a conversation that only calls.
  enum Event {
    /// The connection is ready for the first call.
    case ready
    /// The answer to the call.
    case answer(DBusMessage)
    /// A signal of the bus, or of a daemon that has answered.
    case signal(DBusMessage)
    /// Why the conversation cannot go on.
    case failed(JoinFailure.Reason)
  }

  private var bus = BusConversation()
  private var pending: UInt32?
  private let replyLimit: Duration
  private let limit: Duration?
  /// When the conversation as a whole must have ended.
  private var end: Duration?
  /// Until when the daemon must answer.
  private(set) var deadline = Duration.zero

  /// - Parameter limit: how long the whole conversation may take; `nil` where it goes on for ever.
  init(replyLimit: Duration, limit: Duration? = nil) {
    self.replyLimit = replyLimit
    self.limit = limit
  }

  /// Whether a call waits for its answer.
  var isAsking: Bool { pending != nil }

  mutating func open<Output>(_ now: Duration) -> [ControlAction<Output>] {
    end = limit.map { now + $0 }
    extend(now)
    return [.open(.bus), .wait(until: deadline)]
  }

  mutating func hello<Output>(_ now: Duration) -> [ControlAction<Output>] {
    extend(now)
    return [.send(ControlPayload(bus.opening), .bus), .wait(until: deadline)]
  }

  mutating func call<Output>(
    _ destination: String, _ path: DBusObjectPath, _ interface: String, _ member: String, _ body: [DBusValue] = [], isSecret: Bool = false,
    at now: Duration
  ) -> [ControlAction<Output>] {
    let (bytes, serial) = bus.call(destination, path, interface, member, body)
    pending = serial
    extend(now)
    return [.send(ControlPayload(bytes, isSecret: isSecret), .bus), .wait(until: deadline)]
  }

  private mutating func extend(_ now: Duration) { deadline = end.map { min(now + replyLimit, $0) } ?? now + replyLimit }

  /// Takes in bytes: what is to be sent at once, and what happened.
  mutating func receive(_ bytes: [UInt8]) -> (replies: [[UInt8]], events: [Event]) {
    var replies: [[UInt8]] = []
    var events: [Event] = []
    for event in bus.receive(bytes) {
      switch event {
      case .send(let bytes): replies.append(bytes)
      case .ready: events.append(.ready)
      case .rejected: events.append(.failed(.noPermission))
      case .malformed(let error): events.append(.failed(.malformed(error)))
      case .message(let message):
        switch message.kind {
        case .methodReturn, .error:
          guard let pending, message.replySerial == pending else { continue }
          self.pending = nil
          events.append(.answer(message))
        case .methodCall:
          replies.append(bus.refuse(message, SystemBus.ErrorName.unknownMethod, "No such method"))
        case .signal: events.append(.signal(message))
        case .other: break
        }
      }
    }
    return (replies, events)
  }
}
