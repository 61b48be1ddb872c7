import DaemonProtocols
import WiFi

/// Watches the association of an interface that NetworkManager drives.
///
/// The supplicant under it reports reason codes and access points, so its socket is asked first. Where this user may
/// not, or there is none, the words of NetworkManager have to do: opening the bus → hello → watching → device →
/// [wireless → access point] ⟶ listening → finished.
public struct NetworkManagerAssociationSession: AssociationSession {
  /// What is asked of NetworkManager, one after the other.
  enum Question: Hashable {
    case state, wireless, accessPoint
  }

  enum Phase: BusPhase {
    case idle, connecting, finding, listening, finished
    case supplicant(SupplicantAssociationSession)
    /// Something may have changed since the first question.
    case asking(Question, isOutdated: Bool)
  }

  private let interface: String
  private let replyLimit: Duration
  var bus: BusClient
  var phase = Phase.idle
  private var device: DBusObjectPath?
  private var tracker = AssociationTracker()

  /// Where the supplicant reports nothing, NetworkManager does once it has named its device.
  public var isListening: Bool { if case .supplicant(let session) = phase { session.isListening } else { device != nil } }

  /// A conversation that begins with ``JoinInput/start``.
  public init(interface: String, replyLimit: Duration = .seconds(5)) {
    self.interface = interface
    self.replyLimit = replyLimit
    bus = BusClient(NetworkManagerBus.rules, replyLimit: replyLimit)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [AssociationAction] {
    switch (phase, input) {
    case (.idle, .start): return over(SupplicantAssociationSession(interface: interface, replyLimit: replyLimit), input, now)
    case (.idle, _), (.finished, _): preconditionFailure("NetworkManagerAssociationSession: \(input) in phase \(phase)")
    case (.supplicant(let supplicant), _): return over(supplicant, input, now)
    case (.listening, .timedOut): return wait(now)
    default: return take(input, now)
    }
  }

  private mutating func over(_ supplicant: SupplicantAssociationSession, _ input: JoinInput, _ now: Duration) -> [AssociationAction] {
    var supplicant = supplicant
    let actions = supplicant.handle(input, at: now)
    phase = .supplicant(supplicant)
    guard case .finish(let failure)? = actions.last else { return actions }
    guard !supplicant.isListening, failure.reason != .cancelled else {
      phase = .finished
      return actions
    }
    return actions.dropLast() + open(now)
  }

  private mutating func refresh(_ device: DBusObjectPath, _ now: Duration) -> [AssociationAction] {
    properties(.asking(.state, isOutdated: false), device, NetworkManagerBus.deviceInterface, now)
  }

  private mutating func rest(_ isOutdated: Bool, _ now: Duration) -> [AssociationAction] {
    phase = .listening
    return isOutdated ? device.map { refresh($0, now) } ?? [] : []
  }

  /// What a device that leaves the state “activated” says of the association (`NMDeviceState`, `NMDeviceStateReason`).
  private static func loss(state: Int64, reason: Int64) -> AssociationLoss {
    switch reason {
    case 35, 36: .adapterGone
    case 38, 39, 60: .left
    case 53: .beaconLoss
    default:
      state == NetworkManagerBus.DeviceState.unavailable || state == NetworkManagerBus.DeviceState.unmanaged
        ? .interfaceDown : .unknown
    }
  }
}

extension NetworkManagerAssociationSession: BusSession {
  mutating func begin(_ now: Duration) -> [AssociationAction] {
    networkManager(.finding, "GetDeviceByIpIface", [.string(interface)], at: now)
  }

  mutating func answered(_ message: DBusMessage, _ now: Duration) -> [AssociationAction] {
    let first = message.body.first
    switch phase {
    case .finding:
      guard let path = first?.path else { return gone(.noInterface, now) }
      device = path
      return refresh(path, now)
    case .asking(.state, let isOutdated):
      guard let device, first?["State"]?.integer == NetworkManagerBus.DeviceState.activated else { return rest(isOutdated, now) }
      return properties(.asking(.wireless, isOutdated: isOutdated), device, NetworkManagerBus.wirelessInterface, now)
    case .asking(.wireless, let isOutdated):
      guard let path = first?["ActiveAccessPoint"]?.path, path != .root else { return rest(isOutdated, now) }
      return properties(.asking(.accessPoint, isOutdated: isOutdated), path, NetworkManagerBus.accessPointInterface, now)
    case .asking(.accessPoint, let isOutdated):
      guard let ssid = first?["Ssid"]?.bytes.flatMap({ SSID($0) }) else { return rest(isOutdated, now) }
      let event = tracker.joined(ssid, bssid: first?["HwAddress"]?.text.flatMap { MACAddress($0) }, at: now)
      return report(event) + rest(isOutdated, now)
    case .idle, .supplicant, .connecting, .listening, .finished: return []
    }
  }

  mutating func refused(_ message: DBusMessage, _ now: Duration) -> [AssociationAction] {
    switch phase {
    // An access point may be gone by the time that it is asked for.
    case .asking(.wireless, let isOutdated), .asking(.accessPoint, let isOutdated): return rest(isOutdated, now)
    default: return gone(message.errorName == NetworkManagerBus.unknownDevice ? .noInterface : BusError.reason(message), now)
    }
  }

  mutating func signal(_ message: DBusMessage, _ now: Duration) -> [AssociationAction] {
    if message.isLoss(of: NetworkManagerBus.service) { return gone(.daemonLost, now) }
    guard let device, message.path == device else { return [] }
    var actions: [AssociationAction] = []
    let numbers = message.body.compactMap(\.integer)
    if message.member == "StateChanged", message.interface == NetworkManagerBus.deviceInterface, numbers.count == 3 {
      let (new, old) = (numbers[0], numbers[1])
      if old == NetworkManagerBus.DeviceState.activated, new != old {
        actions += report(tracker.lost(Self.loss(state: new, reason: numbers[2])))
      }
    } else if message.member != "PropertiesChanged" || message.body.first?.text != NetworkManagerBus.wirelessInterface {
      return []
    }
    switch phase {
    case .listening: return actions + refresh(device, now)
    case .asking(let question, _): phase = .asking(question, isOutdated: true)
    case .idle, .supplicant, .connecting, .finding, .finished: break
    }
    return actions
  }

  func wait(_ now: Duration) -> [AssociationAction] { [.wait(until: bus.isAsking ? bus.deadline : now + .seconds(60))] }

  mutating func gone(_ reason: JoinFailure.Reason, _ now: Duration) -> [AssociationAction] {
    report(reason == .cancelled ? nil : tracker.lost(.daemonLost)) + finish(JoinFailure(reason))
  }
}
