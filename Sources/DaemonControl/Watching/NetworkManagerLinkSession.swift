import DaemonProtocols
import WiFi

/// Watches the link of an interface that NetworkManager drives.
///
/// The supplicant under it tells reason codes and access points, so its socket is asked first. Where this user may not, or there is none, the words of
/// NetworkManager have to do: opening the bus → hello → watching → device → [wireless → access point] ⟶ listening → finished.
struct NetworkManagerLinkSession: LinkSession {
  private enum Step: Hashable {
    case idle, supplicant, opening, hello, watching(Int), device, state, wireless, accessPoint, listening, finished
  }

  private static let watches = [
    "type='signal',sender='\(NetworkManagerBus.service)'",
    SystemBus.ownerRule(NetworkManagerBus.service),
  ]

  private let interface: String
  private var supplicant: SupplicantLinkSession
  private var step = Step.idle
  private var exchange: BusExchange
  private var device = DBusObjectPath.root
  private var tracker = LinkTracker()
  /// Whether something changed while a call was on its way.
  private var isOutdated = false

  /// Where the supplicant tells nothing, NetworkManager does once it has named its device.
  var isListening: Bool { supplicant.isListening || device != .root }

  /// A conversation that begins with ``JoinInput/start``.
  public init(interface: String, replyLimit: Duration = .seconds(5)) {
    self.interface = interface
    supplicant = SupplicantLinkSession(interface: interface, replyLimit: replyLimit)
    exchange = BusExchange(replyLimit: replyLimit)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [LinkAction] {
    switch (step, input) {
    case (.idle, .start):
      step = .supplicant
      return overSupplicant(.start, now)
    case (.idle, _), (.finished, _): preconditionFailure("NetworkManagerLinkSession: \(input) in step \(step)")
    case (_, .start): preconditionFailure("NetworkManagerLinkSession: start in step \(step)")
    case (.supplicant, _): return overSupplicant(input, now)
    case (.opening, .opened):
      step = .hello
      return exchange.hello(now)
    case (_, .opened): return wait(now)
    case (_, .refused(_, let error)): return finish(step == .opening ? error.joinReason : .daemonLost)
    case (_, .closed): return finish(.daemonLost)
    case (_, .cancelled), (_, .abandoned): return finish(.cancelled)
    case (_, .timedOut): return step == .listening || now < exchange.deadline ? wait(now) : finish(.daemonSilent)
    case (_, .received(_, let bytes)): return received(bytes, now)
    }
  }

  private mutating func overSupplicant(_ input: JoinInput, _ now: Duration) -> [LinkAction] {
    let actions = supplicant.handle(input, at: now)
    guard case .finish(let failure)? = actions.last else { return actions }
    guard !supplicant.isListening, failure.reason != .cancelled else {
      step = .finished
      return actions
    }
    step = .opening
    return actions.dropLast() + exchange.open(now)
  }

  private mutating func received(_ bytes: [UInt8], _ now: Duration) -> [LinkAction] {
    let (replies, events) = exchange.receive(bytes)
    var actions: [LinkAction] = replies.map { .send(ControlPayload($0), .bus) }
    for event in events where step != .finished {
      switch event {
      case .ready: actions += watch(0, now)
      case .answer(let message): actions += message.kind == .error ? refused(message, now) : answered(message, now)
      case .signal(let message): actions += signal(message, now)
      case .failed(let reason): actions += finish(reason)
      }
    }
    return step == .finished ? actions : actions + wait(now)
  }

  private mutating func watch(_ index: Int, _ now: Duration) -> [LinkAction] {
    guard index < Self.watches.count else {
      step = .device
      return exchange.call(
        NetworkManagerBus.service, NetworkManagerBus.path, NetworkManagerBus.service, "GetDeviceByIpIface",
        [.string(interface)], at: now)
    }
    step = .watching(index)
    return exchange.call(
      SystemBus.service, SystemBus.path, SystemBus.service, "AddMatch", [.string(Self.watches[index])], at: now)
  }

  private mutating func read(_ next: Step, _ path: DBusObjectPath, _ interface: String, _ now: Duration) -> [LinkAction] {
    step = next
    return exchange.call(
      NetworkManagerBus.service, path, SystemBus.propertiesInterface, "GetAll", [.string(interface)], at: now)
  }

  private mutating func refresh(_ now: Duration) -> [LinkAction] {
    isOutdated = false
    return read(.state, device, NetworkManagerBus.deviceInterface, now)
  }

  private mutating func answered(_ message: DBusMessage, _ now: Duration) -> [LinkAction] {
    let first = message.body.first
    switch step {
    case .watching(let index): return watch(index + 1, now)
    case .device:
      guard let path = first?.path else { return finish(.noInterface) }
      device = path
      return refresh(now)
    case .state:
      guard first?["State"]?.integer == NetworkManagerBus.DeviceState.activated else { return rest(now) }
      return read(.wireless, device, NetworkManagerBus.wirelessInterface, now)
    case .wireless:
      guard let path = first?["ActiveAccessPoint"]?.path, path != .root else { return rest(now) }
      return read(.accessPoint, path, NetworkManagerBus.accessPointInterface, now)
    case .accessPoint:
      guard let ssid = first?["Ssid"]?.bytes.flatMap({ SSID($0) }) else { return rest(now) }
      let event = tracker.joined(ssid, bssid: first?["HwAddress"]?.text.flatMap { MACAddress($0) }, at: now)
      return report(event) + rest(now)
    case .idle, .supplicant, .opening, .hello, .listening, .finished: return []
    }
  }

  private mutating func refused(_ message: DBusMessage, _ now: Duration) -> [LinkAction] {
    // An access point may be gone by the time that it is asked for.
    if step == .wireless || step == .accessPoint { return rest(now) }
    return finish(message.errorName == NetworkManagerBus.unknownDevice ? .noInterface : BusError.reason(message))
  }

  private mutating func rest(_ now: Duration) -> [LinkAction] {
    step = .listening
    return isOutdated ? refresh(now) : []
  }

  private mutating func signal(_ message: DBusMessage, _ now: Duration) -> [LinkAction] {
    if message.isLoss(of: NetworkManagerBus.service) { return finish(.daemonLost) }
    guard message.path == device, device != .root else { return [] }
    var actions: [LinkAction] = []
    let numbers = message.body.compactMap(\.integer)
    if message.member == "StateChanged", message.interface == NetworkManagerBus.deviceInterface, numbers.count == 3 {
      let (new, old) = (numbers[0], numbers[1])
      if old == NetworkManagerBus.DeviceState.activated, new != old {
        actions += report(tracker.lost(Self.loss(state: new, reason: numbers[2])))
      }
    } else if message.member != "PropertiesChanged" || message.body.first?.text != NetworkManagerBus.wirelessInterface {
      return []
    }
    guard step == .listening else {
      isOutdated = true
      return actions
    }
    return actions + refresh(now)
  }

  /// What a device that leaves the state “activated” says of the link (`NMDeviceState`, `NMDeviceStateReason`).
  private static func loss(state: Int64, reason: Int64) -> LinkLoss {
    switch reason {
    case 35, 36: .adapterGone
    case 38, 39, 60: .left
    case 53: .beaconLoss
    default:
      state == NetworkManagerBus.DeviceState.unavailable || state == NetworkManagerBus.DeviceState.unmanaged
        ? .interfaceDown : .unknown
    }
  }

  private func report(_ event: LinkEvent?) -> [LinkAction] { event.map { [.report($0)] } ?? [] }

  private func wait(_ now: Duration) -> [LinkAction] { [.wait(until: exchange.isAsking ? exchange.deadline : now + .seconds(60))] }

  private mutating func finish(_ reason: JoinFailure.Reason) -> [LinkAction] {
    step = .finished
    let event = reason == .cancelled ? nil : tracker.lost(.daemonLost)
    return report(event) + [.close(.bus), .finish(JoinFailure(reason))]
  }
}
