import DaemonControl
import DaemonProtocols
import WiFi

/// What a conversation with a daemon broke.
struct SessionViolation: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// What holds for every conversation with a daemon, whatever comes and whenever; beside `WireProperties`, which see.
///
/// An input chooses a session, how much of a recorded conversation comes first, and what comes after that: bytes of the input, messages of any
/// recording, with the number of the call that waits or without, the passing of time, channels that close, the end of the wish.
///
/// - No input traps.
/// - A session ends with its limits, and soon after nothing comes any more; every wait has an end that lies ahead.
/// - A join has no outcome of an access point before it asked the daemon to join: what happens to the attempts of others is not its own.
/// - What is sent parses and encodes to the same bytes; what holds a password is marked as a secret, and nothing else holds one.
struct SessionProperties {
  /// A recorded conversation.
  struct Conversation {
    var name: String
    var recording: ControlRecording
    /// What was asked; `nil` where it was about known networks.
    var request: JoinRequest?

    var daemon: JoinDaemon { JoinDaemon(ofRecording: name) }
  }

  /// The longest that any session but a watch may take, whatever comes.
  static let limit: Duration = .seconds(300)
  /// The longest that a session may take when nothing comes any more.
  static let silenceLimit: Duration = .seconds(150)
  static let passwords = ["blobby boots", "wrong boots!", "wrong boots", "new passw0rd"]

  let conversations: [Conversation]
  /// All that was received in them, by channel.
  private let messages: [(channel: ControlChannel, bytes: [UInt8])]

  init(_ conversations: [Conversation]) {
    self.conversations = conversations.sorted { $0.name < $1.name }
    messages = self.conversations.flatMap { conversation in
      conversation.recording.entries.compactMap { entry in
        if case .received(let bytes) = entry.content { (entry.channel, bytes) } else { nil }
      }
    }
  }

  /// Checks what is behind the first byte, where that is `s`.
  ///
  /// - Returns: whether the first byte says so.
  func check(_ input: [UInt8]) throws -> Bool {
    guard input.first == UInt8(ascii: "s"), !conversations.isEmpty else { return false }
    _ = try run(Array(input.dropFirst()))
    return true
  }

  /// Runs what an input says, to its end: the outcome of its session.
  func run(_ bytes: [UInt8]) throws -> any Hashable {
    var script = Script(bytes)
    let kind = script.byte()
    let conversation = conversations[Int(script.byte()) % conversations.count]
    let daemon = conversation.daemon
    let interface = conversation.interface
    switch kind % 5 {
    case 0:
      guard let request = conversation.request else { return try known(conversation, &script) }
      return try drive(daemon.session(request), conversation.recording.entries, &script)
    case 1: return try drive(daemon.associationSession(interface: interface), conversation.recording.entries, &script)
    case 2: return try known(conversation, &script)
    case 3: return try drive(OwnerSession(interface: interface), conversation.recording.entries, &script)
    default:
      let request: RadioRequest = [.read, .set(true), .set(false)][Int(script.byte()) % 3]
      return try drive(RadioSession(request, over: daemon, interface: interface), conversation.recording.entries, &script)
    }
  }

  private func known(_ conversation: Conversation, _ script: inout Script) throws -> any Hashable {
    let parts = conversation.parts
    let daemon = conversation.daemon
    // A change is of a network that was listed before.
    var whole = Script([255])
    let list = daemon.session(.list, interface: conversation.interface)
    let outcome = try drive(list, parts[0], &whole)
    let networks: [KnownNetwork] = if case .success(let answer)? = outcome as? KnownNetworksOutcome { answer.networks } else { [] }
    let choice = Int(script.byte())
    let id = networks.isEmpty ? KnownNetwork.ID(key: "0", ssid: .wildcard) : networks[choice / 5 % networks.count].id
    let edit = KnownNetworkEdit(password: choice % 2 == 0 ? nil : Secret(Self.passwords[3]), priority: 9)
    let request: KnownNetworkRequest =
      switch choice % 5 {
      case 0: .list
      case 1: .add(KnownNetworkDraft(ssid: SSID([0x68]) ?? .wildcard, security: .pskOrSAE, password: Secret(Self.passwords[3])))
      case 2: .edit(id, edit)
      case 3: .duplicate(id, KnownNetworkEdit(ssid: SSID([0x69])))
      default: .forget(id)
      }
    return try drive(daemon.session(request, interface: conversation.interface), parts.last ?? [], &script)
  }

