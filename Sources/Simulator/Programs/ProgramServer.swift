import WiFi

/// Serves programs with a ``SimulatedKernel``: requests of the preload library come in, answers go out.
///
/// It waits for nothing and does no I/O. Connections are numbers that its owner gives; packets go in with
/// ``receive(_:from:)``, what is to be sent is in ``takeActions()``.
///
/// Where programs take turns, a call is answered by ``takeTurn()`` alone: its owner calls it when every program is
/// asleep, so that one runs at a time, in an order that does not depend on the machine.
public final class ProgramServer {
  /// What is to be done, in order.
  public enum Action: Hashable, Sendable {
    /// Send a packet: the answer to a call.
    case answer([UInt8], connection: Int)
    /// Send a packet to the file descriptor of a program; an event may be dropped where the program does not read.
    case deliver([UInt8], connection: Int, isEvent: Bool)
    /// Send a signal to a process.
    case signal(Int32, process: UInt32)
    /// Close a connection that breaks the protocol.
    case close(connection: Int, because: String)
  }

  /// The kernel.
  public let kernel: SimulatedKernel
  /// Whether programs go on one at a time.
  public let takesTurns: Bool

  private var connections: [Int: Connection] = [:]
  private var sockets: [UInt32: Socket] = [:]
  private var timers: [UInt32: Timer] = [:]
  private var alarms: [UInt32: Alarm] = [:]
  /// What each reader of `/dev/rfkill` knows: of each switch, whether it blocks.
  private var switches: [Int: [UInt32: Bool]] = [:]
  private var waits: [Wait] = []
  private var pending: [Pending] = []
  private var actions: [Action] = []
  private var lastNumber: UInt32 = 0
  /// The port that a socket got last whose process has one already: from -4097 downwards (`netlink_autobind`).
  private var lastPort = UInt32(bitPattern: -4096)
  private var round = 0
  private var lastSerial = 0

  private enum Connection {
    /// Of a process, by the number that the machine has for it.
    case new(of: UInt32)
    /// In a namespace a process has another number for itself, which its ports and its turn come from.
    case thread(process: UInt32, thread: UInt32, of: UInt32)
    case socket(UInt32)
    case timer(UInt32)
    case radioSwitch
  }

  private struct Socket {
    var connection: Int
    let link: SimulatedLink
    var isBound = false
    /// The options of `SOL_NETLINK` that are on.
    var options: Set<UInt32> = []
    /// Whether it has room for groups, which it gets with the first one.
    var hasGroups = false
  }

  private struct Timer {
    var connection: Int
    var due: Int64?
    var interval: Int64 = 0
  }

  private struct Alarm {
    var due: Int64
    var interval: Int64
  }

  private struct Wait {
    var connection: Int
    var number: UInt32
    var until: Int64?
    /// As in ``Pending``.
    var serial: Int?
  }

  /// A call that has not had its turn, or a wait whose time has come.
  private struct Pending {
    /// How many turns were taken before it came: between two turns the order in which calls come is random.
    var round: Int
    var process: UInt32
    var thread: UInt32
    var connection: Int
    var call: ProgramCall
    /// Which call of all it is, where the caller waits for its answer and nothing else.
    var serial: Int?

    /// The lowest is next.
    var turn: (Int, UInt32, UInt32) { (round, process, thread) }
  }

  /// Serves programs with a kernel whose clock its owner sets.
  ///
  /// - Parameter takesTurns: whether programs go on one at a time.
  public init(kernel: SimulatedKernel, takesTurns: Bool) {
    self.kernel = kernel
    self.takesTurns = takesTurns
  }

  /// What is to be done since this was asked last.
  public func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  // MARK: Connections

  /// A program connected.
  ///
  /// - Parameter process: the process that signals go to, by the number that the machine has for it.
  public func connect(_ connection: Int, process: UInt32) { connections[connection] = .new(of: process) }

  /// A program opened `/dev/rfkill`: events go out over the connection, and what the program writes comes in.
  public func connectRadioSwitch(_ connection: Int) {
    connections[connection] = .radioSwitch
    switches[connection] = [:]
    reportSwitches()
  }

  /// A connection ended.
  public func disconnect(_ connection: Int) {
    switch connections.removeValue(forKey: connection) {
    case .socket(let number): sockets[number] = nil
    case .timer(let number): timers[number] = nil
    case .radioSwitch: switches[connection] = nil
    default: break
    }
    waits.removeAll { $0.connection == connection }
    pending.removeAll { $0.connection == connection }
  }

  /// A process ended: what was to happen to it does not.
  public func end(process: UInt32) { alarms[process] = nil }

