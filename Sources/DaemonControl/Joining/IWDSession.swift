import DaemonProtocols
import WiFi

/// Joins a network over iwd.
///
///     opening the bus → saying hello → watching → objects → agent → [scanning → networks] → connecting → finished
///
/// iwd keeps a profile only of a network that was joined, so nothing is left behind by a failure. It asks its agent for the password; being asked
/// again means that the first did not do. Its answer to nearly every failure is a bare “Failed”, so the frames that the kernel reports are read beside it.
public struct IWDSession: JoinSession {
  private enum Step: Hashable {
    case idle
    case opening
    case hello
    case watching(Int)
    case objects
    case registering
    case scanning
    case awaitingScan
    case objectsAgain
    case connecting
    case settling
    case disconnecting
    case returning
    case finished
  }

  static let agentPath = DBusObjectPath(literal: "/wifi_harness/agent")

  private static let watches = [
    "type='signal',sender='\(IWDBus.service)',member='PropertiesChanged'", SystemBus.ownerRule(IWDBus.service),
  ]

  private let request: JoinRequest
  private var bus = BusConversation()
  private var step = Step.idle
  private var started = Duration.zero
  private var deadline = Duration.zero
  private var pending: UInt32?
  private var station = DBusObjectPath.root
  private var network: DBusObjectPath?
  private var earlierNetwork: DBusObjectPath?
  private var timesAsked = 0
  private var scans = 0
  private var evidence: [JoinEvidence] = []
  private var observer = KernelObserver()
  private var hasKernel = false
  /// Whether iwd was asked once more, after the password that it had saved was wrong.
  private var hasRetried = false
  /// Why iwd refused to connect, while the reports of the kernel that came before it are still read.
  private var refusal: DBusMessage?
  /// Whether another network was joined while the attempt lasted.
  private var isElsewhere = false
  private var returned: JoinFailure.Aftermath = .stayed
  private var hasLeft = false
  private var result: Result<JoinOutcome.Joined, JoinFailure>?

  /// A conversation that begins with ``JoinInput/start``.
  public init(_ request: JoinRequest) { self.request = request }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [JoinAction] {
    switch (step, input) {
    case (.idle, .start):
      started = now
      if let problem = problem {
        step = .finished
        return [.finish(JoinOutcome(.failure(JoinFailure(problem)), after: .zero))]
      }
      return go(.opening, [.open(.kernel), .open(.bus)], now)
    case (.idle, _), (.finished, _): preconditionFailure("IWDSession: \(input) in step \(step)")
    case (_, .start): preconditionFailure("IWDSession: start in step \(step)")
    // Without the kernel's reports iwd's words have to do.
    case (_, .opened(.kernel)):
      hasKernel = true
      return wait
    case (_, .refused(.kernel, _)), (_, .closed(.kernel)): return wait
    case (_, .received(.kernel, let bytes)):
      if step == .connecting || step == .settling { observer.receive(bytes, usesPassword: request.security.needsPassword, at: now) }
      return wait
    case (.opening, .opened): return go(.hello, [.send(ControlPayload(bus.opening), .bus)], now)
    case (_, .opened): return wait
    case (_, .refused(_, let error)): return gone(step == .opening ? error.joinReason : .daemonLost, now)
    case (_, .closed): return gone(.daemonLost, now)
    case (_, .received(_, let bytes)): return received(bytes, now)
    case (_, .abandoned): return abandon(now)
    case (.disconnecting, .cancelled), (.returning, .cancelled): return wait
    case (_, .cancelled): return cancel(now)
    case (_, .timedOut): return now < deadline ? wait : timedOut(now)
    }
  }

  /// What cannot work: names are text to iwd, and it binds no network to a BSS.
  private var problem: JoinFailure.Reason? {
    if let problem = request.problem { return problem }
    if request.bssid != nil { return .notSupported("one BSS of a network over iwd", instead: "leave the choice of the BSS to iwd") }
    return ssid == nil ? .notSupported("a network over iwd whose name is not UTF-8") : nil
  }