  private func drive<Session: ControlSession>(
    _ session: Session, _ entries: [ControlRecording.Entry], _ script: inout Script
  ) throws -> any Hashable {
    var run = SessionRun(session, messages)
    let share = Int(script.byte())
    try run.start(entries)
    let received = entries.count { if case .received = $0.content { true } else { false } }
    try run.replay(entries, share == 255 ? received : received * share / 255)
    while !script.isAtEnd, run.outcome == nil { try run.step(&script) }
    return try run.end()
  }
}

extension SessionProperties.Conversation {
  /// The interface that it was about.
  var interface: String {
    for entry in recording.entries { if case .supplicant(let interface) = entry.channel { return interface } }
    return "wlan0"
  }

  /// The conversations of one recording, each from the channel that it opens first.
  var parts: [[ControlRecording.Entry]] {
    guard let first = recording.entries.first?.channel else { return [[]] }
    var parts: [[ControlRecording.Entry]] = []
    for entry in recording.entries {
      if entry.channel == first, entry.content == .opened || parts.isEmpty { parts.append([]) }
      parts[parts.count - 1].append(entry)
    }
    return parts
  }
}

/// Bytes that say what happens.
private struct Script {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    position += 1
    return bytes[position - 1]
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    let taken = bytes[min(position, bytes.count)..<min(position + count, bytes.count)]
    position += count
    return Array(taken)
  }
}

/// One run of a session under a driver that keeps to what `Joiner` does.
private struct SessionRun<Session: ControlSession> {
  private var session: Session
  private let messages: [(channel: ControlChannel, bytes: [UInt8])]
  private let began: Duration = .seconds(100)
  private var now: Duration = .seconds(100)
  private var deadline: Duration = .seconds(100)
  private var channels: [ControlChannel] = []
  private var refusals: [(channel: ControlChannel, number: Int32)] = []
  private var refusesNext: Int32?
  private var isCancelled = false
  private var hasAsked = false
  private var sentOverBus: [UInt8] = []
  /// The number of the last call that was sent.
  private var serial: UInt32 = 0
  private(set) var outcome: Session.Output?

  init(_ session: Session, _ messages: [(channel: ControlChannel, bytes: [UInt8])]) {
    self.session = session
    self.messages = messages
  }

  private func check(_ condition: Bool, _ violation: @autoclosure () -> String) throws {
    if !condition { throw SessionViolation("\(Session.self): \(violation())") }
  }

  /// Begins; the channels that a recording was refused are refused.
  mutating func start(_ entries: [ControlRecording.Entry]) throws {
    for entry in entries { if case .refused(let number) = entry.content { refusals.append((entry.channel, number)) } }
    try take(.start)
  }

  /// Lets the first messages of a recording come, at their times.
  mutating func replay(_ entries: [ControlRecording.Entry], _ count: Int) throws {
    let start = now - (entries.first?.time ?? .zero)
    var left = count
    for entry in entries where outcome == nil && left > 0 {
      switch entry.content {
      case .received(let bytes):
        left -= 1
        try pass(to: start + entry.time)
        if outcome == nil, channels.contains(entry.channel) { try take(.received(entry.channel, bytes)) }
      case .closed:
        try pass(to: start + entry.time)
        try close(entry.channel)
      case .opened, .refused, .sent, .sentSecret: break
      }
    }
  }

  /// Lets time pass, with every wait that ends before.
  private mutating func pass(to time: Duration) throws {
    while outcome == nil, time > now {
      guard deadline < time else {
        now = time
        return
      }
      try timeOut()
    }
  }

  private mutating func timeOut() throws {
    now = max(now, deadline)
    try take(.timedOut)
    try check(outcome != nil || deadline > now, "waits until \(deadline), and it is \(now)")
  }

