import DaemonProtocols
import WiFi

/// Watches the link of an interface over wpa_supplicant's control interface, until the daemon ends.
///
///     opening → attaching ⟶ listening → finished
///
/// The name of the network stands in `STATUS` alone, which is asked after each event, and every two seconds: neither a daemon that is killed nor an
/// interface that goes down sends an event.
public struct SupplicantLinkSession: LinkSession {
  private enum Step: Hashable {
    case idle, opening, attaching, listening, finished
  }

  private let channel: ControlChannel
  private let replyLimit: Duration
  private let heartbeat: Duration
  private var step = Step.idle
  private var tracker = LinkTracker()
  private var replyDeadline: Duration?
  private var nextHeartbeat = Duration.zero
  private var hasLostBeacons = false
  /// A loss that the station itself caused, until its state says why.
  private var ownLoss: LinkLoss?

  public private(set) var isListening = false

  /// A conversation that begins with ``JoinInput/start``.
  public init(interface: String, replyLimit: Duration = .seconds(5), heartbeat: Duration = .seconds(2)) {
    channel = .supplicant(interface: interface)
    self.replyLimit = replyLimit
    self.heartbeat = heartbeat
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [LinkAction] {
    switch (step, input) {
    case (.idle, .start):
      step = .opening
      return [.open(channel), .wait(until: now + replyLimit)]
    case (.idle, _), (.finished, _): preconditionFailure("SupplicantLinkSession: \(input) in step \(step)")
    case (_, .start): preconditionFailure("SupplicantLinkSession: start in step \(step)")
    case (.opening, .opened): return send(.attach, .attaching, now)
    case (_, .opened): return wait(now)
    case (_, .refused(_, let error)): return finish(step == .opening ? error.joinReason : .daemonLost)
    case (_, .closed): return finish(step == .opening ? .noDaemon : .daemonLost)
    case (_, .cancelled), (_, .abandoned): return finish(.cancelled)
    case (_, .timedOut):
      if let replyDeadline, now >= replyDeadline { return finish(.daemonSilent) }
      guard step == .listening, replyDeadline == nil, now >= nextHeartbeat else { return wait(now) }
      return send(.status, .listening, now)
    case (_, .received(_, let bytes)):
      switch ControlMessage(bytes) {
      case .event(let event): return take(event, now)
      case .reply(let reply): return take(reply, now)
      }
    }
  }

  private mutating func take(_ event: ControlEvent, _ now: Duration) -> [LinkAction] {
    switch event.kind {
    case .terminating: return finish(.daemonLost)
    case .beaconLoss: hasLostBeacons = true
    case .disconnected(_, let reason, let isLocal):
      let loss = LinkEvent.loss(reason: reason, isLocal: isLocal, afterBeaconLoss: hasLostBeacons)
      hasLostBeacons = false
      if !isLocal { return report(tracker.lost(loss)) + wait(now) }
      // An interface that goes down is left in the same words.
      ownLoss = loss
      return ask(now)
    case .connected:
      hasLostBeacons = false
      return ask(now)
    case .other:
      if event.line.hasPrefix("CTRL-EVENT-SIGNAL-CHANGE above=") {
        tracker.expectRoaming(event.line.hasPrefix("CTRL-EVENT-SIGNAL-CHANGE above=0") ? .weakSignal : .unknown, at: now)
      }
      if event.line.hasPrefix("WNM: ") { tracker.expectRoaming(.accessPointAsked, at: now) }
    default: break
    }
    return wait(now)
  }

  /// Asks for the state at once, or with the next answer.
  private mutating func ask(_ now: Duration) -> [LinkAction] {
    nextHeartbeat = now
    return replyDeadline == nil && step == .listening ? send(.status, .listening, now) : wait(now)
  }

  private mutating func take(_ reply: ControlReply, _ now: Duration) -> [LinkAction] {
    guard replyDeadline != nil else { return wait(now) }
    replyDeadline = nil
    guard step == .listening else {
      isListening = reply == .ok
      guard reply == .ok else { return finish(.daemonRefused("ATTACH failed")) }
      return send(.status, .listening, now)
    }
    guard case .text(let bytes) = reply, let status = try? ControlStatus(bytes) else { return wait(now) }
    var event: LinkEvent?
    switch status.state {
    case "COMPLETED":
      // A loss that was followed by a join before this answer is told, too.
      if let loss = ownLoss { event = tracker.lost(loss) }
      ownLoss = nil
      let joined = status.ssid.flatMap { tracker.joined($0, bssid: status.bssid, at: now) }
      return report(event) + report(joined) + wait(now)
    case "INTERFACE_DISABLED": event = tracker.lost(.interfaceDown)
    case "DISCONNECTED", "INACTIVE", "SCANNING": event = tracker.lost(ownLoss ?? .unknown)
    default: if let loss = ownLoss { event = tracker.lost(loss) }
    }
    ownLoss = nil
    return report(event) + wait(now)
  }

  private func report(_ event: LinkEvent?) -> [LinkAction] { event.map { [.report($0)] } ?? [] }

  private mutating func send(_ command: ControlCommand, _ next: Step, _ now: Duration) -> [LinkAction] {
    step = next
    replyDeadline = now + replyLimit
    nextHeartbeat = now + heartbeat
    return [.send(ControlPayload(command.encoded), channel)] + wait(now)
  }

  private func wait(_ now: Duration) -> [LinkAction] { [.wait(until: replyDeadline ?? max(nextHeartbeat, now))] }

  private mutating func finish(_ reason: JoinFailure.Reason) -> [LinkAction] {
    let wasOpen = step != .opening
    step = .finished
    let event = reason == .cancelled ? nil : tracker.lost(.daemonLost)
    return report(event) + (wasOpen ? [.send(ControlPayload(ControlCommand.detach.encoded), channel)] : []) + [
      .close(channel), .finish(JoinFailure(reason)),
    ]
  }
}
