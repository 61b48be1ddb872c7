import DaemonProtocols
import WiFi

/// Watches the association of an interface over iwd, with what the kernel reports of frames beside it.
///
///     opening → hello → watching → objects ⟶ listening → finished
///
/// iwd reports that a station is disconnected and never why; the kernel multicasts the frame before, so it is read
/// first.
public struct IWDAssociationSession: AssociationSession {
  enum Phase: BusPhase, Hashable {
    case idle, connecting, listening, finished
    /// The objects are asked for.
    case asking(isOutdated: Bool)
  }

  private static let rules = [
    "type='signal',sender='\(IWDBus.service)',member='PropertiesChanged'",
    "type='signal',sender='\(IWDBus.service)',member='InterfacesAdded'",
    "type='signal',sender='\(IWDBus.service)',member='InterfacesRemoved'",
    SystemBus.ownerRule(IWDBus.service),
  ]
  /// How long a frame explains a loss, and how long a loss waits for a better reason.
  private static let memory = Duration.seconds(3)
  private static let settling = Duration.milliseconds(50)

  private let interface: String
  var bus: BusClient
  var phase = Phase.idle
  private var tracker = AssociationTracker()
  private var frames = AssociationFrames()
  private var station: DBusObjectPath?
  private var isLeaving = false
  private var isRoaming = false
  /// A loss, and when it is reported unless a better reason comes.
  private var pending: (loss: AssociationLoss, time: Duration)?

  public var isListening: Bool { station != nil }

  /// A conversation that begins with ``JoinInput/start``.
  public init(interface: String, replyLimit: Duration = .seconds(5)) {
    self.interface = interface
    bus = BusClient(Self.rules, replyLimit: replyLimit)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [AssociationAction] {
    switch (phase, input) {
    case (.idle, .start): return [.open(.kernel)] + open(now)
    case (.idle, _), (.finished, _): preconditionFailure("IWDAssociationSession: \(input) in phase \(phase)")
    case (_, .opened(.kernel)), (_, .refused(.kernel, _)), (_, .closed(.kernel)): return wait(now)
    case (_, .received(.kernel, let bytes)):
      frames.receive(bytes, of: station.flatMap(IWDBus.interfaceIndex), at: now)
      return wait(now)
    case (_, .opened): return bus.opened(now) + wait(now)
    case (_, .timedOut) where !isAsking || now < bus.deadline: return settle(now) + wait(now)
    default: return take(input, now)
    }
  }

  /// The link is lost; a reason that says more may come in a moment.
  private mutating func lose(_ loss: AssociationLoss, _ now: Duration) -> [AssociationAction] {
    guard tracker.ssid != nil else { return [] }
    let isBetter = pending.map { _ in [.interfaceDown, .adapterGone].contains(loss) } ?? true
    if isBetter { pending = (loss, pending?.time ?? now + Self.settling) }
    return []
  }

  private mutating func settle(_ now: Duration) -> [AssociationAction] {
    guard let pending, now >= pending.time else { return [] }
    self.pending = nil
    return report(tracker.lost(pending.loss))
  }

  private var isAsking: Bool { bus.isAsking || phase == .connecting }
}

extension IWDAssociationSession: BusSession {
  mutating func begin(_ now: Duration) -> [AssociationAction] { objects(.asking(isOutdated: false), now) }

  mutating func answered(_ message: DBusMessage, _ now: Duration) -> [AssociationAction] {
    guard case .asking(let isOutdated) = phase else { return [] }
    guard let objects = message.objects else { return gone(BusError.noObjects, now) }
    var names: [DBusObjectPath: String] = [:]
    var found: (path: DBusObjectPath, station: DBusValue?)?
    for (path, interfaces) in objects {
      if let name = interfaces[IWDBus.networkInterface]?["Name"]?.text { names[path] = name }
      if interfaces.isDevice(of: interface) { found = (path, interfaces[IWDBus.stationInterface]) }
    }
    guard let found else { return gone(.noInterface, now) }
    station = found.path
    phase = .listening
    var actions: [AssociationAction] = []
    if found.station?["State"]?.text == "connected", let network = found.station?["ConnectedNetwork"]?.path, let name = names[network],
      let ssid = SSID(Array(name.utf8))
    {
      // A loss that was followed by a join is reported before it.
      if let pending { actions += settle(pending.time) }
      // iwd 2.3 reports no address of the access point; the frame that accepted the association has it.
      actions += report(tracker.joined(ssid, bssid: frames.associated, hasRoamed: isRoaming, at: now))
      isRoaming = false
    }
    return actions + (isOutdated ? begin(now) : [])
  }

