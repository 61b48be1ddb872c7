public import WiFi

/// A program's two netlink sockets to a ``SimulatedKernel``: one for requests, one for events.
///
/// Several links may talk to one kernel, each in the isolation that the kernel belongs to; one task at a time may wait
/// on each.
public final class SimulatedLink: Link {
  /// The kernel at the other end.
  public let kernel: SimulatedKernel

  /// Whether the program has the capability `CAP_NET_ADMIN`, without which it may not start scans.
  public var isPrivileged = true

  /// Whether the socket has `NETLINK_CAP_ACK` set, which makes errors echo the header of the request alone.
  public var capsAcknowledgements = false

  /// The port of the socket (`nlmsg_pid`).
  let port: UInt32

  private var groups: [UInt32] = []
  private var inbox: [(time: Duration, input: LinkInput)] = []
  private var wake: Wake?

  init(kernel: SimulatedKernel, port: UInt32) {
    self.kernel = kernel
    self.port = port
  }

  public var bootTime: Duration { kernel.bootTime }

  public func send(_ message: [UInt8]) throws(LinkError) {
    kernel.run()
    guard !message.isEmpty else { throw LinkError(operation: "read a request", number: KernelError.Number.invalid) }
    kernel.handle(message, from: self)
  }

  public func join(group: UInt32) throws(LinkError) {
    guard kernel.hasGroup(group) else {
      throw LinkError(operation: "join the events of the kernel", number: KernelError.Number.noEntry)
    }
    if !groups.contains(group) { groups.append(group) }
  }

  public func receive(until deadline: Duration) async throws(LinkError) -> LinkInput? {
    precondition(wake == nil, "SimulatedLink: two tasks wait on one link")
    while true {
      if Task.isCancelled { return nil }
      kernel.run()
      let now = bootTime
      if let next = inbox.first, next.time <= now { return inbox.removeFirst().input }
      guard now < deadline else { return nil }
      await sleep(until: min(deadline, inbox.first?.time ?? deadline, kernel.nextTimer ?? deadline))
    }
  }

  /// Waits until a time, until something comes, or until the task is cancelled.
  private func sleep(until time: Duration) async {
    let wake = Wake()
    self.wake = wake
    let sleeper = kernel.clock.sleeper(until: time)
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

  func isMember(of group: UInt32) -> Bool { groups.contains(group) }

  /// Puts something into the socket, in order of time and of arrival within one time.
  func deliver(_ input: LinkInput, at time: Duration) {
    var index = inbox.count
    while index > 0, inbox[index - 1].time > time { index -= 1 }
    inbox.insert((time, input), at: index)
    interrupt()
  }

  /// Lets the waiting side look again.
  func interrupt() { wake?.fire() }
}
