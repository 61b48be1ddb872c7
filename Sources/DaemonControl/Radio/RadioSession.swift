import DaemonProtocols
public import WiFi

/// What is asked of the switch of the radio.
public enum RadioRequest: Hashable, Sendable {
  /// Whether it is on.
  case read
  /// On or off.
  case set(Bool)
}

/// How the switch of the radio stands.
public struct RadioState: Hashable, Sendable {
  /// Whether the daemon lets the radio send.
  public var isOn: Bool
  /// Whether a switch of the machine, which no daemon can move, keeps it silent; `nil` where the daemon does not report
  /// it.
  public var isBlockedByHardware: Bool?
}

/// Reads or moves the switch of the radio: `WirelessEnabled` of NetworkManager, `Powered` of iwd's device.
///
///     opening → hello → (iwd) objects ⟶ [setting] → reading → finished
///
/// wpa_supplicant has none; there it is the kernel's (`rfkill`), which takes another privilege. What is read after a
/// change is what the daemon has then.
public struct RadioSession: ControlSession {
  public typealias Output = Result<RadioState, JoinFailure>

  /// The object and the interface that hold the switch, and its name there.
  struct Switch: Hashable {
    var service: String
    var path: DBusObjectPath
    var interface: String
    var name: String

    static let networkManager = Switch(
      service: NetworkManagerBus.service, path: NetworkManagerBus.path, interface: NetworkManagerBus.service, name: "WirelessEnabled")

    static func iwd(_ device: DBusObjectPath) -> Switch {
      Switch(service: IWDBus.service, path: device, interface: IWDBus.deviceInterface, name: "Powered")
    }
  }

  enum Phase: BusPhase, Hashable {
    case idle, connecting, finding, finished
    case setting(Switch)
    case reading(Switch)
  }

  private let request: RadioRequest
  private let daemon: JoinDaemon
  private let interface: String
  var bus: BusClient
  var phase = Phase.idle

  /// A conversation that begins with ``JoinInput/start``.
  public init(_ request: RadioRequest, over daemon: JoinDaemon, interface: String, replyLimit: Duration = .seconds(5)) {
    self.request = request
    self.daemon = daemon
    self.interface = interface
    bus = BusClient(replyLimit: replyLimit)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [ControlAction<Output>] {
    switch (phase, input) {
    case (.idle, .start):
      guard daemon != .supplicant else {
        return finish(.failure(JoinFailure(.daemonRefused("wpa_supplicant has no switch; use rfkill block wifi and rfkill unblock wifi"))))
      }
      return open(now)
    case (.idle, _), (.finished, _): preconditionFailure("RadioSession: \(input) in phase \(phase)")
    // A change is one call; once it is sent its answer decides.
    case (.setting, .cancelled): return wait(now)
    case (.reading, .cancelled) where request != .read: return wait(now)
    default: return take(input, now)
    }
  }

  private mutating func change(_ place: Switch, _ now: Duration) -> [ControlAction<Output>] {
    guard case .set(let isOn) = request else { return read(place, now) }
    return call(
      .setting(place), place.service, place.path, SystemBus.propertiesInterface, "Set",
      [.string(place.interface), .string(place.name), .variant(.boolean(isOn))], at: now)
  }

  private mutating func read(_ place: Switch, _ now: Duration) -> [ControlAction<Output>] {
    call(.reading(place), place.service, place.path, SystemBus.propertiesInterface, "GetAll", [.string(place.interface)], at: now)
  }

  private static func state(_ name: String, in properties: DBusValue?) -> Output {
    guard let isOn = properties?[name]?.truth else { return .failure(JoinFailure(.daemonRefused("it does not report \(name)"))) }
    return .success(RadioState(isOn: isOn, isBlockedByHardware: properties?["WirelessHardwareEnabled"]?.truth.map { !$0 }))
  }
}

extension RadioSession: BusSession {
  mutating func begin(_ now: Duration) -> [ControlAction<Output>] {
    daemon == .iwd ? objects(.finding, now) : change(.networkManager, now)
  }

  mutating func answered(_ message: DBusMessage, _ now: Duration) -> [ControlAction<Output>] {
    switch phase {
    case .finding:
      guard let objects = message.objects else { return gone(BusError.noObjects, now) }
      let device = objects.last { $0.interfaces.isDevice(of: interface) }
      return device.map { change(.iwd($0.path), now) } ?? gone(.noInterface, now)
    case .setting(let place): return read(place, now)
    case .reading(let place): return finish(Self.state(place.name, in: message.body.first))
    case .idle, .connecting, .finished: return []
    }
  }

  mutating func gone(_ reason: JoinFailure.Reason, _ now: Duration) -> [ControlAction<Output>] { finish(.failure(JoinFailure(reason))) }
}
