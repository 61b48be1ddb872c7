import DaemonProtocols
public import WiFi

/// Finds out which daemon owns an interface.
///
/// NetworkManager, where it manages the interface; else iwd, where the interface is one of its devices; else
/// wpa_supplicant, where it has a socket for the interface. No daemon is started by being asked.
public struct OwnerSession: ControlSession {
  public typealias Output = Result<JoinDaemon, JoinFailure>

  enum Phase: BusPhase, Hashable {
    case idle, connecting, device, managed, objects, supplicant, finished
  }

  private let interface: String
  private let replyLimit: Duration
  var bus: BusClient
  var phase = Phase.idle
  private var evidence: [JoinEvidence] = []
  private var mayNot = false
  /// What a daemon on the bus said or did that is neither “not mine” nor “I do not run”.
  private var refusal: JoinFailure.Reason?

  /// A conversation about an interface.
  public init(interface: String, replyLimit: Duration = .seconds(5)) {
    self.interface = interface
    self.replyLimit = replyLimit
    bus = BusClient(replyLimit: replyLimit)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [ControlAction<Output>] {
    switch (phase, input) {
    case (.idle, .start): return open(now)
    case (.idle, _), (.finished, _): preconditionFailure("OwnerSession: \(input) in phase \(phase)")
    case (.supplicant, .opened): return finish(.success(.supplicant))
    case (.supplicant, .refused(_, let error)):
      note(.supplicant, "\(error)", error.isPermission, now)
      return finish(.failure(JoinFailure(mayNot ? .noPermission : refusal ?? .noDaemon, evidence: evidence, aftermath: .stayed)))
    case (.supplicant, .received), (_, .received(.supplicant, _)), (_, .received(.kernel, _)): return wait(now)
    case (_, .refused(_, let error)):
      note(.bus, "\(error)", error.isPermission, now)
      return supplicant(now)
    case (_, .cancelled), (_, .abandoned): return finish(.failure(JoinFailure(.cancelled, evidence: evidence)))
    case (_, .timedOut): return now < bus.deadline ? wait(now) : silent(now)
    default: return take(input, now)
    }
  }

  /// What was asked last has not answered: the next is asked.
  private mutating func silent(_ now: Duration) -> [ControlAction<Output>] {
    refusal = refusal ?? .daemonSilent
    let limit = "within \(replyLimit.wholeMilliseconds) ms"
    switch phase {
    case .device, .managed:
      evidence.append(JoinEvidence(.clock, at: now, "no answer of NetworkManager \(limit)"))
      return objects(.objects, now)
    case .objects: evidence.append(JoinEvidence(.clock, at: now, "no answer of iwd \(limit)"))
    case .supplicant:
      evidence.append(JoinEvidence(.clock, at: now, "wpa_supplicant's socket was not opened \(limit)"))
      return finish(.failure(JoinFailure(.daemonSilent, evidence: evidence)))
    case .idle, .connecting, .finished: evidence.append(JoinEvidence(.clock, at: now, "no answer of the bus \(limit)"))
    }
    return supplicant(now)
  }

  private mutating func note(_ observer: JoinEvidence.Observer, _ line: String, _ isPermission: Bool, _ now: Duration) {
    if isPermission { mayNot = true }
    evidence.append(JoinEvidence(observer, at: now, line))
  }

  private mutating func supplicant(_ now: Duration) -> [ControlAction<Output>] {
    phase = .supplicant
    return [.open(.supplicant(interface: interface)), bus.wait(for: replyLimit, now)]
  }

  private mutating func finish(_ output: Output) -> [ControlAction<Output>] {
    phase = .finished
    return [.close(.bus), .close(.supplicant(interface: interface)), .finish(output)]
  }
}

extension OwnerSession: BusSession {
  var isOver: Bool { phase == .supplicant || phase == .finished }

  mutating func begin(_ now: Duration) -> [ControlAction<Output>] {
    networkManager(.device, "GetDeviceByIpIface", [.string(interface)], at: now)
  }

  mutating func answered(_ message: DBusMessage, _ now: Duration) -> [ControlAction<Output>] {
    switch phase {
    case .device:
      guard let device = message.body.first?.path else {
        refusal = .daemonRefused("GetDeviceByIpIface gave an unexpected answer")
        return objects(.objects, now)
      }
      return property(.managed, device, NetworkManagerBus.deviceInterface, "Managed", now)
    case .managed:
      if message.body.first?.truth == true { return finish(.success(.networkManager)) }
      refusal = .notManaged
      return objects(.objects, now)
    case .objects:
      guard let objects = message.objects else {
        refusal = BusError.noObjects
        return supplicant(now)
      }
      let isDevice = objects.contains { $0.interfaces.isDevice(of: interface) }
      return isDevice ? finish(.success(.iwd)) : supplicant(now)
    case .idle, .connecting, .supplicant, .finished: return []
    }
  }

  mutating func refused(_ message: DBusMessage, _ now: Duration) -> [ControlAction<Output>] {
    let reason = BusError.reason(message)
    note(phase == .objects ? .iwd : .networkManager, BusError.line(message), reason == .noPermission, now)
    switch reason {
    case .noDaemon, .noPermission: break
    // NetworkManager runs and has no such device, which another daemon may have.
    case _ where message.errorName == NetworkManagerBus.unknownDevice: refusal = refusal ?? .noInterface
    default: refusal = reason
    }
    return phase == .objects ? supplicant(now) : objects(.objects, now)
  }

  mutating func called(_ message: DBusMessage, _ now: Duration) -> [ControlAction<Output>] { [] }

  mutating func gone(_ reason: JoinFailure.Reason, _ now: Duration) -> [ControlAction<Output>] { supplicant(now) }
}
