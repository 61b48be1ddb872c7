import DaemonProtocols
public import WiFi

/// Finds out which daemon owns an interface.
///
/// NetworkManager, where it manages the interface; else iwd, where the interface is one of its devices; else wpa_supplicant, where it has a
/// socket for the interface. No daemon is started by being asked.
public struct OwnerSession: ControlSession {
  public typealias Output = Result<JoinDaemon, JoinFailure>

  private enum Step: Hashable {
    case idle
    case opening
    case hello
    case device
    case managed
    case objects
    case supplicant
    case finished
  }

  private let interface: String
  private let replyLimit: Duration
  private var bus = BusConversation()
  private var step = Step.idle
  private var deadline = Duration.zero
  private var pending: UInt32?
  private var evidence: [JoinEvidence] = []
  private var mayNot = false
  /// What a daemon on the bus said or did that is neither “not mine” nor “I do not run”.
  private var trouble: JoinFailure.Reason?

  /// A conversation about an interface.
  public init(interface: String, replyLimit: Duration = .seconds(5)) {
    self.interface = interface
    self.replyLimit = replyLimit
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [ControlAction<Output>] {
    switch (step, input) {
    case (.idle, .start): return go(.opening, [.open(.bus)], now)
    case (.idle, _), (.finished, _): preconditionFailure("OwnerSession: \(input) in step \(step)")
    case (_, .start): preconditionFailure("OwnerSession: start in step \(step)")
    case (.opening, .opened): return go(.hello, [.send(ControlPayload(bus.opening), .bus)], now)
    case (.supplicant, .opened): return finish(.success(.supplicant))
    case (.supplicant, .refused(_, let error)):
      note(.supplicant, "\(error)", error.isPermission, now)
      return finish(.failure(JoinFailure(mayNot ? .noPermission : trouble ?? .noDaemon, evidence: evidence, aftermath: .stayed)))
    case (_, .refused(_, let error)):
      note(.bus, "\(error)", error.isPermission, now)
      return supplicant(now)
    case (_, .closed): return supplicant(now)
    case (_, .received(.bus, let bytes)): return received(bytes, now)
    case (_, .received), (_, .opened): return [.wait(until: deadline)]
    case (_, .cancelled), (_, .abandoned): return finish(.failure(JoinFailure(.cancelled, evidence: evidence)))
    case (_, .timedOut):
      guard now >= deadline else { return [.wait(until: deadline)] }
      return silent(now)
    }
  }

  /// Whoever was asked has not answered: the next is.
  private mutating func silent(_ now: Duration) -> [ControlAction<Output>] {
    pending = nil
    trouble = trouble ?? .daemonSilent
    let limit = "within \(replyLimit.wholeMilliseconds) ms"
    switch step {
    case .device, .managed:
      evidence.append(JoinEvidence(.clock, at: now, "no answer of NetworkManager \(limit)"))
      return objects(now)
    case .objects: evidence.append(JoinEvidence(.clock, at: now, "no answer of iwd \(limit)"))
    case .supplicant:
      evidence.append(JoinEvidence(.clock, at: now, "wpa_supplicant's socket was not opened \(limit)"))
      return finish(.failure(JoinFailure(.daemonSilent, evidence: evidence)))
    case .idle, .opening, .hello, .finished: evidence.append(JoinEvidence(.clock, at: now, "no answer of the bus \(limit)"))
    }
    return supplicant(now)
  }

  private mutating func note(_ observer: JoinEvidence.Observer, _ line: String, _ isPermission: Bool, _ now: Duration) {
    if isPermission { mayNot = true }
    evidence.append(JoinEvidence(observer, at: now, line))
  }

  private mutating func received(_ bytes: [UInt8], _ now: Duration) -> [ControlAction<Output>] {
    var actions: [ControlAction<Output>] = []
    for event in bus.receive(bytes) {
      guard step != .finished, step != .supplicant else { break }
      switch event {
      case .send(let bytes): actions.append(.send(ControlPayload(bytes), .bus))
      case .ready:
        actions += call(
          .device, NetworkManagerBus.service, NetworkManagerBus.path, NetworkManagerBus.service, "GetDeviceByIpIface",
          [.string(interface)], now)
      case .rejected, .malformed: actions += supplicant(now)
      case .message(let message):
        guard message.kind == .methodReturn || message.kind == .error, let pending, message.replySerial == pending else { continue }
        self.pending = nil
        actions += answered(message, now)
      }
    }
    return step == .finished ? actions : actions + [.wait(until: deadline)]
  }

  private mutating func answered(_ message: DBusMessage, _ now: Duration) -> [ControlAction<Output>] {
    if message.kind == .error {
      let observer: JoinEvidence.Observer = step == .objects ? .iwd : .networkManager
      let reason = BusError.reason(message)
      note(observer, BusError.line(message), reason == .noPermission, now)
      switch reason {
      case .noDaemon, .noPermission: break
      // NetworkManager runs and has no such device, which another daemon may have.
      case _ where message.errorName == NetworkManagerBus.unknownDevice: trouble = trouble ?? .noInterface
      default: trouble = reason
      }
      return step == .objects ? supplicant(now) : objects(now)
    }
    switch step {
    case .device:
      guard let device = message.body.first?.path else {
        trouble = .daemonRefused("GetDeviceByIpIface gave an unexpected answer")
        return objects(now)
      }
      return call(
        .managed, NetworkManagerBus.service, device, SystemBus.propertiesInterface, "Get",
        [.string(NetworkManagerBus.deviceInterface), "Managed"], now)
    case .managed:
      if message.body.first?.truth == true { return finish(.success(.networkManager)) }
      trouble = .notManaged
      return objects(now)
    case .objects:
      guard case .array(_, let entries)? = message.body.first else {
        trouble = .daemonRefused("it does not list its objects")
        return supplicant(now)
      }
      for case .dictionaryEntry(_, let interfaces) in entries
      where interfaces[IWDBus.deviceInterface]?["Name"]?.text == interface { return finish(.success(.iwd)) }
      return supplicant(now)
    case .idle, .opening, .hello, .supplicant, .finished: return []
    }
  }

  private mutating func objects(_ now: Duration) -> [ControlAction<Output>] {
    call(.objects, IWDBus.service, .root, SystemBus.objectManagerInterface, "GetManagedObjects", [], now)
  }

  private mutating func supplicant(_ now: Duration) -> [ControlAction<Output>] {
    go(.supplicant, [.open(.supplicant(interface: interface))], now)
  }

  private mutating func call(
    _ next: Step, _ destination: String, _ path: DBusObjectPath, _ interface: String, _ member: String, _ body: [DBusValue],
    _ now: Duration
  ) -> [ControlAction<Output>] {
    let (bytes, serial) = bus.call(destination, path, interface, member, body)
    pending = serial
    return go(next, [.send(ControlPayload(bytes), .bus)], now)
  }

  private mutating func go(_ next: Step, _ actions: [ControlAction<Output>], _ now: Duration) -> [ControlAction<Output>] {
    step = next
    deadline = now + replyLimit
    return actions + [.wait(until: deadline)]
  }

  private mutating func finish(_ output: Output) -> [ControlAction<Output>] {
    step = .finished
    return [.close(.bus), .close(.supplicant(interface: interface)), .finish(output)]
  }
}
