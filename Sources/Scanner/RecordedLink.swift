public import WiFi

/// A link over messages that were recorded, or written by hand: a function from each request to what follows it.
///
/// It has its own time, which stands still while no task waits and jumps to the next event, so a conversation of
/// minutes takes no time. Sequence numbers of replies are made to fit the request.
public final class RecordedLink: Link {
  /// What follows a request.
  public struct Answer: Hashable, Sendable {
    /// How long after the request it comes.
    public var delay: Duration
    /// What comes.
    public var content: Content

    /// Makes an answer that comes `delay` after the request.
    public init(_ content: Content, after delay: Duration = .zero) {
      self.content = content
      self.delay = delay
    }
  }

  /// What can follow a request.
  public enum Content: Hashable, Sendable {
    /// Messages on the socket for requests.
    case replies([NetlinkMessage])
    /// Messages on the socket for events.
    case events([NetlinkMessage])
    /// Events were lost.
    case eventsLost
    /// Replies were lost.
    case repliesLost
  }

  /// A request as the link saw it.
  public struct Request: Hashable, Sendable {
    /// The message.
    public var message: NetlinkMessage
    /// Its generic netlink part.
    public var generic: GenericNetlinkMessage
  }

  /// The time since boot, as far as this link has come.
  public private(set) var bootTime: Duration

  /// Every request so far, in order.
  public private(set) var requests: [Request] = []

  /// The groups joined so far, in order, each with the number of requests sent before.
  public private(set) var joined: [(group: UInt32, requestsBefore: Int)] = []

  private let messagesPerDatagram: Int
  private let answer: (Request) -> [Answer]
  private var pending: [(time: Duration, input: LinkInput)] = []

  /// Answers each request with what `answer` gives for it.
  ///
  /// - Parameter messagesPerDatagram: how many messages of one answer come together; the kernel decides this by its
  ///   buffers, so a session must not depend on it.
  public init(
    bootTime: Duration = .seconds(100), messagesPerDatagram: Int = .max, answer: @escaping (Request) -> [Answer]
  ) {
    precondition(messagesPerDatagram > 0, "RecordedLink: a datagram holds at least one message")
    self.bootTime = bootTime
    self.messagesPerDatagram = messagesPerDatagram
    self.answer = answer
  }

  public func join(group: UInt32) throws(LinkError) { joined.append((group, requests.count)) }

  public func send(_ message: [UInt8]) throws(LinkError) {
    guard let parsed = NetlinkMessage.messages(in: message).messages.first,
      let generic = try? GenericNetlinkMessage(payload: parsed.payload)
    else { throw LinkError(operation: "read a request", number: KernelError.Number.invalid) }
    let request = Request(message: parsed, generic: generic)
    requests.append(request)
    for answer in answer(request) { enqueue(answer, parsed.sequence) }
  }

  /// What follows a request, without taking note of it: for a link that changes some answers of another.
  public func answers(to request: Request) -> [Answer] { answer(request) }

  private func enqueue(_ answer: Answer, _ sequence: UInt32) {
    let time = bootTime + answer.delay
    switch answer.content {
    case .eventsLost: insert(time, .eventsLost)
    case .repliesLost: insert(time, .repliesLost)
    case .events(let messages):
      for message in messages { insert(time, .event(message.encoded)) }
    case .replies(let messages):
      var rest = messages[...]
      while !rest.isEmpty {
        var writer = ByteWriter()
        for var message in rest.prefix(messagesPerDatagram) {
          message.sequence = sequence
          message.encode(into: &writer)
        }
        rest = rest.dropFirst(messagesPerDatagram)
        insert(time, .reply(writer.bytes))
      }
    }
  }

  /// Keeps what is pending in order of time, and in order of arrival within one time.
  private func insert(_ time: Duration, _ input: LinkInput) {
    let index = pending.firstIndex { $0.time > time } ?? pending.count
    pending.insert((time, input), at: index)
  }

  public func receive(until deadline: Duration) async throws(LinkError) -> LinkInput? {
    if Task.isCancelled { return nil }
    if let next = pending.first, next.time <= max(deadline, bootTime) {
      bootTime = max(bootTime, next.time)
      return pending.removeFirst().input
    }
    bootTime = max(bootTime, deadline)
    return nil
  }
}
