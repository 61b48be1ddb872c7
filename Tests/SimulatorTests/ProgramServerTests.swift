import Determinism
import Simulator
import Testing
import WiFi

/// A program of a test: threads and sockets, by the packets that the preload library sends.
private struct Caller {
  let server: ProgramServer
  let clock: ProgramClock
  var calls: UInt32 = 0

  init(_ stations: [StillAir.Station] = [], takesTurns: Bool = false) {
    clock = ProgramClock()
    server = ProgramServer(kernel: SimulatedKernel(air: StillAir(stations), clock: clock), takesTurns: takesTurns)
  }

  /// Sends a call; returns what is to be done then.
  @discardableResult
  mutating func send(_ request: ProgramCall.Request, _ connection: Int) -> [ProgramServer.Action] {
    calls += 1
    server.receive(ProgramCall(number: calls, request: request).encoded, from: connection)
    server.advance()
    return server.takeActions()
  }

  /// Opens a connection of a thread.
  mutating func thread(_ connection: Int, process: UInt32) {
    server.connect(connection, process: process)
    send(.hello(process: process, thread: process), connection)
  }

  /// Opens a netlink socket; returns its number.
  mutating func socket(_ connection: Int, protocol number: UInt32 = 16) throws -> UInt32 {
    server.connect(connection, process: 1)
    return try #require(answer(send(.open(protocol: number), connection)).bytes.first.map(UInt32.init))
  }

  func advance(_ duration: Duration) -> [ProgramServer.Action] {
    clock.advance(to: clock.now.offset + duration)
    server.advance()
    return server.takeActions()
  }

  /// The answer among actions.
  func answer(_ actions: [ProgramServer.Action]) throws -> ProgramAnswer {
    for case .answer(let packet, _) in actions {
      var cursor = ByteCursor(packet)
      return ProgramAnswer(
        number: try cursor.readUInt32(), error: Int32(bitPattern: try cursor.readUInt32()), bytes: cursor.readRemaining())
    }
    throw ProgramViolation("no answer in \(actions)")
  }
}

extension [ProgramServer.Action] {
  /// What sockets are given: connection, group and messages.
  fileprivate var datagrams: [(connection: Int, group: UInt32, messages: [NetlinkMessage])] {
    var datagrams: [(connection: Int, group: UInt32, messages: [NetlinkMessage])] = []
    for case .deliver(let packet, let connection, _) in self {
      datagrams.append((connection, UInt32(packet[0]), NetlinkMessage.messages(in: [UInt8](packet.dropFirst(8))).messages))
    }
    return datagrams
  }
}

/// A request of nl80211 about the interface of a ``SimulatedAdapter``.
private func request(_ command: UInt8, flags: UInt16 = 0) -> [UInt8] {
  var attributes = AttributeWriter()
  attributes.write(NL80211.Attribute.interfaceIndex, 3 as UInt32)
  let payload = GenericNetlinkMessage(command: command, attributes: attributes.bytes).payload
  let flags = flags | NetlinkMessage.Flag.request | NetlinkMessage.Flag.acknowledge
  return NetlinkMessage(type: 20, flags: flags, sequence: 5, payload: payload).encoded
}

@Suite struct ProgramServerTests {
  private static let requests: [ProgramCall.Request] = [
    .hello(process: 7, thread: 8), .open(protocol: 16), .timerOpen, .bind(socket: 1, port: 2, groups: 3), .name(socket: 1),
    .membership(socket: 1, group: 6, isMember: true), .membership(socket: 1, group: 6, isMember: false),
    .option(socket: 1, option: 11, value: 1), .optionValue(socket: 1, option: 9), .send(socket: 1, received: 4, datagram: [1, 2, 3]),
    .send(socket: 1, received: 0, datagram: []),
    .interface(request: 0x8933, capacity: 9, structure: [UInt8](repeating: 1, count: 40)), .wait(until: nil), .wait(until: 5),
    .sleep(until: 6), .cancel,
    .timerSet(timer: 1, time: 2, interval: 3), .timerGet(timer: 1), .alarm(after: 1, interval: 2),
  ]