  private mutating func close(_ channel: ControlChannel) throws {
    guard outcome == nil, channels.contains(channel) else { return }
    channels.removeAll { $0 == channel }
    try take(.closed(channel))
  }

  /// Lets one thing happen.
  mutating func step(_ script: inout Script) throws {
    let code = script.byte()
    switch code % 8 {
    case 0: try timeOut()
    case 1:
      let time = Duration.milliseconds(Int(script.byte()) * Int(script.byte()))
      now = min(now + time, max(now, deadline))
    case 2:
      let size = Int(script.byte())
      try receive(on: channel(script.byte()), script.bytes(size))
    case 3, 4:
      guard !messages.isEmpty else { return }
      let index = (Int(script.byte()) << 8 | Int(script.byte())) % messages.count
      let (kind, bytes) = messages[index]
      let open = channels.first { channel in
        switch (channel, kind) {
        case (.bus, .bus), (.kernel, .kernel), (.supplicant, .supplicant): true
        default: false
        }
      }
      guard let open else { return }
      try receive(on: open, code % 8 == 3 && open == .bus ? answer(bytes, &script) : bytes)
    case 5:
      // A part of a message of a recording with some of its bytes changed.
      guard !messages.isEmpty, let open = channel(script.byte()) else { return }
      var bytes = messages[(Int(script.byte()) << 8 | Int(script.byte())) % messages.count].bytes
      for _ in 0..<Int(script.byte()) % 4 where !bytes.isEmpty { bytes[Int(script.byte()) * 7 % bytes.count] = script.byte() }
      try receive(on: open, Array(bytes.prefix(Int(script.byte()) * 16 + 1)))
    case 6:
      if let channel = channel(script.byte()) { try close(channel) }
    default:
      switch script.byte() % 4 {
      case 0: try take(.timedOut)
      case 1:
        guard !isCancelled else { return }
        isCancelled = true
        try take(.cancelled)
      case 2:
        try take(.abandoned)
        try check(outcome != nil, "goes on after it was abandoned")
      default: refusesNext = [2, 13, 111, 11][Int(script.byte()) % 4]
      }
    }
  }

  private func channel(_ choice: UInt8) -> ControlChannel? { channels.isEmpty ? nil : channels[Int(choice) % channels.count] }

  private mutating func receive(on channel: ControlChannel?, _ bytes: [UInt8]) throws {
    if let channel, !bytes.isEmpty { try take(.received(channel, bytes)) }
  }

  /// The first messages of a recorded payload, as answers to the call that waits.
  private func answer(_ bytes: [UInt8], _ script: inout Script) -> [UInt8] {
    var stream = DBusStream()
    stream.append(bytes)
    var answers: [UInt8] = []
    while var message = (try? stream.next()) ?? nil {
      if let place = message.fields.firstIndex(where: { $0.code == DBusMessage.FieldCode.replySerial }) {
        message.fields[place].value = .uint32(max(serial, 1))
      }
      answers += message.encoded
    }
    return answers.isEmpty ? bytes : answers
  }

  /// Nothing comes any more: the session has to end, a watch when it is not wanted any more.
  mutating func end() throws -> any Hashable {
    let silence = now
    var steps = 0
    while outcome == nil {
      if session is any AssociationSession, !isCancelled {
        isCancelled = true
        try take(.cancelled)
        try check(outcome != nil, "goes on after it was cancelled")
      } else {
        try timeOut()
      }
      steps += 1
      try check(steps < 500 && now - silence <= SessionProperties.silenceLimit, "goes on \(now - silence) after the last that came")
    }
    guard let outcome else { throw SessionViolation("no outcome") }
    return outcome
  }

  // MARK: What a driver does

