public import WiFi

/// A program's channels to the simulated daemons of a machine.
///
/// Several links may talk to one machine, each in the isolation that its kernel belongs to; one task at a time may wait on each.
public final class SimulatedControlLink: ControlLink {
  private let machine: SimulatedMachine
  private var sockets: [Socket] = []
  private var inbox: [(time: Duration, input: ControlInput)] = []
  private var wake: Wake?

  /// An open channel, and the daemon that it was opened to: another that takes its place is not talked to.
  private struct Socket {
    var channel: ControlChannel
    weak var supplicant: SimulatedSupplicant?
  }

  init(machine: SimulatedMachine) { self.machine = machine }

  public var bootTime: Duration { machine.kernel.bootTime }

  public func open(_ channel: ControlChannel) throws(LinkError) {
    precondition(!isOpen(channel), "SimulatedControlLink: \(channel) is open")
    machine.kernel.run()
    guard let supplicant = machine.supplicant(of: channel) else {
      throw LinkError(operation: "open \(channel)", number: KernelError.Number.noEntry)
    }
    guard machine.isPermitted else { throw LinkError(operation: "open \(channel)", number: KernelError.Number.accessDenied) }
    sockets.append(Socket(channel: channel, supplicant: supplicant))
  }

  private func isOpen(_ channel: ControlChannel) -> Bool { sockets.contains { $0.channel == channel } }

  public func close(_ channel: ControlChannel) {
    guard let index = sockets.firstIndex(where: { $0.channel == channel }) else { return }
    sockets.remove(at: index).supplicant?.detach(self)
    inbox.removeAll { $0.input.channel == channel }
  }

  public func send(_ payload: ControlPayload, on channel: ControlChannel) throws(LinkError) {
    machine.kernel.run()
    guard let socket = sockets.first(where: { $0.channel == channel }) else {
      throw LinkError(operation: "send to \(channel)", number: LinkError.ControlNumber.notConnected)
    }
    guard let supplicant = socket.supplicant, supplicant === machine.supplicant(of: channel) else {
      throw LinkError(operation: "send to \(channel)", number: LinkError.ControlNumber.connectionRefused)
    }
    supplicant.receive(payload.bytes, from: self)
  }

  public func receive(until deadline: Duration, isFinal: Bool) async throws(LinkError) -> ControlInput? {
    precondition(wake == nil, "SimulatedControlLink: two tasks wait on one link")
    let kernel = machine.kernel
    while true {
      if Task.isCancelled, !isFinal { return nil }
      kernel.run()
      let now = bootTime
      if let next = inbox.first, next.time <= now { return inbox.removeFirst().input }
      // A task that was cancelled cannot wait on a virtual clock.
      guard now < deadline, !Task.isCancelled else { return nil }
      await sleep(until: min(deadline, inbox.first?.time ?? deadline, kernel.nextTimer ?? deadline))
    }
  }

  /// Waits until a time, until something comes, or until the task is cancelled.
  private func sleep(until time: Duration) async {
    let wake = Wake()
    self.wake = wake
    let sleeper = machine.kernel.clock.sleeper(until: time)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        try? await sleeper()
        wake.fire()
      }
      await wake.wait()
      group.cancelAll()
    }
    self.wake = nil
  }

  /// Puts a datagram into the socket, where the channel is open.
  func deliver(_ bytes: [UInt8], on channel: ControlChannel, at time: Duration) {
    guard isOpen(channel) else { return }
    var index = inbox.count
    while index > 0, inbox[index - 1].time > time { index -= 1 }
    inbox.insert((time, .received(channel, bytes)), at: index)
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

/// The daemons of a simulated machine that join networks.
///
/// It belongs to its creator, and is used from the isolation of its kernel.
public final class SimulatedMachine {
  /// The kernel that the daemons use.
  public let kernel: SimulatedKernel
  /// Whether programs may talk to the daemons.
  public var isPermitted = true
  private var supplicants: [SimulatedSupplicant] = []

  /// A machine without daemons.
  public init(kernel: SimulatedKernel) { self.kernel = kernel }

  /// Starts wpa_supplicant for an interface of the kernel.
  @discardableResult
  public func startSupplicant(interface: String, air: any JoinableAir) -> SimulatedSupplicant {
    kernel.run()
    precondition(!supplicants.contains { $0.interface == interface }, "SimulatedMachine: two supplicants of \(interface)")
    let supplicant = SimulatedSupplicant(interface: interface, kernel: kernel, air: air)
    supplicants.append(supplicant)
    return supplicant
  }

  /// Kills wpa_supplicant of an interface: it says nothing more, and what it held in memory is gone.
  public func killSupplicant(interface: String) {
    kernel.run()
    for supplicant in supplicants where supplicant.interface == interface { supplicant.die() }
    supplicants.removeAll { $0.interface == interface }
  }

  /// Ends wpa_supplicant of an interface and starts it again, with the networks that it had saved.
  public func restartSupplicant(interface: String, air: any JoinableAir) {
    let old = supplicant(of: interface)
    killSupplicant(interface: interface)
    let new = startSupplicant(interface: interface, air: air)
    if let old {
      new.savesConfiguration = old.savesConfiguration
      new.load(old.savedProfiles)
    }
  }

  /// The wpa_supplicant of an interface.
  public func supplicant(of interface: String) -> SimulatedSupplicant? { supplicants.first { $0.interface == interface } }

  func supplicant(of channel: ControlChannel) -> SimulatedSupplicant? {
    if case .supplicant(let interface) = channel { supplicant(of: interface) } else { nil }
  }

  /// Opens a link of another program.
  public func link() -> SimulatedControlLink {
    let link = SimulatedControlLink(machine: self)
    kernel.controlLinks.removeAll { $0.link == nil }
    kernel.controlLinks.append(.init(link: link))
    return link
  }
}
