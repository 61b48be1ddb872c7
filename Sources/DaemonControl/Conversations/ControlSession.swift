public import DaemonProtocols
public import WiFi

/// What can happen to a conversation with a daemon.
public enum JoinInput: Hashable, Sendable {
  /// Begin.
  case start
  /// A channel is open.
  case opened(ControlChannel)
  /// A channel could not be opened, or a payload could not be sent over it; it is not open.
  case refused(ControlChannel, LinkError)
  /// A datagram or bytes of a stream.
  case received(ControlChannel, [UInt8])
  /// The daemon closed a channel.
  case closed(ControlChannel)
  /// The time of the last ``ControlAction/wait(until:)`` passed.
  case timedOut
  /// The result is not wanted any more; the session cleans up and ends.
  case cancelled
  /// The session cannot wait any more: it does what it can without an answer, and ends at once.
  case abandoned
}

/// What a conversation with a daemon does next; it ends with an `Output`.
public enum ControlAction<Output: Hashable & Sendable>: Hashable, Sendable {
  /// Open this channel, and answer with ``JoinInput/opened(_:)`` or ``JoinInput/refused(_:_:)``.
  case open(ControlChannel)
  /// Send this.
  case send(ControlPayload, ControlChannel)
  /// Close this channel.
  case close(ControlChannel)
  /// The join has come so far.
  case progress(JoinProgress)
  /// This happened to the link.
  case report(AssociationEvent)
  /// Wait for an input, until this time since boot.
  case wait(until: Duration)
  /// The conversation is over, and cleaned up.
  case finish(Output)

  var isSend: Bool { if case .send = self { true } else { false } }
}

/// A conversation with daemons, as a pure state machine: what came goes in, what to do comes out.
///
/// It knows no socket and no clock. Whatever drives it performs the actions in order, then waits for the next input
/// until the last ``ControlAction/wait(until:)``. Every state has such a deadline, so nothing hangs. After
/// ``ControlAction/finish(_:)`` nothing may come.
public protocol ControlSession: Sendable {
  /// What the conversation ends with.
  associatedtype Output: Hashable, Sendable

  /// Takes one input at a time since boot and says what to do.
  ///
  /// - Precondition: ``JoinInput/start`` comes first and once.
  mutating func handle(_ input: JoinInput, at now: Duration) -> [ControlAction<Output>]
}
