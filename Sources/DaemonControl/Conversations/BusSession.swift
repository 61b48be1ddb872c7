import DaemonProtocols

/// The phases that every conversation over the bus has.
protocol BusPhase {
  static var connecting: Self { get }
  static var finished: Self { get }
}

/// A conversation over the system bus, whose state is its phase: what only one phase knows is in the case of that.
protocol BusSession: ControlSession {
  associatedtype Phase: BusPhase

  var bus: BusClient { get set }
  var phase: Phase { get set }
  /// Whether what comes over the bus has no meaning any more.
  var isOver: Bool { get }

  /// Makes the first call.
  mutating func begin(_ now: Duration) -> [ControlAction<Output>]
  mutating func answered(_ message: DBusMessage, _ now: Duration) -> [ControlAction<Output>]
  mutating func refused(_ message: DBusMessage, _ now: Duration) -> [ControlAction<Output>]
  mutating func signal(_ message: DBusMessage, _ now: Duration) -> [ControlAction<Output>]
  mutating func called(_ message: DBusMessage, _ now: Duration) -> [ControlAction<Output>]
  /// The daemon, or the way to it, is gone.
  mutating func gone(_ reason: JoinFailure.Reason, _ now: Duration) -> [ControlAction<Output>]
  func wait(_ now: Duration) -> [ControlAction<Output>]
}

extension BusSession {
  var isOver: Bool { bus.isClosed }
  mutating func refused(_ message: DBusMessage, _ now: Duration) -> [ControlAction<Output>] { gone(BusError.reason(message), now) }
  mutating func signal(_ message: DBusMessage, _ now: Duration) -> [ControlAction<Output>] { [] }
  mutating func called(_ message: DBusMessage, _ now: Duration) -> [ControlAction<Output>] { bus.refuse(message) }
  func wait(_ now: Duration) -> [ControlAction<Output>] { [.wait(until: bus.deadline)] }

  mutating func open(_ now: Duration) -> [ControlAction<Output>] {
    phase = .connecting
    return bus.open(now)
  }

  mutating func finish(_ output: Output) -> [ControlAction<Output>] {
    phase = .finished
    return bus.finish(output)
  }

  /// Takes an input as every phase does that has no other meaning for it.
  mutating func take(_ input: JoinInput, _ now: Duration) -> [ControlAction<Output>] {
    switch input {
    case .start: preconditionFailure("\(Self.self): start in the middle")
    case .opened: return bus.opened(now)
    case .refused(_, let error): return gone(bus.reason(of: error), now)
    case .closed: return gone(.daemonLost, now)
    case .received(_, let bytes): return received(bytes, now)
    case .timedOut: return now < bus.deadline ? wait(now) : gone(.daemonSilent, now)
    case .cancelled, .abandoned: return gone(.cancelled, now)
    }
  }

  /// Takes in bytes from the bus, one message after another.
  mutating func received(_ bytes: [UInt8], _ now: Duration) -> [ControlAction<Output>] {
    var actions: [ControlAction<Output>] = []
    bus.receive(bytes)
    while !isOver, let event = bus.next(now) {
      let next: [ControlAction<Output>] =
        switch event {
        case .send(let bytes): [.send(ControlPayload(bytes), .bus)]
        case .ready: begin(now)
        case .answer(let message): answered(message, now)
        case .refusal(let message): refused(message, now)
        case .signal(let message): signal(message, now)
        case .call(let message): called(message, now)
        case .failed(let reason): gone(reason, now)
        }
      actions += next
    }
    return isOver ? actions : actions + wait(now)
  }

  /// Enters a phase that waits for the answer to a call.
  mutating func call(
    _ next: Phase, _ service: String, _ path: DBusObjectPath, _ interface: String, _ member: String, _ body: [DBusValue] = [],
    isSecret: Bool = false, limit: Duration? = nil, at now: Duration
  ) -> [ControlAction<Output>] {
    phase = next
    return bus.call(service, path, interface, member, body, isSecret: isSecret, limit: limit, at: now)
  }

  /// Enters a phase that waits for an answer of NetworkManager itself, or of one of its profiles.
  mutating func networkManager(
    _ next: Phase, _ member: String, of profile: DBusObjectPath? = nil, _ body: [DBusValue] = [], isSecret: Bool = false, at now: Duration
  ) -> [ControlAction<Output>] {
    let interface = profile == nil ? NetworkManagerBus.service : NetworkManagerBus.profileInterface
    return call(
      next, NetworkManagerBus.service, profile ?? NetworkManagerBus.path, interface, member, body, isSecret: isSecret, at: now)
  }

  /// Enters a phase that waits for all properties of an object of NetworkManager.
  mutating func properties(
    _ next: Phase, _ path: DBusObjectPath, _ interface: String, _ now: Duration
  ) -> [ControlAction<Output>] {
    call(next, NetworkManagerBus.service, path, SystemBus.propertiesInterface, "GetAll", [.string(interface)], at: now)
  }

  /// Enters a phase that waits for one property of an object of NetworkManager.
  mutating func property(
    _ next: Phase, _ path: DBusObjectPath, _ interface: String, _ name: String, _ now: Duration
  ) -> [ControlAction<Output>] {
    call(next, NetworkManagerBus.service, path, SystemBus.propertiesInterface, "Get", [.string(interface), .string(name)], at: now)
  }

  /// Enters a phase that waits for all objects of iwd.
  mutating func objects(_ next: Phase, _ now: Duration) -> [ControlAction<Output>] {
    call(next, IWDBus.service, .root, SystemBus.objectManagerInterface, "GetManagedObjects", at: now)
  }
}
