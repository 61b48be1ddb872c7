public import WiFi

/// A program's two netlink sockets to a ``SimulatedKernel``: one for requests, one for events.
///
/// Several links may talk to one kernel, each in the isolation that the kernel belongs to; one task at a time may wait
/// on each.
public final class SimulatedLink: Link {
  /// The kernel at the other end.
  public let kernel: SimulatedKernel

  /// Whether the program has the capability `CAP_NET_ADMIN`, without which it may not start scans.
  package var isPrivileged = true

  /// Whether the socket has `NETLINK_CAP_ACK` set, which makes errors echo the header of the request alone.
  var capsAcknowledgements = false

  /// Whether the socket has `NETLINK_EXT_ACK` set, which makes errors say more than their number.
  var extendsAcknowledgements = true

  /// The most bytes that the program has made room for when it received, where that is known: no datagram of a list is
  /// larger, but for ``leastRoom``, as the kernel has it (`netlink_dump`, `max_recvmsg_len`).
  var room: Int?

  /// What the kernel fills in any case (`NLMSG_GOODSIZE` without the overhead of a page).
  static let leastRoom = 3776

  /// How often the program received from the socket, where that is known; it begins at 0 again behind the largest
  /// number.
  var received: UInt32? {
    didSet { if !isListing { listEnd = nil } }
  }

  /// What ``received`` is when the list that the program reads has been made to its end.
  private var listEnd: UInt32?

  /// Which part of the kernel it talks to.
  let family: NetlinkProtocol

  /// The port of the socket (`nlmsg_pid`).
  var port: UInt32

  private var groups: [UInt32] = []
  private var inbox: [(time: Duration, input: LinkInput, group: UInt32)] = []
  private var wake: Wake?

  init(kernel: SimulatedKernel, port: UInt32, family: NetlinkProtocol) {
    self.kernel = kernel
    self.port = port
    self.family = family
  }

  public var bootTime: Duration { kernel.bootTime }

  public func send(_ message: [UInt8]) throws(LinkError) {
    kernel.run()
    guard !message.isEmpty else { throw LinkError(operation: "read a request", number: KernelError.Number.invalid) }
    kernel.handle(message, from: self)
  }

  public func join(group: UInt32) throws(LinkError) {
    guard kernel.hasGroup(group, of: family) else {
      throw LinkError(operation: "join the events of the kernel", number: KernelError.Number.invalid)
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
      let wake = Wake()
      self.wake = wake
      await wake.wait(until: min(deadline, inbox.first?.time ?? deadline, kernel.nextTimer ?? deadline), kernel.clock)
      self.wake = nil
    }
  }

  /// Leaves a multicast group, by number.
  func leave(group: UInt32) { groups.removeAll { $0 == group } }

  /// The groups as bits (`NETLINK_LIST_MEMBERSHIPS`), of which `nl_groups` has the first 32.
  var groupMask: UInt64 { groups.reduce(0) { (1...64).contains($1) ? $0 | 1 << ($1 - 1) : $0 } }

  func isMember(of group: UInt32) -> Bool { groups.contains(group) }

  /// Whether a list is still being made: the kernel fills its first datagram at once, and one more whenever the program
  /// has received (`netlink_recvmsg`).
  var isListing: Bool {
    guard let received, let listEnd else { return false }
    return Int32(bitPattern: listEnd &- received) > 0
  }

  /// Takes note of a list of so many datagrams.
  func beginList(datagrams count: Int) { listEnd = count > 1 ? received.map { $0 &+ UInt32(clamping: count - 1) } : nil }

  /// Puts something into the socket, in order of time and of arrival within one time; `group` is that of an event.
  func deliver(_ input: LinkInput, at time: Duration, group: UInt32 = 0) {
    inbox.insert((time, input, group)) { $0.time }
    interrupt()
  }

  /// When the next thing comes out of the socket, or came already.
  var nextDelivery: Duration? { inbox.first?.time }

  /// What came by now, with the group of an event.
  func take() -> (input: LinkInput, group: UInt32)? {
    guard let next = inbox.first, next.time <= bootTime else { return nil }
    inbox.removeFirst()
    return (next.input, next.group)
  }

  /// Lets the waiting side look again.
  func interrupt() { wake?.fire() }
}

/// A part of the kernel that netlink sockets talk to, by the number of its protocol (`NETLINK_GENERIC`).
enum NetlinkProtocol: UInt32 {
  case route = 0
  case generic = 16
}