  /// A packet came.
  public func receive(_ packet: [UInt8], from connection: Int) {
    guard let kind = connections[connection] else { return }
    if case .radioSwitch = kind { return moveSwitches(packet) }
    let call: ProgramCall
    do throws(WireError) {
      call = try ProgramCall(parsing: packet)
    } catch {
      actions.append(.close(connection: connection, because: "\(error)"))
      return disconnect(connection)
    }
    switch (kind, call.request) {
    case (.new(let number), .hello(let process, let thread)):
      // From now on, not when it has its turn: what comes over it in between is not of a new connection.
      connections[connection] = .thread(process: process, thread: thread, of: number)
    case (.new, .open), (.new, .timerOpen): break
    case (.thread, .hello), (.thread, .open), (.thread, .timerOpen): return refuse(call, connection)
    case (.thread, _): break
    default: return refuse(call, connection)
    }
    lastSerial += 1
    switch call.request {
    case .wait(let time), .sleep(let time):
      waits.removeAll { $0.connection == connection }
      let isSleep = if case .sleep = call.request { true } else { false }
      return waits.append(Wait(connection: connection, number: call.number, until: time, serial: isSleep ? lastSerial : nil))
    case .cancel:
      waits.removeAll { $0.connection == connection }
      pending.removeAll { $0.connection == connection }
    default: break
    }
    // Opening changes nothing that another program sees, and its connection does not identify the caller.
    if takesTurns, case .thread(let process, let thread, _) = connections[connection] {
      pending.append(Pending(round: round, process: process, thread: thread, connection: connection, call: call, serial: lastSerial))
    } else {
      answer(call, connection)
    }
  }

  /// Does what a program wrote to `/dev/rfkill`; what Linux refuses has no effect.
  private func moveSwitches(_ packet: [UInt8]) {
    guard let event = RadioSwitchEvent(parsing: packet) else { return }
    for adapter in kernel.adapters where event.moves(adapter) { kernel.setRFKill(wiphy: adapter.wiphy, isBlocked: event.isBlocked) }
    reportSwitches()
  }

  /// Sends readers of `/dev/rfkill` what changed since the last event.
  private func reportSwitches() {
    for (connection, known) in switches.sorted(by: { $0.key < $1.key }) {
      var events: [RadioSwitchEvent] = []
      for (index, isBlocked) in known.sorted(by: { $0.key < $1.key }) where !kernel.adapters.contains(where: { $0.wiphy == index }) {
        events.append(RadioSwitchEvent(.remove, index: index, isBlocked: isBlocked))
      }
      for adapter in kernel.adapters where known[adapter.wiphy] != adapter.isRFKilled {
        let operation: RadioSwitchEvent.Operation = known[adapter.wiphy] == nil ? .add : .change
        events.append(RadioSwitchEvent(operation, index: adapter.wiphy, isBlocked: adapter.isRFKilled))
      }
      guard !events.isEmpty else { continue }
      switches[connection] = Dictionary(uniqueKeysWithValues: kernel.adapters.map { ($0.wiphy, $0.isRFKilled) })
      for event in events { actions.append(.deliver(event.encoded, connection: connection, isEvent: false)) }
    }
  }

  private func refuse(_ call: ProgramCall, _ connection: Int) {
    actions.append(.close(connection: connection, because: "\(call.request) at the wrong place"))
    disconnect(connection)
  }

  // MARK: Time

  /// When something happens next without a call, as time since boot; `nil` where nothing does.
  public var nextEvent: Duration? {
    var next = kernel.nextTimer
    func consider(_ time: Duration?) {
      if let time { next = min(next ?? time, time) }
    }
    for socket in sockets.values { consider(socket.link.nextDelivery) }
    for wait in waits { consider(wait.until.map { .nanoseconds($0) }) }
    for timer in timers.values { consider(timer.due.map { .nanoseconds($0) }) }
    for alarm in alarms.values { consider(.nanoseconds(alarm.due)) }
    return next
  }

  /// Lets everything happen that is due by the time of the kernel's clock.
  public func advance() {
    kernel.run()
    deliver()
    reportSwitches()
    let now = kernel.bootTime.wholeNanoseconds
    let due = waits.filter { $0.until.map { $0 <= now } ?? false }
    waits.removeAll { $0.until.map { $0 <= now } ?? false }
    for wait in due {
      let call = ProgramCall(number: wait.number, request: .cancel)
      guard takesTurns, case .thread(let process, let thread, _) = connections[wait.connection] else {
        answer(call, wait.connection)
        continue
      }
      pending.append(Pending(round: round, process: process, thread: thread, connection: wait.connection, call: call, serial: wait.serial))
    }
    for (number, timer) in timers.sorted(by: { $0.key < $1.key }) {
      guard let due = timer.due, due <= now else { continue }
      let count = timer.interval > 0 ? (now - due) / timer.interval : 0
      timers[number]?.due = timer.interval > 0 ? Self.time(due + count * timer.interval, after: timer.interval) : nil
      let bytes = ByteWriter.bytes { $0.write(UInt64(count + 1)) }
      actions.append(.deliver(ProgramDatagram(bytes: bytes).encoded, connection: timer.connection, isEvent: false))
    }
    for (process, alarm) in alarms.sorted(by: { $0.key < $1.key }) where alarm.due <= now {
      let next = alarm.interval > 0 ? Self.time(alarm.due, after: alarm.interval) : nil
      alarms[process] = next.map { Alarm(due: max($0, now &+ 1), interval: alarm.interval) }
      actions.append(.signal(Self.alarmSignal, process: process))
    }
  }