  mutating func signal(_ message: DBusMessage, _ now: Duration) -> [AssociationAction] {
    if message.isLoss(of: IWDBus.service) { return gone(.daemonLost, now) }
    if message.member == "InterfacesRemoved", message.body.first?.path == station, station != nil {
      let removed = message.body.last?.elements?.compactMap(\.text) ?? []
      if removed.contains(IWDBus.deviceInterface) { return lose(.adapterGone, now) }
      return removed.contains(IWDBus.stationInterface) ? lose(.interfaceDown, now) : []
    }
    guard message.body.count >= 2 else { return [] }
    let changed = message.body[1]
    // An adapter that comes back has a new number, and its device a new path.
    if message.member == "InterfacesAdded" { return changed.isDevice(of: interface) ? askAgain(now) : [] }
    guard message.member == "PropertiesChanged", message.path == station else { return [] }
    switch message.body[0].text {
    case IWDBus.deviceInterface: return changed["Powered"]?.truth == false ? lose(.interfaceDown, now) : []
    case IWDBus.stationInterface: break
    default: return []
    }
    switch changed["State"]?.text {
    case "disconnecting":
      isLeaving = true
      return []
    case "roaming":
      isRoaming = true
      return []
    case "disconnected":
      isRoaming = false
      defer { isLeaving = false }
      return lose(frames.loss(since: now - Self.memory) ?? (isLeaving ? .left : .unknown), now)
    case "connected":
      isLeaving = false
      return askAgain(now)
    default: return []
    }
  }

  /// Asks for the objects, now or after the answer that is on its way.
  private mutating func askAgain(_ now: Duration) -> [AssociationAction] {
    guard phase == .listening else {
      phase = .asking(isOutdated: true)
      return []
    }
    return begin(now)
  }

  func wait(_ now: Duration) -> [AssociationAction] {
    [.wait(until: min(isAsking ? bus.deadline : now + .seconds(60), pending?.time ?? now + .seconds(60)))]
  }

  mutating func gone(_ reason: JoinFailure.Reason, _ now: Duration) -> [AssociationAction] {
    let event = reason == .cancelled ? nil : tracker.lost(pending?.loss ?? .daemonLost)
    return report(event) + [.close(.kernel)] + finish(JoinFailure(reason))
  }
}

/// What the kernel reports of the frames that begin and end an association (nl80211, group `mlme`).
private struct AssociationFrames: Sendable {
  /// The access point that accepted an association last.
  private(set) var associated: MACAddress?
  private var ending: (loss: AssociationLoss, time: Duration)?

  /// How the last association ended, where that was not before a time.
  func loss(since time: Duration) -> AssociationLoss? { ending.flatMap { $0.time >= time ? $0.loss : nil } }

  /// Takes in one datagram; reports of other interfaces are passed over.
  mutating func receive(_ bytes: [UInt8], of interface: UInt32?, at now: Duration) {
    for event in MLMEEvent.events(in: bytes, of: interface) {
      switch event.kind {
      case .authentication: break
      case .association:
        guard event.field(1) == 0 else { continue }
        (associated, ending) = (event.bssid, nil)
      case .deauthentication, .disassociation:
        guard let reason = event.field(0) else { continue }
        ending = (AssociationEvent.loss(reason: reason, isLocal: !event.isFromAccessPoint), now)
      }
    }
  }
}
