/// A way to talk to nl80211: one socket for requests, one for events.
///
/// The kernel is behind the live link; a recording or a simulated kernel may be behind others. All pass the same
/// contract suite. A link carries bytes and has a clock; what the bytes mean is decided above it, so the same
/// scanner runs over every link.
public protocol Link: AnyObject {
  /// The time since boot, sleep included, as the kernel stamps what it hears (`CLOCK_BOOTTIME`).
  var bootTime: Duration { get }

  /// Sends one netlink message on the socket for requests.
  func send(_ message: [UInt8]) throws(LinkError)

  /// Joins a multicast group, by number, with the socket for events.
  func join(group: UInt32) throws(LinkError)

  /// Waits for the next datagram from either socket.
  ///
  /// - Parameter deadline: a ``bootTime`` after which there is nothing to wait for; a past one only looks.
  /// - Returns: what came, or `nil` when the deadline passed or the task was cancelled first.
  /// - Throws: ``LinkError`` where nothing can come any more.
  func receive(until deadline: Duration) async throws(LinkError) -> LinkInput?
}

/// What can come over a ``Link``.
public enum LinkInput: Hashable, Sendable {
  /// A datagram on the socket for requests: one or more messages, whole.
  case reply([UInt8])
  /// A datagram on the socket for events.
  case event([UInt8])
  /// The kernel had more events than the socket could hold: some are lost (`ENOBUFS`).
  case eventsLost
  /// The kernel had more replies than the socket could hold: some are lost (`ENOBUFS`).
  case repliesLost
}

/// Why a ``Link`` cannot carry anything.
public struct LinkError: Error, Hashable, Sendable {
  /// What was attempted, such as `open a netlink socket`.
  public var operation: String
  /// The error number as `errno` has it.
  public var number: Int32

  /// Makes an error from its parts.
  public init(operation: String, number: Int32) {
    self.operation = operation
    self.number = number
  }
}

extension LinkError: CustomStringConvertible {
  /// Such as `cannot open a netlink socket (EAFNOSUPPORT)`.
  public var description: String { "cannot \(operation) (\(KernelError(number: number).name))" }
}