  private var ssid: String? { String(validating: request.ssid.bytes, as: UTF8.self) }

  // MARK: The bus

  private mutating func received(_ bytes: [UInt8], _ now: Duration) -> [JoinAction] {
    var actions: [JoinAction] = []
    for event in bus.receive(bytes) {
      guard step != .finished else { break }
      switch event {
      case .send(let bytes): actions.append(.send(ControlPayload(bytes), .bus))
      case .ready: actions += watch(0, now)
      case .rejected: actions += gone(.noPermission, now)
      case .malformed(let error): actions += gone(.malformed(error), now)
      case .message(let message): actions += handle(message, now)
      }
    }
    return step == .finished ? actions : actions + wait
  }

  private mutating func handle(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    switch message.kind {
    case .methodReturn, .error:
      guard let pending, message.replySerial == pending else { return [] }
      self.pending = nil
      return message.kind == .error ? refused(message, now) : answered(message, now)
    case .signal: return signal(message, now)
    case .methodCall: return asked(message, now)
    case .other: return []
    }
  }

  private mutating func call(
    _ next: Step, _ path: DBusObjectPath, _ interface: String, _ member: String, _ body: [DBusValue] = [], _ now: Duration,
    to destination: String = IWDBus.service
  ) -> [JoinAction] {
    let (bytes, serial) = bus.call(destination, path, interface, member, body)
    pending = serial
    return go(next, [.send(ControlPayload(bytes), .bus)], now)
  }

  private mutating func watch(_ index: Int, _ now: Duration) -> [JoinAction] {
    guard index < Self.watches.count else { return objects(.objects, now) }
    return call(
      .watching(index), SystemBus.path, SystemBus.service, "AddMatch", [.string(Self.watches[index])], now,
      to: SystemBus.service)
  }

  private mutating func objects(_ next: Step, _ now: Duration) -> [JoinAction] {
    call(next, .root, SystemBus.objectManagerInterface, "GetManagedObjects", [], now)
  }

  private mutating func answered(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    switch step {
    case .watching(let index): return watch(index + 1, now)
    case .objects:
      if let reason = find(in: message.body.first) { return fail(reason, .certain, now) }
      return call(.registering, IWDBus.managerPath, IWDBus.agentManagerInterface, "RegisterAgent", [.objectPath(Self.agentPath)], now)
    case .registering:
      return network == nil ? scan(now) : connect(now)
    case .scanning: return go(.awaitingScan, [], now)
    case .objectsAgain:
      if let reason = find(in: message.body.first) { return fail(reason, .certain, now) }
      if network != nil { return connect(now) }
      evidence.append(JoinEvidence(.iwd, at: now, "not among the networks after a scan"))
      return scans < request.limits.missedScans ? scan(now) : fail(.outOfRange, .certain, now)
    case .connecting:
      // iwd asks for no password where it has saved one.
      let usedSaved = request.password != nil && request.security.needsPassword && timesAsked == 0
      result = .success(.init(bssid: nil, isKept: true, usedSavedPassword: usedSaved))
      return end(now)
    case .disconnecting: return goBack(now)
    case .returning:
      returned = .returning
      return end(now)
    case .idle, .opening, .hello, .awaitingScan, .settling, .finished: return []
    }
  }

