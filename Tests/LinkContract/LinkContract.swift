public import WiFi

/// What every ``WiFi/Link`` must do: each implementation has a test that calls ``check(familyName:_:)``.
///
/// It knows no implementation and no test library, so that it can be used from any test target.
public enum LinkContract {
  /// What a link did instead of what it must do.
  public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String

    init(_ description: String) { self.description = description }
  }

  /// Checks links that `make` makes; each check has a link of its own.
  ///
  /// - Parameter familyName: a family that the controller at the other end knows, and which has multicast groups.
  /// - Throws: ``Violation``, or what the link throws.
  public static func check(familyName: String = "nlctrl", _ make: () throws -> any Link) async throws {
    try await answersTheController(try make(), familyName)
    try await refusesAnUnknownFamily(try make())
    try await keepsDeadlines(try make())
    try await endsWaitingWhenCancelled(try make())
  }

  private static func question(_ name: String, sequence: UInt32) -> [UInt8] {
    var writer = AttributeWriter()
    writer.write(2, name)
    let generic = GenericNetlinkMessage(command: 3, version: 1, attributes: writer.bytes)
    return NetlinkMessage(
      type: NetlinkMessage.ControlType.genericController,
      flags: NetlinkMessage.Flag.request | NetlinkMessage.Flag.acknowledge, sequence: sequence, payload: generic.payload
    ).encoded
  }

  /// The messages of the next datagram, which must be a reply to `sequence`.
  private static func replies(_ link: any Link, sequence: UInt32) async throws -> [NetlinkMessage] {
    let input = try await link.receive(until: link.bootTime + .seconds(5))
    guard case .reply(let datagram) = input else {
      throw Violation("no answer from the controller: \(String(describing: input))")
    }
    let (messages, error) = NetlinkMessage.messages(in: datagram)
    if let error { throw Violation("a reply that cannot be read: \(error)") }
    for message in messages where message.sequence != sequence {
      throw Violation("a reply to \(message.sequence) instead of \(sequence)")
    }
    return messages
  }

  private static func answersTheController(_ link: any Link, _ name: String) async throws {
    try link.send(question(name, sequence: 1))
    var id: UInt16?
    var groups = 0
    while true {
      for message in try await replies(link, sequence: 1) {
        if message.type == NetlinkMessage.ControlType.error {
          if let error = KernelError(message) { throw Violation("the controller refused: \(error.name)") }
          guard let id, id >= NetlinkMessage.ControlType.genericController else { throw Violation("a family without a number") }
          if groups == 0 { throw Violation("a family without multicast groups") }
          return
        }
        let bytes = try GenericNetlinkMessage(payload: message.payload).attributes
        for attribute in AttributeWalk(bytes) {
          if attribute.type == 1 { id = attribute.uint16(of: bytes) }
          if attribute.type == 7 { groups = AttributeWalk(bytes, in: attribute.payload).reduce(0) { count, _ in count + 1 } }
        }
      }
    }
  }

  private static func refusesAnUnknownFamily(_ link: any Link) async throws {
    try link.send(question("no-such-family", sequence: 7))
    guard let refusal = try await replies(link, sequence: 7).last, let error = KernelError(refusal) else {
      throw Violation("an unknown family is not refused")
    }
    if error.number != KernelError.Number.noEntry { throw Violation("an unknown family is refused with \(error.name)") }
  }

  private static func keepsDeadlines(_ link: any Link) async throws {
    let before = link.bootTime
    if try await link.receive(until: .zero) != nil { throw Violation("something came that was not asked for") }
    let deadline = link.bootTime + .milliseconds(20)
    if try await link.receive(until: deadline) != nil { throw Violation("something came that was not asked for") }
    if link.bootTime < deadline { throw Violation("it waited until \(link.bootTime) instead of \(deadline)") }
    if link.bootTime < before { throw Violation("its time ran backwards") }
  }

  private static func endsWaitingWhenCancelled(_ link: any Link) async throws {
    let start = link.bootTime
    nonisolated(unsafe) let link = link
    // Cancelled before it waits: a clock that jumps may be at the deadline before another thread cancels.
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      return unsafe try await link.receive(until: start + .seconds(60))
    }
    late.cancel()
    if try await late.value != nil { throw Violation("something came that was not asked for") }
    if unsafe link.bootTime >= start + .seconds(30) { throw Violation("it waited on although the task was cancelled") }
    // Cancelled while it waits, where the time is real.
    let begin = ContinuousClock.now
    let task = Task { unsafe try await link.receive(until: start + .seconds(60)) }
    task.cancel()
    if try await task.value != nil { throw Violation("something came that was not asked for") }
    if ContinuousClock.now >= begin + .seconds(30) { throw Violation("it waited on although the task was cancelled") }
  }
}