  /// A time so many ns later; `nil` where it is further than the counter reaches, which is as good as never.
  private static func time(_ start: Int64, after interval: Int64) -> Int64? {
    let (time, overflow) = start.addingReportingOverflow(interval)
    return overflow ? nil : time
  }

  /// `SIGALRM`.
  private static let alarmSignal: Int32 = 14

  /// Whether a call waits for its turn.
  public var hasPendingCalls: Bool { !pending.isEmpty }

  /// The processes that wait for an answer and nothing else, by the number that the machine has for them, with a number
  /// of the call that they wait for.
  public var held: [UInt32: Int] {
    var held: [UInt32: Int] = [:]
    for (connection, serial) in pending.map({ ($0.connection, $0.serial) }) + waits.map({ ($0.connection, $0.serial) }) {
      guard let serial, case .thread(_, _, let process) = connections[connection] else { continue }
      held[process] = serial
    }
    return held
  }

  /// Answers the call whose turn it is.
  public func takeTurn() {
    guard let first = pending.indices.min(by: { pending[$0].turn < pending[$1].turn }) else { return }
    let turn = pending.remove(at: first)
    round += 1
    answer(turn.call, turn.connection)
  }

  /// Gives sockets what came for them.
  private func deliver() {
    for (_, socket) in sockets.sorted(by: { $0.key < $1.key }) {
      while let (input, group) = socket.link.take() {
        let datagram: ProgramDatagram
        switch input {
        case .reply(let bytes): datagram = ProgramDatagram(bytes: bytes)
        case .event(let bytes): datagram = ProgramDatagram(group: group, bytes: bytes)
        case .eventsLost, .repliesLost: datagram = ProgramDatagram(error: KernelError.Number.noBufferSpace)
        }
        actions.append(.deliver(datagram.encoded, connection: socket.connection, isEvent: group != 0))
      }
    }
  }

  // MARK: Calls

  private func answer(_ call: ProgramCall, _ connection: Int) {
    do throws(Refusal) {
      let bytes = try perform(call.request, connection)
      // What a request brings about is there when it returns, as in the kernel.
      deliver()
      actions.append(.answer(ProgramAnswer(number: call.number, bytes: bytes).encoded, connection: connection))
    } catch {
      actions.append(.answer(ProgramAnswer(number: call.number, error: error.number).encoded, connection: connection))
    }
  }