  /// Looks for the station and the network among all objects.
  ///
  /// - Returns: why there is nothing to join with.
  private mutating func find(in objects: DBusValue?) -> JoinFailure.Reason? {
    guard case .array(_, let entries)? = objects?.unwrapped else { return .daemonRefused("it does not list its objects") }
    var device: (path: DBusObjectPath, properties: DBusValue, interfaces: DBusValue)?
    for case .dictionaryEntry(.objectPath(let path), let interfaces) in entries {
      if let properties = interfaces[IWDBus.deviceInterface], properties["Name"]?.text == request.interface {
        device = (path, properties, interfaces)
      }
    }
    guard let device else { return .noInterface }
    if device.properties["Powered"]?.truth == false { return .interfaceDown }
    guard let station = device.interfaces[IWDBus.stationInterface] else { return .notManaged }
    self.station = device.path
    if !hasLeft, station["State"]?.text == "connected" { earlierNetwork = station["ConnectedNetwork"]?.path }
    network = nil
    for case .dictionaryEntry(.objectPath(let path), let interfaces) in entries {
      guard let properties = interfaces[IWDBus.networkInterface], properties["Device"]?.path == device.path,
        properties["Name"]?.text == ssid, matches(properties["Type"]?.text)
      else { continue }
      network = path
    }
    return nil
  }

  private func matches(_ type: String?) -> Bool {
    switch request.security {
    // To iwd a network that is open and one of OWE are the same.
    case .open, .owe: type == "open"
    case .psk, .sae, .pskOrSAE: type == "psk"
    case .enterprise: type == "8021x"
    case .wep: type == "wep"
    }
  }

  // MARK: Joining

  private mutating func scan(_ now: Duration) -> [JoinAction] {
    if request.isHidden { return connect(now) }
    scans += 1
    return (scans == 1 ? [.progress(JoinProgress(.searching))] : [])
      + call(.scanning, station, IWDBus.stationInterface, "Scan", [], now)
  }

  private mutating func connect(_ now: Duration) -> [JoinAction] {
    hasLeft = earlierNetwork != nil && earlierNetwork != network
    var actions: [JoinAction] = [.progress(JoinProgress(.authenticating))]
    if let network {
      actions += call(.connecting, network, IWDBus.networkInterface, "Connect", [], now)
    } else {
      actions += call(.connecting, station, IWDBus.stationInterface, "ConnectHiddenNetwork", [.string(ssid ?? "")], now)
    }
    deadline = now + request.limits.join
    return actions
  }

  /// The agent is asked for something.
  private mutating func asked(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    guard message.path == Self.agentPath, message.interface == IWDBus.agentInterface, bus.isFromOwner(message) else {
      return [.send(ControlPayload(bus.refuse(message, SystemBus.ErrorName.unknownMethod, "No such method")), .bus)]
    }
    func canceled() -> [JoinAction] {
      [.send(ControlPayload(bus.refuse(message, "net.connman.iwd.Agent.Error.Canceled", "Canceled")), .bus)]
    }
    switch message.member {
    case "RequestPassphrase":
      guard step == .connecting, network == nil || message.body.first?.path == network else { return canceled() }
      timesAsked += 1
      guard let password = request.password else {
        evidence.append(JoinEvidence(.iwd, at: now, "the agent was asked for the password"))
        return canceled()
      }
      guard timesAsked == 1 else {
        evidence.append(JoinEvidence(.iwd, at: now, "the agent was asked for the password again"))
        return canceled()
      }
      let text = password.withBytes { String(decoding: $0, as: UTF8.self) }
      return [.send(ControlPayload(bus.reply(to: message, [.string(text)]), isSecret: true), .bus)]
    case "Release", "Cancel":
      return message.flags & DBusMessage.Flag.noReplyExpected == 0 ? [.send(ControlPayload(bus.reply(to: message)), .bus)] : []
    default: return canceled()
    }
  }

  private mutating func signal(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    if message.isLoss(of: IWDBus.service) { return gone(.daemonLost, now) }
    guard message.member == "PropertiesChanged", message.path == station, message.body.count >= 2 else {
      return []
    }
    // An interface that goes down takes its station with it, and the answer to a join that runs is a bare “Failed”.
    if message.body[0].text == IWDBus.deviceInterface, message.body[1]["Powered"]?.truth == false {
      evidence.append(JoinEvidence(.iwd, at: now, "the device is not powered any more"))
      return fail(.interfaceDown, .certain, now)
    }
    guard message.body[0].text == IWDBus.stationInterface else { return [] }
    if step == .connecting || step == .settling, let path = message.body[1]["ConnectedNetwork"]?.path, !isOwn(path) { isElsewhere = true }
    if step == .awaitingScan || step == .scanning, message.body[1]["Scanning"]?.truth == false { return objects(.objectsAgain, now) }
    return []
  }