  private mutating func take(_ input: JoinInput) throws {
    var inputs = [input]
    var next = 0
    while next < inputs.count, outcome == nil {
      try check(next < 200, "does not come to rest: \(inputs[next])")
      let actions = session.handle(inputs[next], at: now)
      next += 1
      for (index, action) in actions.enumerated() {
        switch action {
        case .open(let channel):
          try check(!channels.contains(channel), "opens \(channel) twice")
          let refusal = refusals.firstIndex { $0.channel == channel }
          if let number = refusesNext ?? refusal.map({ refusals[$0].number }) {
            if refusesNext == nil, let refusal { refusals.remove(at: refusal) }
            refusesNext = nil
            inputs.append(.refused(channel, LinkError(operation: "open \(channel)", number: number)))
          } else {
            channels.append(channel)
            inputs.append(.opened(channel))
          }
        case .send(let payload, let channel):
          try checkSent(payload, channel)
          if !channels.contains(channel) {
            inputs.append(.refused(channel, LinkError(operation: "send", number: LinkError.ControlNumber.notConnected)))
          }
        case .close(let channel): channels.removeAll { $0 == channel }
        case .progress(let progress): try checkSecrets("\(progress)")
        case .report(let event): try checkSecrets("\(event)")
        case .wait(let until):
          deadline = until
          try check(until - now <= .seconds(120), "waits \(until - now)")
        case .finish(let output):
          try check(index == actions.count - 1, "does more after it is over: \(actions.dropFirst(index + 1))")
          outcome = output
          try checkOutcome(output)
        }
      }
    }
    if !(session is any AssociationSession) { try check(now - began <= SessionProperties.limit, "takes more than \(now - began)") }
  }

  private mutating func checkSent(_ payload: ControlPayload, _ channel: ControlChannel) throws {
    if !payload.isSecret {
      for password in SessionProperties.passwords {
        try check(!Self.holds(payload.bytes, Array(password.utf8)), "sends a password over \(channel) that is not marked as secret")
      }
    }
    switch channel {
    case .supplicant:
      let command = ControlCommand(payload.bytes)
      try check(command.encoded == payload.bytes, "sends a command that encodes to other bytes")
      if case .selectNetwork = command { hasAsked = true }
    case .bus:
      sentOverBus += payload.bytes
      try takeMessages()
    case .kernel: try check(false, "sends to the kernel")
    }
  }

  /// Takes the messages out of what was sent over the bus, behind the lines of the authentication.
  private mutating func takeMessages() throws {
    while let first = sentOverBus.first {
      if first == 0 {
        sentOverBus.removeFirst()
        continue
      }
      guard first == UInt8(ascii: "l") || first == UInt8(ascii: "B"), sentOverBus.count < 2 || sentOverBus[1] < 0x20 else {
        guard let end = sentOverBus.firstIndex(of: 0x0A) else { return }
        sentOverBus.removeFirst(end + 1)
        continue
      }
      guard let length = try DBusMessage.length(of: sentOverBus), length <= sentOverBus.count else { return }
      let bytes = Array(sentOverBus[..<length])
      sentOverBus.removeFirst(length)
      let message = try DBusMessage(bytes)
      try check(message.encoded == bytes, "sends a message that encodes to other bytes")
      if message.kind == .methodCall { serial = message.serial }
      if ["AddAndActivateConnection2", "ActivateConnection", "Connect"].contains(message.member) { hasAsked = true }
    }
  }

  private func checkOutcome(_ output: Session.Output) throws {
    try checkSecrets("\(output)")
    guard let outcome = output as? JoinOutcome else { return }
    try check(outcome.duration <= now - began && outcome.duration >= .zero, "took \(outcome.duration) of \(now - began)")
    guard let failure = outcome.failure else { return try check(hasAsked, "joined before it asked") }
    for evidence in failure.evidence {
      try check(evidence.time >= began && evidence.time <= now, "evidence of another time: \(evidence)")
    }
    switch failure.reason {
    case .wrongPassword, .refused, .dismissed, .noAddress, .lost: try check(hasAsked, "\(failure.reason) before it asked")
    default: break
    }
  }

  private func checkSecrets(_ text: String) throws {
    for password in SessionProperties.passwords { try check(!text.contains(password), "tells a password: \(text)") }
  }

  private static func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    guard bytes.count >= part.count else { return false }
    return (0...(bytes.count - part.count)).contains { bytes[$0] == part[0] && bytes[$0..<$0 + part.count].elementsEqual(part) }
  }
}
