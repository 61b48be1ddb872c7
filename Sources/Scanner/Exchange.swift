import WiFi

/// One request and the replies to it, matched by sequence number.
///
/// Pure: a reply goes in, what it means comes out. Replies to other requests are not ours and are skipped.
struct Exchange: Hashable, Sendable {
  /// The number that the request carried and every reply to it carries.
  let sequence: UInt32

  /// Whether the kernel said, in any part, that its list changed meanwhile (`NLM_F_DUMP_INTR`).
  private(set) var isInterrupted = false

  /// What one message means for the request.
  enum Outcome: Hashable {
    /// It belongs to something else.
    case ignored
    /// It is one part of the answer.
    case part
    /// The answer is whole.
    case finished
    /// The kernel refused.
    case failed(KernelError)
  }

  /// What one message of a datagram means.
  mutating func outcome(of header: NetlinkHeader, in bytes: [UInt8]) -> Outcome {
    guard header.sequence == sequence else { return .ignored }
    if header.flags & NetlinkMessage.Flag.dumpInterrupted != 0, header.type != NetlinkMessage.ControlType.error {
      isInterrupted = true
    }
    switch header.type {
    case NetlinkMessage.ControlType.noOperation: return .ignored
    case NetlinkMessage.ControlType.error, NetlinkMessage.ControlType.done:
      return KernelError(header.message(of: bytes)).map(Outcome.failed) ?? .finished
    default: return .part
    }
  }
}

/// Waits for the end of a list that was given up before it: a socket reads one list at a time, and the kernel refuses
/// another meanwhile (`__netlink_dump_start`).
struct EarlierList: Hashable, Sendable {
  private enum State: Hashable { case unknown, running, over }
  private var state = State.unknown

  /// What there is to do about the request for a list.
  enum Step: Hashable {
    /// It is as it seems.
    case none
    /// It was refused for the earlier list, whose end is waited for.
    case wait
    /// The earlier list has ended, so that it can be made again.
    case again
  }

  /// Takes note of what one message means for the request; waits once.
  mutating func step(_ outcome: Exchange.Outcome, of header: NetlinkHeader) -> Step {
    switch (state, outcome) {
    case (.unknown, .failed(let error)) where error.number == KernelError.Number.busy:
      state = .running
      return .wait
    case (.running, .ignored) where header.type == NetlinkMessage.ControlType.done:
      state = .over
      return .again
    default: return .none
    }
  }
}

/// Builds requests, each with the next sequence number.
struct Requests: Hashable, Sendable {
  private var sequence: UInt32 = 0

  /// A request that asks for a list.
  mutating func dump(family: UInt16, _ message: GenericNetlinkMessage) -> (bytes: [UInt8], exchange: Exchange) {
    make(family: family, flags: NetlinkMessage.Flag.dump, message)
  }

  /// A request that asks for one thing, and for its acknowledgement.
  mutating func one(family: UInt16, _ message: GenericNetlinkMessage) -> (bytes: [UInt8], exchange: Exchange) {
    make(family: family, flags: NetlinkMessage.Flag.acknowledge, message)
  }

  private mutating func make(family: UInt16, flags: UInt16, _ message: GenericNetlinkMessage) -> ([UInt8], Exchange) {
    sequence &+= 1
    let bytes = NetlinkMessage(
      type: family, flags: NetlinkMessage.Flag.request | flags, sequence: sequence, payload: message.payload
    ).encoded
    return (bytes, Exchange(sequence: sequence))
  }
}