  @Test(arguments: requests)
  func `a call is read as it was written, and not where it is cut off or longer`(_ request: ProgramCall.Request) throws {
    let call = ProgramCall(number: 9, request: request)
    #expect(try ProgramCall(parsing: call.encoded) == call)
    if case .send = request { return }
    for count in 0..<call.encoded.count { #expect(throws: WireError.self) { try ProgramCall(parsing: Array(call.encoded.prefix(count))) } }
    #expect(throws: WireError.self) { try ProgramCall(parsing: call.encoded + [0]) }
  }

  @Test func `a scan is acknowledged, announced to members of its group alone, and its results are listed`() throws {
    var caller = Caller([.init(try .test(1), signalMBm: -5000)])
    caller.thread(1, process: 1)
    let asking = try caller.socket(2)
    let listening = try caller.socket(3)
    let deaf = try caller.socket(4)
    #expect(try caller.answer(caller.send(.membership(socket: listening, group: 6, isMember: true), 1)).error == 0)
    #expect(try caller.answer(caller.send(.membership(socket: deaf, group: 60, isMember: true), 1)).error == 0)
    let started = caller.send(.send(socket: asking, received: 0, datagram: request(NL80211.Command.triggerScan)), 1)
    #expect(started.datagrams.map(\.connection) == [2, 3])
    #expect(started.datagrams.map(\.group) == [0, 6])
    // What a request brings about is there before it returns.
    if case .answer = started.last {} else { Issue.record("the answer is not the last: \(started)") }
    let busy = caller.send(.send(socket: asking, received: 0, datagram: request(NL80211.Command.triggerScan)), 1)
    #expect(busy.datagrams.first?.messages.first?.payload.prefix(4).elementsEqual([0xF0, 0xFF, 0xFF, 0xFF]) == true)
    let ended = caller.advance(.seconds(10))
    #expect(ended.datagrams.map(\.connection) == [3])
    #expect(ended.datagrams[0].messages[0].payload.first == NL80211.Command.newScanResults)
    let listed = caller.send(
      .send(socket: asking, received: 0, datagram: request(NL80211.Command.getScan, flags: NetlinkMessage.Flag.dump)), 1)
    #expect(listed.datagrams.flatMap(\.messages).map(\.type) == [20, NetlinkMessage.ControlType.done])
  }

  @Test func `a socket has the port that it was bound to, and another may not take it`() throws {
    var caller = Caller()
    caller.thread(1, process: 1)
    let first = try caller.socket(2)
    let second = try caller.socket(3)
    #expect(try caller.answer(caller.send(.name(socket: first), 1)).bytes == [0, 0, 0, 0, 0, 0, 0, 0])
    caller.send(.bind(socket: first, port: 77, groups: 1 << 5), 1)
    #expect(try caller.answer(caller.send(.name(socket: first), 1)).bytes == [77, 0, 0, 0, 32, 0, 0, 0])
    #expect(try caller.answer(caller.send(.bind(socket: second, port: 77, groups: 0), 1)).error == 98)
    let reply = caller.send(.send(socket: first, received: 0, datagram: request(NL80211.Command.getInterface)), 1)
    #expect(reply.datagrams.first?.messages.first?.port == 77)
  }

  @Test func `the first socket of a process has its number as port, and the next one a port that no process has`() throws {
    var caller = Caller()
    caller.thread(1, process: 300)
    func port(_ socket: UInt32) throws -> UInt32 {
      var cursor = ByteCursor(try caller.answer(caller.send(.name(socket: socket), 1)).bytes)
      return try cursor.readUInt32()
    }
    let (first, second, third) = (try caller.socket(2), try caller.socket(3), try caller.socket(4))
    #expect(try port(first) == 0)
    let reply = caller.send(.send(socket: first, received: 0, datagram: request(NL80211.Command.getInterface)), 1)
    #expect(reply.datagrams.first?.messages.first?.port == 300)
    #expect(try port(first) == 300)
    caller.send(.bind(socket: second, port: 0, groups: 0), 1)
    #expect(try port(second) == UInt32(bitPattern: -4097))
    caller.send(.bind(socket: third, port: UInt32(bitPattern: -4098), groups: 0), 1)
    let fourth = try caller.socket(5)
    caller.send(.bind(socket: fourth, port: 0, groups: 0), 1)
    #expect(try port(fourth) == UInt32(bitPattern: -4099))
    // Ports of rtnetlink are others, and one that is free again is given again.
    let other = try caller.socket(6, protocol: 0)
    caller.send(.bind(socket: other, port: 0, groups: 0), 1)
    #expect(try port(other) == 300)
    caller.server.disconnect(2)
    let next = try caller.socket(2)
    caller.send(.bind(socket: next, port: 0, groups: 0), 1)
    #expect(try port(next) == 300)
  }

  @Test func `a socket that has a port is bound again to this one alone, with other groups`() throws {
    var caller = Caller()
    caller.thread(1, process: 1)
    let socket = try caller.socket(2)
    func bind(_ port: UInt32, groups: UInt32) throws -> Int32 {
      try caller.answer(caller.send(.bind(socket: socket, port: port, groups: groups), 1)).error
    }
    #expect(try bind(77, groups: 1 << 5) == 0)
    #expect(try bind(0, groups: 0) == 22)
    #expect(try bind(78, groups: 0) == 22)
    #expect(try bind(77, groups: 1 << 6 | 1) == 0)
    #expect(try caller.answer(caller.send(.name(socket: socket), 1)).bytes == [77, 0, 0, 0, 65, 0, 0, 0])
  }

  @Test func `a socket tells its options and its groups`() throws {
    var caller = Caller()
    caller.thread(1, process: 1)
    let socket = try caller.socket(2)
    func value(_ option: UInt32) throws -> ProgramAnswer { try caller.answer(caller.send(.optionValue(socket: socket, option: option), 1)) }
    func join(_ group: UInt32, _ isMember: Bool = true) throws -> Int32 {
      try caller.answer(caller.send(.membership(socket: socket, group: group, isMember: isMember), 1)).error
    }
    for option in [3, 4, 5, 8, 10, 11, 12] as [UInt32] {
      #expect(try value(option).bytes == [0, 0, 0, 0])
      for number in [1, 0, 7] as [UInt32] {
        #expect(try caller.answer(caller.send(.option(socket: socket, option: option, value: number), 1)).error == 0)
        #expect(try value(option).bytes == [number == 0 ? 0 : 1, 0, 0, 0])
      }
    }
    for option in [0, 1, 2, 6, 7, 13, 0x10000] as [UInt32] { #expect(try value(option).error == 92) }
    // No group yet, then as many as there is room for; those that no family has may be joined, too.
    #expect(try value(9).bytes.isEmpty)
    #expect(try [0, 65].map { try join($0) } == [22, 22])
    #expect(try [6, 60, 64].map { try join($0) } == [0, 0, 0])
    #expect(try value(9).bytes == [0x20, 0, 0, 0, 0, 0, 0, 0x88])
    #expect(try [60, 1, 65].map { try join($0, false) } == [0, 0, 22])
    #expect(try value(9).bytes == [0x20, 0, 0, 0, 0, 0, 0, 0x80])
  }

  @Test func `a list that is asked for while one is read is refused, until the program has read enough of that`() throws {
    var caller = Caller(try (1...40).map { .init(try .test($0), signalMBm: -5000) })
    caller.thread(1, process: 1)
    let socket = try caller.socket(2)
    caller.send(.send(socket: socket, received: 0, datagram: request(NL80211.Command.triggerScan)), 1)
    _ = caller.advance(.seconds(10))
    /// How many datagrams a list has; `nil` where it is refused with EBUSY.
    func list(_ socket: UInt32, received: UInt32, _ command: UInt8 = NL80211.Command.getScan) -> Int? {
      let asked = caller.send(.send(socket: socket, received: received, datagram: request(command, flags: NetlinkMessage.Flag.dump)), 1)
      let isBusy = asked.datagrams.first?.messages.first?.payload.prefix(4) == [0xF0, 0xFF, 0xFF, 0xFF]
      return isBusy && asked.datagrams.count == 1 ? nil : asked.datagrams.count
    }
    // The acknowledgement was read; a number that begins again is none that is smaller.
    for start in [1, UInt32.max - 1] {
      let count = UInt32(try #require(list(socket, received: start)))
      #expect(count >= 3)
      #expect(list(socket, received: start) == nil)
      #expect(list(socket, received: start &+ count - 2, NL80211.Command.getWiphy) == nil)
      // What is no list is answered, and another socket reads its own.
      let single = caller.send(.send(socket: socket, received: start, datagram: request(NL80211.Command.getInterface)), 1)
      #expect(single.datagrams.first?.messages.first?.type == 20)
      #expect(list(try caller.socket(3), received: start) == Int(count))
      caller.server.disconnect(3)
      // When all but the last datagram have been received, that one has been made.
      #expect(list(socket, received: start &+ count - 1, NL80211.Command.getInterface) == 2)
      #expect(list(socket, received: start &+ count, NL80211.Command.getInterface) == 2)
      #expect(list(socket, received: start &+ count + 1, NL80211.Command.getStation) == 1)
      #expect(list(socket, received: start &+ count + 1, NL80211.Command.getStation) == 1)
    }
    let links = try caller.socket(4, protocol: 0)
    for expected in [16, NetlinkMessage.ControlType.error] {
      let asked = caller.send(.send(socket: links, received: 0, datagram: linkRequest(18, flags: NetlinkMessage.Flag.dump)), 1)
      #expect(asked.datagrams.first?.messages.first?.type == expected)
    }
  }

  @Test func `a process that sleeps or has not had its turn is held, one that waits for descriptors, too, is not`() {
    var caller = Caller(takesTurns: true)
    caller.thread(1, process: 21)
    let hello = caller.server.held[21]
    #expect(hello != nil)
    caller.server.takeTurn()
    #expect(caller.server.held.isEmpty)
    caller.send(.sleep(until: nil), 1)
    let sleep = caller.server.held[21]
    #expect(sleep != nil && sleep != hello)
    caller.send(.cancel, 1)
    #expect(caller.server.held[21] != sleep)
    caller.server.takeTurn()
    caller.send(.wait(until: 0), 1)
    // Its time has come, but what it waits for may have, too.
    #expect(caller.server.hasPendingCalls && caller.server.held.isEmpty)
  }

  @Test func `a wait ends at its time, and not where it was cancelled`() throws {
    var caller = Caller()
    caller.thread(1, process: 1)
    let now = caller.server.kernel.bootTime.wholeNanoseconds
    #expect(caller.send(.wait(until: now + 5_000_000), 1).isEmpty)
    #expect(caller.server.nextEvent == .nanoseconds(now + 5_000_000))
    #expect(caller.advance(.milliseconds(4)).isEmpty)
    #expect(try caller.answer(caller.advance(.milliseconds(1))).number == caller.calls)
    caller.send(.wait(until: now + 9_000_000), 1)
    #expect(try caller.answer(caller.send(.cancel, 1)).number == caller.calls)
    #expect(caller.server.nextEvent == nil)
  }

  @Test func `a timer tells how often it expired`() throws {
    var caller = Caller()
    caller.thread(1, process: 1)
    caller.server.connect(2, process: 1)
    let timer = UInt32(try caller.answer(caller.send(.timerOpen, 2)).bytes[0])
    let now = caller.server.kernel.bootTime.wholeNanoseconds
    caller.send(.timerSet(timer: timer, time: now + 1_000_000_000, interval: 250_000_000), 1)
    #expect(caller.advance(.milliseconds(999)).isEmpty)
    guard case .deliver(let packet, 2, false) = caller.advance(.milliseconds(601)).first else { throw ProgramViolation("no expiration") }
    #expect(packet == [0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0])
    caller.send(.timerSet(timer: timer, time: 0, interval: 0), 1)
    #expect(caller.server.nextEvent == nil)
  }

  @Test func `an alarm is a signal to its process, unless that has ended`() throws {
    var caller = Caller()
    caller.thread(1, process: 11)
    caller.thread(2, process: 12)
    caller.send(.alarm(after: 1_000_000_000, interval: 0), 1)
    caller.send(.alarm(after: 1_000_000_000, interval: 0), 2)
    caller.server.end(process: 12)
    #expect(caller.advance(.seconds(1)) == [.signal(14, process: 11)])
    #expect(caller.advance(.seconds(10)).isEmpty)
  }

  @Test func `where programs take turns, a call is answered in its turn, whichever came first`() throws {
    var orders: Set<[Int]> = []
    for connections in [[1, 2], [2, 1]] {
      var caller = Caller(takesTurns: true)
      for connection in connections {
        caller.server.connect(connection, process: 1)
        #expect(caller.send(.hello(process: UInt32(connection), thread: 0), connection).isEmpty)
      }
      var order: [Int] = []
      while caller.server.hasPendingCalls {
        caller.server.takeTurn()
        for case .answer(_, let connection) in caller.server.takeActions() { order.append(connection) }
      }
      orders.insert(order)
    }
    #expect(orders == [[1, 2]])
  }

  @Test func `a connection that breaks the protocol is closed with a sentence, and the others go on`() throws {
    var caller = Caller()
    caller.thread(1, process: 1)
    caller.server.connect(2, process: 1)
    caller.server.receive([9, 1, 0, 0, 1, 0, 0, 0], from: 2)
    #expect(
      caller.server.takeActions() == [
        .close(connection: 2, because: "version 9 of the protocol instead of \(ProgramCall.version) at byte 0")
      ])
    #expect(caller.send(.send(socket: 5, received: 0, datagram: [1]), 1).count == 1)
    #expect(caller.send(.timerOpen, 1) == [.close(connection: 1, because: "timerOpen at the wrong place")])
  }

  @Test func `interfaces and adapters are the same in files and in requests`() throws {
    let kernel = SimulatedKernel(air: StillAir(), clock: ProgramClock())
    let files = Dictionary(uniqueKeysWithValues: kernel.files.map { ($0.path, $0.content) })
    #expect(files["/sys/class/net/wlan0/address"] == .text("02:00:00:00:00:00\n"))
    #expect(files["/sys/class/net/wlan0/ifindex"] == .text("3\n"))
    #expect(files["/sys/class/net/wlan0/phy80211"] == .link("../../ieee80211/phy0"))
    #expect(files["/sys/class/ieee80211/phy0/index"] == .text("0\n"))
    kernel.unplug(wiphy: 0)
    #expect(!kernel.files.contains { $0.path.contains("wlan0") || $0.path.contains("phy0") })
    var caller = Caller()
    caller.thread(1, process: 1)
    let name = Array("wlan0".utf8) + [UInt8](repeating: 0, count: 35)
    let found = try caller.answer(caller.send(.interface(request: 0x8933, capacity: 0, structure: name), 1))
    #expect(found.bytes[16..<20] == [3, 0, 0, 0])
    var index = [UInt8](repeating: 0, count: 40)
    index[16] = 3
    #expect(
      try caller.answer(caller.send(.interface(request: 0x8910, capacity: 0, structure: index), 1)).bytes.starts(with: name.prefix(16)))
    index[16] = 9
    #expect(try caller.answer(caller.send(.interface(request: 0x8910, capacity: 0, structure: index), 1)).error == 19)
  }

  /// A request of rtnetlink about a link (`struct ifinfomsg`).
  private func linkRequest(_ type: UInt16, flags: UInt16 = 0, index: UInt8 = 0, up: UInt8 = 0, mask: UInt8 = 0) -> [UInt8] {
    let payload: [UInt8] = [0, 0, 0, 0, index, 0, 0, 0, up, 0, 0, 0, mask, 0, 0, 0]
    let flags = flags | NetlinkMessage.Flag.request | NetlinkMessage.Flag.acknowledge
    return NetlinkMessage(type: type, flags: flags, sequence: 5, payload: payload).encoded
  }

  @Test func `links are listed, brought down and up, and those who listen hear of it`() throws {
    var caller = Caller()
    caller.thread(1, process: 1)
    let asking = try caller.socket(2, protocol: 0)
    let listening = try caller.socket(3, protocol: 0)
    caller.send(.membership(socket: listening, group: 1, isMember: true), 1)
    let listed = caller.send(.send(socket: asking, received: 0, datagram: linkRequest(18, flags: NetlinkMessage.Flag.dump)), 1)
    #expect(listed.datagrams.flatMap(\.messages).map(\.type) == [16, 16, NetlinkMessage.ControlType.done])
    let down = caller.send(.send(socket: asking, received: 0, datagram: linkRequest(19, index: 3, up: 0, mask: 1)), 1)
    #expect(down.datagrams.map(\.connection).sorted() == [2, 3])
    #expect(down.datagrams.last?.messages.first?.payload[8] == 2)
    #expect(caller.server.kernel.adapters[0].interfaces[0].isUp == false)
    // Neither flags nor a mask: nothing is meant, as where a supplicant sets the operational state.
    caller.send(.send(socket: asking, received: 0, datagram: linkRequest(19, index: 3)), 1)
    #expect(caller.server.kernel.adapters[0].interfaces[0].isUp == false)
    caller.send(.send(socket: asking, received: 0, datagram: linkRequest(16, index: 3, up: 1, mask: 1)), 1)
    #expect(caller.server.kernel.adapters[0].interfaces[0].isUp)
    caller.server.kernel.setRFKill(wiphy: 0, isBlocked: true)
    let refused = caller.send(.send(socket: asking, received: 0, datagram: linkRequest(16, index: 3, up: 1, mask: 1)), 1)
    #expect(refused.datagrams.first { $0.connection == 2 }?.messages.first?.payload.prefix(4) == [0x7C, 0xFF, 0xFF, 0xFF])
    let missing = caller.send(.send(socket: asking, received: 0, datagram: linkRequest(18, index: 9)), 1)
    #expect(missing.datagrams.first?.messages.first?.payload.prefix(4) == [0xED, 0xFF, 0xFF, 0xFF])
    let noARP = caller.send(.send(socket: asking, received: 0, datagram: linkRequest(16, index: 3, up: 0x80, mask: 0x80)), 1)
    #expect(noARP.datagrams.first?.messages.first?.payload.prefix(4) == [0xA1, 0xFF, 0xFF, 0xFF])
    // What is cut off is refused, and another kind of list is empty.
    let short = NetlinkMessage(type: 18, flags: NetlinkMessage.Flag.request, payload: [0]).encoded
    #expect(caller.send(.send(socket: asking, received: 0, datagram: short), 1).datagrams.first?.messages.first?.payload[0] == 0xEA)
    let routes = caller.send(.send(socket: asking, received: 9, datagram: linkRequest(26, flags: NetlinkMessage.Flag.dump)), 1)
    #expect(routes.datagrams.flatMap(\.messages).map(\.type) == [NetlinkMessage.ControlType.done])
  }

  @Test func `an interface is named by its wireless device, too`() throws {
    var caller = Caller([.init(try .test(1), signalMBm: -5000)])
    caller.thread(1, process: 1)
    let socket = try caller.socket(2)
    func ask(_ command: UInt8, wdev: UInt64, flags: UInt16 = 0) -> [NetlinkMessage] {
      var attributes = AttributeWriter()
      attributes.write(NL80211.Attribute.wdev, wdev)
      let payload = GenericNetlinkMessage(command: command, attributes: attributes.bytes).payload
      let message = NetlinkMessage(type: 20, flags: flags | NetlinkMessage.Flag.request, sequence: 5, payload: payload)
      return caller.send(.send(socket: socket, received: 0, datagram: message.encoded), 1).datagrams.flatMap(\.messages)
    }
    #expect(ask(NL80211.Command.triggerScan, wdev: 1).first?.payload.prefix(4) == [0, 0, 0, 0])
    #expect(ask(NL80211.Command.triggerScan, wdev: 2).first?.payload.prefix(4) == [0xED, 0xFF, 0xFF, 0xFF])
    _ = caller.advance(.seconds(10))
    #expect(ask(NL80211.Command.getScan, wdev: 1, flags: NetlinkMessage.Flag.dump).count == 2)
  }

  @Test func `an adapter that is pulled out takes its link along`() throws {
    var caller = Caller()
    caller.thread(1, process: 1)
    let listening = try caller.socket(2, protocol: 0)
    caller.send(.membership(socket: listening, group: 1, isMember: true), 1)
    caller.server.kernel.unplug(wiphy: 0)
    #expect(caller.advance(.zero).datagrams.flatMap(\.messages).map(\.type) == [17])
  }

  @Test func `what an interface is asked is what it is in netlink, too`() throws {
    var caller = Caller()
    caller.thread(1, process: 1)
    let name = Array("wlan0".utf8) + [UInt8](repeating: 0, count: 35)
    func ask(_ number: UInt32, _ structure: [UInt8]? = nil, capacity: UInt32 = 0) throws -> ProgramAnswer {
      try caller.answer(caller.send(.interface(request: number, capacity: capacity, structure: structure ?? name), 1))
    }
    #expect(try ask(0x8913).bytes[16..<18] == [0x03, 0x10])
    #expect(try ask(0x8927).bytes[16..<24] == [1, 0, 2, 0, 0, 0, 0, 0])
    #expect(try ask(0x8921).bytes[16..<20] == [0xDC, 5, 0, 0])
    #expect(try ask(0x8915).error == 99)
    #expect(try ask(0x8B01).bytes[16..<27].elementsEqual("IEEE 802.11".utf8))
    let range = try ask(0x8B0B, capacity: 1136)
    #expect(range.bytes.count == 40 + 568 && range.bytes[40 + 306] == 32 && range.bytes[40 + 308..<40 + 310] == [0x6C, 9])
    #expect(try ask(0x8B0B, capacity: 100).error == 7)
    #expect(try ask(0x8B06).error == 95)
    var down = name
    down[16] = 2
    #expect(try ask(0x8914, down).error == 0)
    #expect(try ask(0x8913).bytes[16] == 2)
    #expect(caller.server.kernel.adapters[0].interfaces[0].isUp == false)
    var promiscuous = name
    promiscuous[17] = 1
    for structure in [promiscuous, Array("lo".utf8) + [UInt8](repeating: 0, count: 38)] { #expect(try ask(0x8914, structure).error == 95) }
    let other = Array("eth0".utf8) + [UInt8](repeating: 0, count: 36)
    for number in [0x8913, 0x8914, 0x8927, 0x8946, 0x8B01] as [UInt32] { #expect(try ask(number, other).error == 19) }
    #expect(try ask(0x8912, [UInt8](repeating: 0, count: 40), capacity: 80).bytes.count == 80)
  }

  @Test func `random packets break nothing`() throws {
    var random = RandomStream(seed: 7, name: "packets")
    for _ in 0..<2000 {
      let bytes = (0..<random.next(below: 201)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      try ProgramProperties.checkPackets(bytes)
      // And such as begin well.
      var packets: [UInt8] = [UInt8(truncatingIfNeeded: random.next())]
      for number in 1...20 as ClosedRange<UInt8> {
        let kind = UInt8(truncatingIfNeeded: 1 + random.next(below: 15))
        let packet: [UInt8] =
          [ProgramCall.version, kind, 0, 0, number, 0, 0, 0]
          + (0..<random.next(below: 45)).map { _ in UInt8(truncatingIfNeeded: random.next(below: 4)) }
        packets += [UInt8(truncatingIfNeeded: random.next()), UInt8(packet.count)] + packet
      }
      try ProgramProperties.checkPackets(packets)
    }
  }

  @Test func `a signal goes to the number that the machine has for a process`() {
    var caller = Caller()
    caller.server.connect(1, process: 70)
    caller.send(.hello(process: 2, thread: 2), 1)
    caller.send(.alarm(after: 1_000_000_000, interval: 0), 1)
    #expect(caller.advance(.seconds(1)) == [.signal(14, process: 70)])
    caller.send(.alarm(after: 1_000_000_000, interval: 0), 1)
    caller.server.end(process: 70)
    #expect(caller.advance(.seconds(1)) == [])
  }

  @Test func `the device of rfkill tells what is blocked, and blocks`() {
    let caller = Caller()
    let server = caller.server
    func event(_ index: UInt8, _ operation: UInt8, _ soft: UInt8, to connection: Int) -> ProgramServer.Action {
      .deliver([index, 0, 0, 0, 1, operation, soft, 0], connection: connection, isEvent: false)
    }
    server.connectRadioSwitch(1)
    #expect(server.takeActions() == [event(0, 0, 0, to: 1)])
    server.connectRadioSwitch(2)
    #expect(server.takeActions() == [event(0, 0, 0, to: 2)])
    // RFKILL_OP_CHANGE_ALL of RFKILL_TYPE_WLAN.
    server.receive([0, 0, 0, 0, 1, 3, 1, 0], from: 2)
    #expect(server.kernel.adapters.map(\.isRFKilled) == [true])
    #expect(server.takeActions() == [event(0, 2, 1, to: 1), event(0, 2, 1, to: 2)])
    // RFKILL_OP_CHANGE of another switch, a type that it is not, and half an event.
    for packet: [UInt8] in [[7, 0, 0, 0, 0, 2, 0, 0], [0, 0, 0, 0, 2, 3, 0, 0], [0, 0, 0, 0, 1]] { server.receive(packet, from: 1) }
    #expect(server.kernel.adapters.map(\.isRFKilled) == [true])
    server.disconnect(1)
    server.kernel.setRFKill(wiphy: 0, isBlocked: false)
    server.advance()
    #expect(server.takeActions() == [event(0, 2, 0, to: 2)])
  }

  @Test func `files of rfkill, of the driver and of settings are there`() {
    let kernel = Caller().server.kernel
    let files = Dictionary(uniqueKeysWithValues: kernel.files.map { ($0.path, $0.content) })
    #expect(files["/sys/class/rfkill/rfkill0/soft"] == .text("0\n"))
    #expect(files["/sys/class/ieee80211/phy0/device/driver"] == .link("../../../../bus/platform/drivers/mac80211_hwsim"))
    #expect(files["/sys/class/net/wlan0/device"] == .link("../../ieee80211/phy0/device"))
    #expect(files["/proc/sys/net/ipv4/conf/wlan0/forwarding"] == .text("0\n"))
    #expect(files["/proc/sys/net/ipv6/conf/all/disable_ipv6"] == .text("0\n"))
    for case .link(let target) in files.values { #expect(!target.hasPrefix("/")) }
    kernel.setRFKill(wiphy: 0, isBlocked: true)
    #expect(kernel.files.contains { $0.path == "/sys/class/rfkill/rfkill0/state" && $0.content == .text("0\n") })
  }
}
