public import DaemonProtocols
import WiFi

/// What every ``DaemonProtocols/ControlLink`` must do: each implementation has a test that calls ``check(present:missing:_:)``.
///
/// At the other end is something that answers `PING` with `PONG`, as wpa_supplicant does.
public enum ControlLinkContract {
  /// What a link did instead of what it must do.
  public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String

    init(_ description: String) { self.description = description }
  }

  /// Checks links that `make` makes; each check has a link of its own.
  ///
  /// - Parameters:
  ///   - present: a channel with a daemon at its other end.
  ///   - missing: a channel without.
  /// - Throws: ``Violation``, or what the link throws.
  public static func check(
    present: ControlChannel, missing: ControlChannel, _ make: () throws -> any ControlLink
  ) async throws {
    try await answers(try make(), present)
    try await isClosedUntilItIsOpen(try make(), present)
    try refusesWhatIsMissing(try make(), missing)
    try await keepsDeadlines(try make(), present)
    try await endsWaitingWhenCancelled(try make(), present)
    try await endsWaitingWhenAsked(try make(), present)
  }

  private static let ping = ControlPayload(ControlCommand.ping.encoded)

  private static func answers(_ link: any ControlLink, _ channel: ControlChannel) async throws {
    try link.open(channel)
    for round in 1...3 {
      try link.send(ping, on: channel)
      let input = try await link.receive(until: link.bootTime + .seconds(5), isFinal: round == 3)
      guard input == .received(channel, ControlReply.pong.encoded) else {
        throw Violation("round \(round): no PONG, but \(String(describing: input))")
      }
    }
    link.close(channel)
    link.close(channel)
    do throws(LinkError) { try link.send(ping, on: channel) } catch {
      guard error.number == LinkError.ControlNumber.notConnected else {
        throw Violation("sending over a closed channel gives \(error)")
      }
      return
    }
    throw Violation("a closed channel sends")
  }

  private static func isClosedUntilItIsOpen(_ link: any ControlLink, _ channel: ControlChannel) async throws {
    do throws(LinkError) { try link.send(ping, on: channel) } catch {
      guard error.number == LinkError.ControlNumber.notConnected else {
        throw Violation("sending over a channel that was never open gives \(error)")
      }
      return
    }
    throw Violation("a channel that was never open sends")
  }

  private static func refusesWhatIsMissing(_ link: any ControlLink, _ channel: ControlChannel) throws {
    do throws(LinkError) { try link.open(channel) } catch {
      guard [KernelError.Number.noEntry, LinkError.ControlNumber.connectionRefused].contains(error.number) else {
        throw Violation("a missing daemon gives \(error)")
      }
      return
    }
    throw Violation("a channel without daemon opens")
  }

  private static func keepsDeadlines(_ link: any ControlLink, _ channel: ControlChannel) async throws {
    try link.open(channel)
    let before = link.bootTime
    if let input = try await link.receive(until: .zero, isFinal: false) { throw Violation("\(input) came, which was not asked for") }
    let deadline = link.bootTime + .milliseconds(20)
    if let input = try await link.receive(until: deadline, isFinal: false) {
      throw Violation("\(input) came, which was not asked for")
    }
    if link.bootTime < deadline { throw Violation("it waited until \(link.bootTime) instead of \(deadline)") }
    if link.bootTime < before { throw Violation("its time ran backwards") }
  }

  private static func endsWaitingWhenCancelled(_ link: any ControlLink, _ channel: ControlChannel) async throws {
    try link.open(channel)
    let start = link.bootTime
    nonisolated(unsafe) let link = link
    // Cancelled before it waits: a clock that jumps may be at the deadline before another thread cancels.
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      return unsafe try await link.receive(until: start + .seconds(60), isFinal: false)
    }
    late.cancel()
    if let input = try await late.value { throw Violation("\(input) came, which was not asked for") }
    if unsafe link.bootTime >= start + .seconds(30) { throw Violation("it waited on although the task was cancelled") }
    // Cancelled while it waits, where the time is real.
    let begin = ContinuousClock.now
    let task = Task { unsafe try await link.receive(until: start + .seconds(60), isFinal: false) }
    task.cancel()
    if let input = try await task.value { throw Violation("\(input) came, which was not asked for") }
    if ContinuousClock.now >= begin + .seconds(30) { throw Violation("it waited on although the task was cancelled") }
  }

  /// The next wait ends, and no other.
  private static func endsWaitingWhenAsked(_ link: any ControlLink, _ channel: ControlChannel) async throws {
    try link.open(channel)
    for _ in 1...2 { link.endWait() }
    let start = link.bootTime
    let input = try await link.receive(until: start + .seconds(60), isFinal: false)
    if link.bootTime >= start + .seconds(30) { throw Violation("it waited on although that was to end") }
    try link.send(ping, on: channel)
    let answer = try await link.receive(until: link.bootTime + .seconds(5), isFinal: false)
    guard input == nil, answer == .received(channel, ControlReply.pong.encoded) else {
      throw Violation("a wait that was to end gave \(String(describing: input)), and the next \(String(describing: answer))")
    }
    link.endWait()
    let end = link.bootTime + .milliseconds(50)
    if let input = try await link.receive(until: end, isFinal: true) { throw Violation("\(input) came, which was not asked for") }
    if link.bootTime < end { throw Violation("a wait ended that is final") }
  }
}
