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
  /// Whether a switch of the machine, which no daemon can move, keeps it silent; `nil` where the daemon does not tell.
  public var isBlockedByHardware: Bool?

  /// Makes a state of its parts.
  public init(isOn: Bool, isBlockedByHardware: Bool? = nil) {
    self.isOn = isOn
    self.isBlockedByHardware = isBlockedByHardware
  }
}

/// Reads or moves the switch of the radio: `WirelessEnabled` of NetworkManager, `Powered` of iwd's device.
///
///     opening → hello → (iwd) objects ⟶ [setting] → reading → finished
///
/// wpa_supplicant has none; there it is the kernel's (`rfkill`), which takes another privilege. What is read after a change is what the daemon has then.
public struct RadioSession: ControlSession {
  public typealias Output = Result<RadioState, JoinFailure>

  private enum Step: Hashable {
    case idle, opening, hello, objects, setting, reading, finished
  }

  private let request: RadioRequest
  private let daemon: JoinDaemon
  private let interface: String
  private var exchange: BusExchange
  private var step = Step.idle
  private var device: DBusObjectPath?

  /// A conversation that begins with ``JoinInput/start``.
  public init(_ request: RadioRequest, over daemon: JoinDaemon, interface: String, replyLimit: Duration = .seconds(5)) {
    self.request = request
    self.daemon = daemon
    self.interface = interface
    exchange = BusExchange(replyLimit: replyLimit)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [ControlAction<Output>] {
    switch (step, input) {
    case (.idle, .start):
      guard daemon != .supplicant else {
        return finish(.failure(JoinFailure(.daemonRefused("wpa_supplicant has no switch; use rfkill block wifi and rfkill unblock wifi"))))
      }
      step = .opening
      return exchange.open(now)
    case (.idle, _), (.finished, _): preconditionFailure("RadioSession: \(input) in step \(step)")
    case (_, .start): preconditionFailure("RadioSession: start in step \(step)")
    case (.opening, .opened):
      step = .hello
      return exchange.hello(now)
    case (_, .opened): return wait
    case (_, .refused(_, let error)): return fail(step == .opening ? error.joinReason : .daemonLost)
    case (_, .closed): return fail(.daemonLost)
    // A change is one call; once it is sent its answer decides.
    case (.setting, .cancelled), (.reading, .cancelled): return wait
    case (_, .cancelled), (_, .abandoned): return fail(.cancelled)
    case (_, .timedOut): return now < exchange.deadline ? wait : fail(.daemonSilent)
    case (_, .received(_, let bytes)):
      let (replies, events) = exchange.receive(bytes)
      var actions: [ControlAction<Output>] = replies.map { .send(ControlPayload($0), .bus) }
      for event in events where step != .finished {
        switch event {
        case .signal: break
        case .ready: actions += begin(now)
        case .answer(let message): actions += message.kind == .error ? fail(BusError.reason(message)) : answered(message, now)
        case .failed(let reason): actions += fail(reason)
        }
      }
      return step == .finished ? actions : actions + wait
    }
  }

  private var wait: [ControlAction<Output>] { [.wait(until: exchange.deadline)] }

  private mutating func begin(_ now: Duration) -> [ControlAction<Output>] {
    guard daemon == .iwd else { return change(now) }
    step = .objects
    return exchange.call(IWDBus.service, .root, SystemBus.objectManagerInterface, "GetManagedObjects", at: now)
  }

  private mutating func answered(_ message: DBusMessage, _ now: Duration) -> [ControlAction<Output>] {
    switch step {
    case .objects:
      guard case .array(_, let entries)? = message.body.first?.unwrapped else {
        return fail(.daemonRefused("it does not list its objects"))
      }
      for case .dictionaryEntry(.objectPath(let path), let interfaces) in entries
      where interfaces[IWDBus.deviceInterface]?["Name"]?.text == interface { device = path }
      return device == nil ? fail(.noInterface) : change(now)
    case .setting: return read(now)
    case .reading: return finish(state(message.body.first))
    case .idle, .opening, .hello, .finished: return []
    }
  }

  /// The object and the interface that hold the switch, and its name there.
  private var place: (destination: String, path: DBusObjectPath, interface: String, name: String) {
    daemon == .iwd
      ? (IWDBus.service, device ?? .root, IWDBus.deviceInterface, "Powered")
      : (NetworkManagerBus.service, NetworkManagerBus.path, NetworkManagerBus.service, "WirelessEnabled")
  }

  private mutating func change(_ now: Duration) -> [ControlAction<Output>] {
    guard case .set(let isOn) = request else { return read(now) }
    step = .setting
    return exchange.call(
      place.destination, place.path, SystemBus.propertiesInterface, "Set",
      [.string(place.interface), .string(place.name), .variant(.boolean(isOn))], at: now)
  }

  private mutating func read(_ now: Duration) -> [ControlAction<Output>] {
    step = .reading
    return exchange.call(
      place.destination, place.path, SystemBus.propertiesInterface, "GetAll", [.string(place.interface)], at: now)
  }

  private func state(_ properties: DBusValue?) -> Output {
    guard let isOn = properties?[place.name]?.truth else { return .failure(JoinFailure(.daemonRefused("it does not tell \(place.name)"))) }
    return .success(RadioState(isOn: isOn, isBlockedByHardware: properties?["WirelessHardwareEnabled"]?.truth.map { !$0 }))
  }

  private mutating func fail(_ reason: JoinFailure.Reason) -> [ControlAction<Output>] { finish(.failure(JoinFailure(reason))) }

  private mutating func finish(_ output: Output) -> [ControlAction<Output>] {
    let wasOpen = step != .idle
    step = .finished
    return (wasOpen ? [.close(.bus)] : []) + [.finish(output)]
  }
}