  /// Whether a path is that of the network of the attempt; iwd makes it of the name in hexadecimal and the kind of security.
  private func isOwn(_ path: DBusObjectPath) -> Bool {
    network.map { $0 == path } ?? (path.description.split(separator: "/").last?.hasPrefix(Hex.string(request.ssid.bytes) + "_") ?? false)
  }

  private mutating func refused(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    let name = message.errorName ?? ""
    switch step {
    case .disconnecting: return goBack(now)
    case .returning:
      returned = .notReturning
      return end(now)
    case .scanning where name == "net.connman.iwd.InProgress" || name == "net.connman.iwd.Busy":
      // Another program scans; the end of that will do.
      return go(.awaitingScan, [], now)
    case .connecting:
      refusal = message
      return go(.settling, [], now)
    default:
      evidence.append(JoinEvidence(.iwd, at: now, BusError.line(message)))
      return fail(name == "net.connman.iwd.Busy" ? .busy : BusError.reason(message), .certain, now)
    }
  }

  /// Why WPA2 takes no such password, where it does not.
  private var passphraseProblem: JoinFailure.Reason? {
    request.password?.withBytes { bytes in
      do throws(Passphrase.Problem) {
        try Passphrase.check(bytes, for: .psk)
        return nil
      } catch { return .impossiblePassword(error) }
    }
  }

  /// What the refusal to connect means, with what the kernel reported before it.
  private mutating func conclude(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    let name = message.errorName ?? ""
    evidence.append(JoinEvidence(.iwd, at: now, BusError.line(message)))
    let secured = request.security.needsPassword
    if isElsewhere { return fail(.superseded, .certain, now) }
    switch name {
    case "net.connman.iwd.NotFound", "net.connman.iwd.NotAvailable": return fail(.outOfRange, .certain, now)
    case "net.connman.iwd.Busy", "net.connman.iwd.InProgress": return fail(.busy, .certain, now)
    case "net.connman.iwd.NoAgent": return fail(.passwordMissing, .certain, now)
    case SystemBus.ErrorName.accessDenied: return fail(.noPermission, .certain, now)
    case "net.connman.iwd.InvalidFormat":
      // A network that was not heard before may have been one of WPA3; iwd knows that it is not.
      return fail(passphraseProblem ?? .daemonRefused("the password has a format that it does not take"), .certain, now)
    case "net.connman.iwd.NotSupported": return fail(.notSupported("such a network over this iwd"), .certain, now)
    // The agent gave no password, and iwd ends the attempt with that.
    case _ where secured && request.password == nil && timesAsked > 0: return fail(.passwordMissing, .certain, now)
    case "net.connman.iwd.Aborted" where timesAsked < 2:
      return fail(request.password == nil && secured ? .passwordMissing : .superseded, .likely, now)
    case "net.connman.iwd.Failed", "net.connman.iwd.Aborted": break
    // No other answer speaks of the handshake, so only frames can.
    default:
      if let (reason, certainty) = observer.verdict, reason != .wrongPassword { return fail(reason, certainty, now) }
      return fail(BusError.reason(message), .certain, now)
    }
    // Without asking iwd tried the password that it had saved, whatever was given. After a handshake that failed it asks the next time.
    if secured, request.password != nil, timesAsked == 0, observer.failedInHandshake, !hasRetried {
      hasRetried = true
      observer = KernelObserver()
      return connect(now)
    }
    let wrong: JoinFailure.Reason = secured && timesAsked == 0 ? .savedPasswordWrong : .wrongPassword
    if let (reason, certainty) = observer.verdict { return fail(reason == .wrongPassword ? wrong : reason, certainty, now) }
    // No frame was exchanged: iwd gave up on access points that it had heard before.
    if hasKernel, !observer.hasTried { return fail(.lost(.searching), .likely, now) }
    // Being asked again follows a handshake that failed, and a bare failure follows any other: neither says why.
    if secured { return fail(wrong, .likely, now) }
    return fail(BusError.reason(message), .certain, now)
  }

