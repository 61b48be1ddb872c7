public import DaemonProtocols
public import WiFi

/// A program's channels to the simulated daemons of a machine.
///
/// Several links may talk to one machine, each in the isolation that its kernel belongs to; one task at a time may wait
/// on each.
public final class SimulatedControlLink: ControlLink, TimeWaiter {
  private let machine: SimulatedMachine
  /// How many times as long as on the fastest link a message takes: so an answer on another overtakes it.
  private let slowness: Int
  private var sockets: [Socket] = []
  private var inbox: [(time: Duration, input: ControlInput)] = []
  private var wake: Wake?
  private var endsWait = false

  /// An open channel, and the daemon that it was opened to: another that takes its place is not talked to.
  private struct Socket {
    var channel: ControlChannel
    weak var supplicant: SimulatedSupplicant?
    var connection: SimulatedBus.Connection?
  }

  init(machine: SimulatedMachine, slowness: Int) { (self.machine, self.slowness) = (machine, slowness) }

  public var bootTime: Duration { machine.kernel.bootTime }

  public func open(_ channel: ControlChannel) throws(LinkError) {
    precondition(!isOpen(channel), "SimulatedControlLink: \(channel) is open")
    machine.kernel.run()
    func missing() -> LinkError { LinkError(operation: "open \(channel)", number: KernelError.Number.noEntry) }
    switch channel {
    case .supplicant(let interface):
      guard let supplicant = machine.supplicant(of: interface) else { throw missing() }
      guard machine.isPermitted else { throw LinkError(operation: "open \(channel)", number: KernelError.Number.accessDenied) }
      sockets.append(Socket(channel: channel, supplicant: supplicant))
    case .bus:
      guard let bus = machine.bus else { throw missing() }
      sockets.append(Socket(channel: channel, connection: bus.connect(self)))
    case .kernel: sockets.append(Socket(channel: channel))
    }
  }

  private func isOpen(_ channel: ControlChannel) -> Bool { sockets.contains { $0.channel == channel } }

  public func close(_ channel: ControlChannel) {
    guard let index = sockets.firstIndex(where: { $0.channel == channel }) else { return }
    let socket = sockets.remove(at: index)
    socket.supplicant?.detach(self)
    if let connection = socket.connection { machine.bus?.disconnect(connection) }
    inbox.removeAll { $0.input.channel == channel }
  }

  public func send(_ payload: ControlPayload, on channel: ControlChannel) throws(LinkError) {
    machine.kernel.run()
    guard let socket = sockets.first(where: { $0.channel == channel }) else {
      throw LinkError(operation: "send to \(channel)", number: LinkError.ControlNumber.notConnected)
    }
    switch channel {
    case .supplicant(let interface):
      guard let supplicant = socket.supplicant, supplicant === machine.supplicant(of: interface) else {
        throw LinkError(operation: "send to \(channel)", number: LinkError.ControlNumber.connectionRefused)
      }
      supplicant.receive(payload.bytes, from: self)
    case .bus:
      guard let bus = machine.bus, let connection = socket.connection else {
        throw LinkError(operation: "send to \(channel)", number: LinkError.ControlNumber.brokenPipe)
      }
      bus.receive(payload.bytes, from: connection)
    case .kernel: throw LinkError(operation: "send to \(channel)", number: KernelError.Number.notSupported)
    }
  }

  /// The daemon at the other end closes the channel.
  func hangUp(_ channel: ControlChannel) {
    guard let index = sockets.firstIndex(where: { $0.channel == channel }) else { return }
    let socket = sockets.remove(at: index)
    if let connection = socket.connection { machine.bus?.disconnect(connection) }
    put(.closed(channel), at: arrival(on: channel, at: machine.kernel.now))
  }

  public func receive(until deadline: Duration, isFinal: Bool) async throws(LinkError) -> ControlInput? {
    precondition(wake == nil, "SimulatedControlLink: two tasks wait on one link")
    let kernel = machine.kernel
    while true {
      if !isFinal, Task.isCancelled || endsWait {
        endsWait = false
        return nil
      }
      kernel.run()
      let now = bootTime
      if let next = inbox.first, next.time <= now { return inbox.removeFirst().input }
      guard now < deadline else { return nil }
      let wake = Wake()
      self.wake = wake
      await wake.wait(until: min(deadline, inbox.first?.time ?? deadline, kernel.nextTimer ?? deadline), kernel.clock)
      self.wake = nil
    }
  }

  public func endWait() {
    endsWait = true
    interrupt()
  }

  /// Puts a datagram, or bytes of a stream, into the socket, where the channel is open.
  func deliver(_ bytes: [UInt8], on channel: ControlChannel, at time: Duration) {
    guard isOpen(channel) else { return }
    put(.received(channel, bytes), at: channel == .kernel ? time : arrival(on: channel, at: time))
  }

  /// When a message that is sent now arrives: none overtakes an earlier one.
  private func arrival(on channel: ControlChannel, at time: Duration) -> Duration {
    max(time + machine.latency * slowness, inbox.last { $0.input.channel == channel }?.time ?? .zero)
  }

  private func put(_ input: ControlInput, at time: Duration) {
    inbox.insert((time, input)) { $0.time }
    interrupt()
  }

  /// Lets the waiting side look again.
  func interrupt() { wake?.fire() }
}

extension ControlInput {
  /// The channel that it came over.
  var channel: ControlChannel {
    switch self {
    case .received(let channel, _), .closed(let channel): channel
    }
  }
}