  private func perform(_ request: ProgramCall.Request, _ connection: Int) throws(Refusal) -> [UInt8] {
    var writer = ByteWriter()
    switch request {
    case .hello, .cancel: break
    case .open(let number):
      guard let family = NetlinkProtocol(rawValue: number) else { throw Refusal(93) }  // EPROTONOSUPPORT
      let link = kernel.link(family)
      // Programs ask for them.
      link.extendsAcknowledgements = false
      link.room = 0
      lastNumber += 1
      sockets[lastNumber] = Socket(connection: connection, link: link)
      connections[connection] = .socket(lastNumber)
      writer.write(lastNumber)
    case .timerOpen:
      lastNumber += 1
      timers[lastNumber] = Timer(connection: connection)
      connections[connection] = .timer(lastNumber)
      writer.write(lastNumber)
    case .bind(let number, let port, let groups):
      let socket = try socket(number)
      if socket.isBound {
        // A socket keeps the port that it was bound to; 0 is another one.
        if port != socket.link.port { throw Refusal(KernelError.Number.invalid) }
      } else if port == 0 {
        bind(number, of: connection)
      } else {
        if isTaken(port, of: socket.link.family) { throw Refusal(98) }  // EADDRINUSE
        socket.link.port = port
        sockets[number]?.isBound = true
      }
      setGroups(groups, of: number)
    case .name(let number):
      let socket = try socket(number)
      writer.write(socket.isBound ? socket.link.port : 0)
      writer.write(UInt32(truncatingIfNeeded: socket.link.groupMask))
    case .membership(let number, let group, let isMember):
      let link = try socket(number).link
      guard kernel.hasGroup(group, of: link.family) else { throw Refusal(KernelError.Number.invalid) }
      sockets[number]?.hasGroups = true
      if isMember {
        do throws(LinkError) { try link.join(group: group) } catch { throw Refusal(error.number) }
      } else {
        link.leave(group: group)
      }
    case .option(let number, let option, let value):
      let link = try socket(number).link
      if option == ProgramCall.roomOption {
        link.room = Int(clamping: value)
        break
      }
      guard Self.options.contains(option) else { throw Refusal(92) }  // ENOPROTOOPT
      if value != 0 { sockets[number]?.options.insert(option) } else { sockets[number]?.options.remove(option) }
      link.capsAcknowledgements = sockets[number]?.options.contains(10) == true
      link.extendsAcknowledgements = sockets[number]?.options.contains(11) == true
    case .optionValue(let number, let option):
      let socket = try socket(number)
      if option == Self.memberships {
        if socket.hasGroups { writer.write(socket.link.groupMask) }
      } else {
        guard Self.options.contains(option) else { throw Refusal(92) }  // ENOPROTOOPT
        writer.write(socket.options.contains(option) ? 1 : 0 as UInt32)
      }
    case .send(let number, let received, let datagram):
      let link = try socket(number).link
      bind(number, of: connection)
      link.received = received
      if datagram.isEmpty { throw Refusal(61) }  // ENODATA
      do throws(LinkError) { try link.send(datagram) } catch { throw Refusal(error.number) }
    case .interface(let request, let capacity, let structure):
      let answer = try kernel.answer(InterfaceRequest(number: request, structure: structure, capacity: Int(clamping: capacity)))
      writer.write(answer.structure)
      writer.write(answer.data)
    case .wait, .sleep: preconditionFailure("ProgramServer: a wait is no call that is answered at once")
    case .timerSet(let number, let time, let interval):
      guard timers[number] != nil else { throw Refusal(9) }  // EBADF
      timers[number]?.due = time == 0 ? nil : time
      timers[number]?.interval = interval
    case .timerGet(let number):
      guard let timer = timers[number] else { throw Refusal(9) }  // EBADF
      write(timer.due, timer.interval, into: &writer)
    case .alarm(let after, let interval):
      guard case .thread(_, _, let process) = connections[connection] else { throw Refusal(KernelError.Number.invalid) }
      let before = alarms[process]
      write(before?.due, before?.interval ?? 0, into: &writer)
      let (due, overflow) = kernel.bootTime.wholeNanoseconds.addingReportingOverflow(after)
      alarms[process] = after == 0 ? nil : Alarm(due: overflow ? .max : due, interval: interval)
    }
    return writer.bytes
  }

  /// NETLINK_PKTINFO, NETLINK_BROADCAST_ERROR, NETLINK_NO_ENOBUFS, NETLINK_LISTEN_ALL_NSID, NETLINK_CAP_ACK,
  /// NETLINK_EXT_ACK and NETLINK_GET_STRICT_CHK.
  private static let options: Set<UInt32> = [3, 4, 5, 8, 10, 11, 12]

  /// NETLINK_LIST_MEMBERSHIPS.
  private static let memberships: UInt32 = 9

  /// Gives a socket without a port one, as `netlink_autobind`: the number of the process, or one that no process has.
  private func bind(_ number: UInt32, of connection: Int) {
    guard let socket = sockets[number], !socket.isBound, case .thread(let process, _, _) = connections[connection] else { return }
    var port = process
    while port == 0 || isTaken(port, of: socket.link.family) {
      lastPort &-= 1
      port = lastPort
    }
    socket.link.port = port
    sockets[number]?.isBound = true
  }

  private func isTaken(_ port: UInt32, of family: NetlinkProtocol) -> Bool {
    sockets.values.contains { $0.isBound && $0.link.port == port && $0.link.family == family }
  }

  /// Lets a socket be a member of these of the first 32 groups and of no others, as `netlink_bind`.
  private func setGroups(_ groups: UInt32, of number: UInt32) {
    guard let link = sockets[number]?.link else { return }
    if groups != 0 { sockets[number]?.hasGroups = true }
    for group in 1...32 as ClosedRange<UInt32> {
      if groups >> (group - 1) & 1 == 1 { try? link.join(group: group) } else { link.leave(group: group) }
    }
  }

  private func write(_ due: Int64?, _ interval: Int64, into writer: inout ByteWriter) {
    writer.write(UInt64(due.map { max($0 - kernel.bootTime.wholeNanoseconds, 1) } ?? 0))
    writer.write(UInt64(interval))
  }

  private func socket(_ number: UInt32) throws(Refusal) -> Socket {
    guard let socket = sockets[number] else { throw Refusal(9) }  // EBADF
    return socket
  }
}