  // MARK: The end

  private mutating func timedOut(_ now: Duration) -> [JoinAction] {
    pending = nil
    switch step {
    case .awaitingScan: return objects(.objectsAgain, now)
    case .settling: return refusal.map { conclude($0, now) } ?? []
    case .connecting:
      evidence.append(JoinEvidence(.clock, at: now, "no answer to Connect"))
      let (reason, certainty) = observer.verdict ?? (.timedOut(.authenticating), .certain)
      return fail(reason, certainty, now, disconnects: true)
    case .disconnecting: return goBack(now)
    case .returning: return end(now)
    default: return gone(.daemonSilent, now)
    }
  }

  private mutating func cancel(_ now: Duration) -> [JoinAction] {
    fail(.cancelled, .certain, now, disconnects: step == .connecting)
  }

  private mutating func fail(
    _ reason: JoinFailure.Reason, _ certainty: Certainty, _ now: Duration, disconnects: Bool = false
  ) -> [JoinAction] {
    guard result == nil else { return wait }
    result = .failure(JoinFailure(reason, certainty, evidence: observer.evidence + evidence))
    guard disconnects else { return goBack(now) }
    // The network may be the one that was joined before.
    hasLeft = earlierNetwork != nil
    return call(.disconnecting, station, IWDBus.stationInterface, "Disconnect", [], now)
  }

  private mutating func goBack(_ now: Duration) -> [JoinAction] {
    guard case .failure(let failure)? = result, failure.reason != .superseded, hasLeft, let earlierNetwork else { return end(now) }
    return call(.returning, earlierNetwork, IWDBus.networkInterface, "Connect", [], now)
  }

  /// Nobody can wait any more: what is left to do is sent without looking for an answer.
  private mutating func abandon(_ now: Duration) -> [JoinAction] {
    var calls: [[UInt8]] = []
    if step == .connecting { calls.append(bus.call(IWDBus.service, station, IWDBus.stationInterface, "Disconnect").bytes) }
    if step == .connecting || step == .disconnecting, let earlierNetwork {
      calls.append(bus.call(IWDBus.service, earlierNetwork, IWDBus.networkInterface, "Connect").bytes)
    }
    return calls.map { .send(ControlPayload($0), .bus) } + gone(.cancelled, now)
  }

  private mutating func gone(_ reason: JoinFailure.Reason, _ now: Duration) -> [JoinAction] {
    if result == nil { result = .failure(JoinFailure(reason, evidence: evidence)) }
    return end(now)
  }

  private mutating func end(_ now: Duration) -> [JoinAction] {
    step = .finished
    // iwd forgets the agent with its connection.
    guard var final = result else { preconditionFailure("IWDSession: an end without result") }
    if case .failure(var failure) = final {
      failure.aftermath = earlierNetwork == nil ? .nothingBefore : hasLeft ? (returned == .returning ? .returning : .notReturning) : .stayed
      final = .failure(failure)
    }
    return [.close(.kernel), .close(.bus), .finish(JoinOutcome(final, after: now - started))]
  }

  private mutating func go(_ next: Step, _ actions: [JoinAction], _ now: Duration) -> [JoinAction] {
    step = next
    switch next {
    // iwd answers a scan only when one that runs already has ended.
    case .scanning, .awaitingScan: deadline = now + .seconds(15)
    case .settling: deadline = now + .milliseconds(20)
    case .connecting: deadline = now + request.limits.join
    default: deadline = now + request.limits.reply
    }
    return actions + wait
  }

  private var wait: [JoinAction] { step == .finished ? [] : [.wait(until: deadline)] }
}
