import DaemonProtocols
import WiFi

/// Watches the association of an interface over wpa_supplicant's control interface, until the daemon ends.
///
///     opening → attaching ⟶ listening → finished
///
/// The name of the network stands in `STATUS` alone, which is asked after each event, and every two seconds: neither a
/// daemon that is killed nor an interface that goes down sends an event.
public struct SupplicantAssociationSession: AssociationSession {
  private enum Phase {
    case attaching
    /// `STATUS` is asked for at this time at the latest.
    case listening(nextStatus: Duration)
  }

  private let heartbeat: Duration
  private var client: SupplicantClient
  private var phase = Phase.attaching
  private var tracker = AssociationTracker()
  private var hasLostBeacons = false
  /// A loss that the station itself caused, until its state says why.
  private var ownLoss: AssociationLoss?

  public var isListening: Bool { if case .listening = phase { true } else { false } }

  /// A conversation that begins with ``JoinInput/start``.
  public init(interface: String, replyLimit: Duration = .seconds(5), heartbeat: Duration = .seconds(2)) {
    client = SupplicantClient(interface, replyLimit: replyLimit)
    self.heartbeat = heartbeat
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [AssociationAction] {
    switch client.take(input, now) {
    case .start: return client.open(now)
    case .opened: return client.ask(.attach, now) + wait(now)
    case .event(let event): return take(event, now)
    case .reply(let reply, _): return take(reply, now)
    case .silent: return finish(.daemonSilent)
    case .full: return finish(.daemonLost)
    case .gone(let reason): return finish(reason)
    case .timedOut:
      guard case .listening(let next) = phase, client.asked == nil, now >= next else { return wait(now) }
      return askStatus(now)
    case .cancelled, .abandoned: return finish(.cancelled)
    case .nothing: return wait(now)
    }
  }

  private mutating func take(_ event: ControlEvent, _ now: Duration) -> [AssociationAction] {
    switch event.kind {
    case .terminating: return finish(.daemonLost)
    case .beaconLoss: hasLostBeacons = true
    case .disconnected(_, let reason, let isLocal):
      let loss = AssociationEvent.loss(reason: reason, isLocal: isLocal, afterBeaconLoss: hasLostBeacons)
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
  private mutating func ask(_ now: Duration) -> [AssociationAction] {
    guard case .listening = phase else { return wait(now) }
    phase = .listening(nextStatus: now)
    return client.asked == nil ? askStatus(now) : wait(now)
  }

  private mutating func askStatus(_ now: Duration) -> [AssociationAction] {
    phase = .listening(nextStatus: now + heartbeat)
    return client.ask(.status, now) + wait(now)
  }

  private mutating func take(_ reply: ControlReply, _ now: Duration) -> [AssociationAction] {
    guard case .listening = phase else { return reply == .ok ? askStatus(now) : finish(.daemonRefused("ATTACH failed")) }
    guard case .text(let bytes) = reply, let status = try? ControlStatus(bytes) else { return wait(now) }
    var event: AssociationEvent?
    switch status.state {
    case "COMPLETED":
      // A loss that was followed by a join before this answer is reported, too.
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

  private func wait(_ now: Duration) -> [AssociationAction] {
    guard case .listening(let next) = phase else { return [.wait(until: client.deadline ?? now)] }
    return [.wait(until: client.deadline ?? max(next, now))]
  }

  private mutating func finish(_ reason: JoinFailure.Reason) -> [AssociationAction] {
    report(reason == .cancelled ? nil : tracker.lost(.daemonLost)) + client.finish(JoinFailure(reason))
  }
}
