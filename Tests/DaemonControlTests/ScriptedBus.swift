import DaemonControl
import DaemonProtocols
import WiFi

/// A bus whose daemons answer each call as a test says, for any session.
struct ScriptedBus<Session: ControlSession> {
  /// How a call is answered.
  enum Answer {
    case body([DBusValue])
    case error(String, String = "no")
    case silence
  }

  private var session: Session
  private let answer: (DBusMessage) -> Answer
  private let hasSupplicant: Bool
  private var now = Duration.seconds(1)
  private var deadline = Duration.zero
  private var serial: UInt32 = 0
  private var output: Session.Output?
  private var inputs: [JoinInput] = [.start]
  /// The members of all calls.
  private(set) var members: [String] = []

  init(_ session: Session, hasSupplicant: Bool = false, answer: @escaping (DBusMessage) -> Answer) {
    self.session = session
    self.hasSupplicant = hasSupplicant
    self.answer = answer
  }

  /// What the session ends with; `nil` where it does not within so many inputs.
  mutating func run() -> Session.Output? {
    for _ in 0..<200 where output == nil {
      if inputs.isEmpty {
        now = max(now, deadline)
        inputs.append(.timedOut)
      }
      let input = inputs.removeFirst()
      now += .milliseconds(1)
      for action in session.handle(input, at: now) where output == nil {
        switch action {
        case .open(.bus): inputs.append(.opened(.bus))
        case .open(.supplicant(let name)) where hasSupplicant: inputs.append(.opened(.supplicant(interface: name)))
        case .open(let channel): inputs.append(.refused(channel, LinkError(operation: "open \(channel)", number: 2)))
        case .send(let payload, .bus): sent(payload.bytes)
        case .wait(let until): deadline = until
        case .finish(let end): output = end
        case .send, .close, .progress, .report: break
        }
      }
    }
    return output
  }

  private mutating func sent(_ bytes: [UInt8]) {
    if bytes.first == 0 { inputs.append(.received(.bus, DBusAuthenticationLine.ok("720a8341de3db6e59ea8b2415f5e100a").encoded)) }
    guard let start = bytes.firstIndex(of: UInt8(ascii: "l")), let call = try? DBusMessage(Array(bytes[start...])), call.kind == .methodCall
    else { return }
    members.append(call.member ?? "")
    serial += 1
    var reply: DBusMessage
    switch call.member == "Hello" ? .body([.string(":1.9")]) : answer(call) {
    case .body(let body): reply = call.reply(body, serial: serial)
    case .error(let name, let sentence): reply = call.failure(name, sentence, serial: serial)
    case .silence: return
    }
    reply.fields.append(.init(DBusMessage.FieldCode.sender, .string(":1.1")))
    inputs.append(.received(.bus, reply.encoded))
  }
}
