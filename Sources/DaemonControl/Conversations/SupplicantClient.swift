import DaemonProtocols
import WiFi

/// The client's side of wpa_supplicant's control interface: one command at a time, its reply and its deadline.
///
/// Events come between replies at any time. Where a reply takes long, `PING` is sent: a daemon that has ended refuses
/// it.
struct SupplicantClient: Sendable {
  /// What an input means for a session.
  enum Input {
    case start, opened, cancelled, abandoned
    case event(ControlEvent)
    case reply(ControlReply, to: ControlCommand)
    /// The command that was asked has no answer in time.
    case silent
    /// The queue of the daemon takes nothing more.
    case full
    /// The daemon, or the way to it, is gone.
    case gone(JoinFailure.Reason)
    /// Something else than the answer may be due.
    case timedOut
    /// It changes nothing.
    case nothing
  }

  private enum Phase: Hashable {
    case idle, opening, finished
    case open(isAttached: Bool)
  }

  private struct Question {
    var command: ControlCommand
    var deadline: Duration
    /// When the daemon is asked whether it lives.
    var probe: Duration?
  }

  private let channel: ControlChannel
  private let replyLimit: Duration
  private let probeDelay: Duration?
  private let limit: Duration?
  private var phase = Phase.idle
  /// When the conversation as a whole must have ended.
  private var end: Duration?
  private var question: Question?

  /// A client for the socket of an interface.
  ///
  /// - Parameters:
  ///   - probeDelay: how long an answer may take before `PING` is sent; `nil` sends none.
  ///   - limit: how long the whole conversation may take; `nil` where it may go on for ever.
  init(_ interface: String, replyLimit: Duration, probeDelay: Duration? = nil, limit: Duration? = nil) {
    channel = .supplicant(interface: interface)
    self.replyLimit = replyLimit
    self.probeDelay = probeDelay
    self.limit = limit
  }

  /// The command that waits for its answer.
  var asked: ControlCommand? { question?.command }

  /// When something is due; `nil` where no answer is waited for.
  var deadline: Duration? { question.map { min($0.deadline, $0.probe ?? $0.deadline) } }

  mutating func open<Output>(_ now: Duration) -> [ControlAction<Output>] {
    phase = .opening
    end = limit.map { now + $0 }
    return [.open(channel), .wait(until: now + replyLimit)]
  }

  /// Sends a command and waits for its answer.
  mutating func ask<Output>(_ command: ControlCommand, _ now: Duration) -> [ControlAction<Output>] {
    if command == .attach { phase = .open(isAttached: true) }
    let deadline = now + replyLimit
    question = Question(command: command, deadline: end.map { min(deadline, $0) } ?? deadline, probe: probeDelay.map { now + $0 })
    return send([command])
  }

  /// Sends commands without waiting for an answer.
  func send<Output>(_ commands: [ControlCommand]) -> [ControlAction<Output>] {
    commands.map { .send(ControlPayload($0.encoded, isSecret: $0.isSecret), channel) }
  }

  /// Asks whether the daemon lives, where it is time for that.
  mutating func probe<Output>(_ now: Duration) -> [ControlAction<Output>] {
    guard let time = question?.probe, now >= time else { return [] }
    question?.probe = nil
    return send([.ping])
  }

  /// Ends the conversation; no input may follow.
  mutating func finish<Output>(_ output: Output) -> [ControlAction<Output>] {
    defer { phase = .finished }
    if phase == .idle { return [.finish(output)] }
    return (phase == .open(isAttached: true) ? send([.detach]) : []) + [.close(channel), .finish(output)]
  }

  mutating func take(_ input: JoinInput, _ now: Duration) -> Input {
    switch (phase, input) {
    case (.idle, .start): return .start
    case (.idle, _), (.finished, _), (_, .start): preconditionFailure("SupplicantClient: \(input) in phase \(phase)")
    case (.opening, .opened):
      phase = .open(isAttached: false)
      return .opened
    case (.opening, .refused(_, let error)): return .gone(error.joinReason)
    case (.opening, .closed): return .gone(.noDaemon)
    case (.opening, .timedOut): return .gone(.daemonSilent)
    case (_, .refused(_, let error)): return error.number == KernelError.Number.again ? .full : .gone(.daemonLost)
    case (_, .closed): return .gone(.daemonLost)
    case (_, .timedOut): return question.map { now >= $0.deadline } ?? false ? .silent : .timedOut
    case (_, .cancelled): return .cancelled
    case (_, .abandoned): return .abandoned
    case (_, .opened): return .nothing
    case (_, .received(_, let bytes)):
      switch ControlMessage(bytes) {
      case .event(let event): return .event(event)
      // It may come at any time, and is no answer to anything else.
      case .reply(.pong): return .nothing
      case .reply(let reply):
        defer { question = nil }
        return question.map { .reply(reply, to: $0.command) } ?? .nothing
      }
    }
  }
}
