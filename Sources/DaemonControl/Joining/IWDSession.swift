import DaemonProtocols
import WiFi

/// Joins a network over iwd.
///
///     opening the bus → saying hello → watching → objects → agent → [scanning → networks] → connecting → finished
///
/// iwd keeps a profile only of a network that was joined, so nothing is left behind by a failure. It forgets its agent
/// with the connection. It asks the agent for the password; being asked again means that the first did not do. Its
/// answer to nearly every failure is a bare “Failed”, so the frames that the kernel reports are read beside it.
public struct IWDSession: JoinSession {
  /// What the objects of iwd say.
  struct Place {
    var station = DBusObjectPath.root
    var network: DBusObjectPath?
    /// The network that was joined before.
    var earlier: DBusObjectPath?
    /// Whether iwd knew the network before.
    var wasKnown = false
    /// Whether the network was joined, so that iwd has saved it.
    var isSaved = false
  }

  /// One call of `Connect`.
  struct Attempt {
    /// Whether iwd is asked once more, after the password that it had saved was wrong.
    var isSecond = false
    /// How often the agent was asked for the password.
    var timesAsked = 0
    /// Whether another network was joined meanwhile.
    var isElsewhere = false
  }

  enum Phase: BusPhase {
    case idle, connecting, registering, finished
    /// The objects are asked for, after so many scans.
    case looking(scans: Int)
    /// A scan was asked for, or that of another program is waited for.
    case scanning(number: Int)
    case joining(Attempt)
    /// iwd refused to connect; the reports of the kernel that came before it are still read.
    case settling(Attempt, DBusMessage)
    /// The objects are asked for once more: an adapter that is unplugged ends what runs with an answer of other
    /// meanings.
    case checking(JoinFailure)
    case disconnecting(JoinFailure)
    /// The network was joined in the moment in which the join was cancelled.
    case forgetting(JoinFailure)
    case returning(JoinFailure)
  }

  static let agentPath = DBusObjectPath(literal: "/wifi_harness/agent")

  private static let rules = [
    "type='signal',sender='\(IWDBus.service)',member='PropertiesChanged'", SystemBus.ownerRule(IWDBus.service),
  ]
  /// iwd answers a scan only when one that runs already has ended.
  private static let scanLimit = Duration.seconds(15)

  private let request: JoinRequest
  var bus: BusClient
  var phase = Phase.idle
  var started = Duration.zero
  private var place = Place()
  private var evidence: [JoinEvidence] = []
  private var observer = KernelObserver()
  private var hasKernel = false

  /// A conversation that begins with ``JoinInput/start``.
  public init(_ request: JoinRequest) {
    self.request = request
    bus = BusClient(Self.rules, replyLimit: request.limits.reply)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [JoinAction] {
    switch (phase, input) {
    case (.idle, .start): return start(problem, after: [.open(.kernel)], now)
    case (.idle, _), (.finished, _): preconditionFailure("IWDSession: \(input) in phase \(phase)")
    // Without the kernel's reports only iwd's own answers are judged.
    case (_, .opened(.kernel)):
      hasKernel = true
      return wait(now)
    case (_, .refused(.kernel, _)), (_, .closed(.kernel)): return wait(now)
    case (.joining, .received(.kernel, let bytes)), (.settling, .received(.kernel, let bytes)):
      observer.receive(bytes, of: IWDBus.interfaceIndex(of: place.station), usesPassword: request.security.needsPassword, at: now)
      return wait(now)
    case (_, .received(.kernel, _)): return wait(now)
    case (_, .abandoned): return abandon(now)
    case (.disconnecting, .cancelled), (.forgetting, .cancelled), (.returning, .cancelled): return wait(now)
    case (.joining, .cancelled): return fail(.cancelled, .certain, now, disconnects: true)
    case (_, .cancelled): return fail(.cancelled, .certain, now)
    case (_, .timedOut): return now < bus.deadline ? wait(now) : timedOut(now)
    default: return take(input, now)
    }
  }

  /// What cannot work: names are text to iwd, and it binds no network to a BSS.
  private var problem: JoinFailure.Reason? {
    if let problem = request.problem { return problem }
    if request.bssid != nil { return .notSupported("one BSS of a network over iwd", instead: "leave the choice of the BSS to iwd") }
    return ssid == nil ? .notSupported("a network over iwd whose name is not UTF-8") : nil
  }

  private var ssid: String? { String(validating: request.ssid.bytes, as: UTF8.self) }

  // MARK: Looking

  /// Looks for the station and the network among all objects.
  ///
  /// - Returns: why there is nothing to join with.
  private mutating func find(in answer: DBusMessage) -> JoinFailure.Reason? {
    guard let objects = answer.objects else { return BusError.noObjects }
    let device = objects.last { $0.interfaces.isDevice(of: request.interface) }
    guard let (path, interfaces) = device else { return .noInterface }
    if interfaces[IWDBus.deviceInterface]?["Powered"]?.truth == false { return .interfaceDown }
    guard let station = interfaces[IWDBus.stationInterface] else { return .notManaged }
    place.station = path
    if station["State"]?.text == "connected" { place.earlier = station["ConnectedNetwork"]?.path }
    place.wasKnown = objects.contains { object in
      object.interfaces[IWDBus.knownInterface].map { $0["Name"]?.text == ssid && matches($0["Type"]?.text) } ?? false
    }
    place.network =
      objects.last { object in
        guard let properties = object.interfaces[IWDBus.networkInterface] else { return false }
        return properties["Device"]?.path == path && properties["Name"]?.text == ssid && matches(properties["Type"]?.text)
      }?.path
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

  private mutating func scan(number: Int, _ now: Duration) -> [JoinAction] {
    if request.isHidden { return connect(Attempt(), now) }
    return (number == 1 ? [.progress(JoinProgress(.searching))] : [])
      + call(.scanning(number: number), IWDBus.service, place.station, IWDBus.stationInterface, "Scan", limit: Self.scanLimit, at: now)
  }

  // MARK: Joining

  private mutating func connect(_ attempt: Attempt, _ now: Duration) -> [JoinAction] {
    let (path, interface, member, body): (DBusObjectPath, String, String, [DBusValue]) =
      place.network.map { ($0, IWDBus.networkInterface, "Connect", []) }
      ?? (place.station, IWDBus.stationInterface, "ConnectHiddenNetwork", [.string(ssid ?? "")])
    return [.progress(JoinProgress(.authenticating))]
      + call(.joining(attempt), IWDBus.service, path, interface, member, body, limit: request.limits.join, at: now)
  }

  /// Answers the request for the password.
  private mutating func passphrase(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    guard case .joining(var attempt) = phase, place.network == nil || message.body.first?.path == place.network else {
      return cancel(message)
    }
    attempt.timesAsked += 1
    phase = .joining(attempt)
    guard let password = request.password, attempt.timesAsked == 1 else {
      let again = request.password == nil ? "" : " again"
      evidence.append(JoinEvidence(.iwd, at: now, "the agent was asked for the password\(again)"))
      return cancel(message)
    }
    return bus.reply(to: message, [.string(password.withBytes { String(decoding: $0, as: UTF8.self) })], isSecret: true)
  }

  private mutating func cancel(_ message: DBusMessage) -> [JoinAction] {
    bus.refuse(message, "net.connman.iwd.Agent.Error.Canceled", "Canceled")
  }

  /// Whether a path is that of the network of the attempt; iwd makes it of the name in hexadecimal and the kind of
  /// security.
  private func isOwn(_ path: DBusObjectPath) -> Bool {
    if let network = place.network { return path == network }
    return path.description.split(separator: "/").last?.hasPrefix(Hex.string(request.ssid.bytes) + "_") ?? false
  }

  /// Why WPA2 takes no such password, where it does not.
  private var passphraseProblem: JoinFailure.Reason? {
    request.password?.problem(for: .psk).map { .impossiblePassword($0) }
  }

  /// What the refusal to connect means, with what the kernel reported before it.
  private mutating func conclude(_ message: DBusMessage, of attempt: Attempt, _ now: Duration) -> [JoinAction] {
    let name = message.errorName ?? ""
    evidence.append(JoinEvidence(.iwd, at: now, BusError.line(message)))
    let secured = request.security.needsPassword
    if attempt.isElsewhere { return fail(.superseded, .certain, now) }
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
    case _ where secured && request.password == nil && attempt.timesAsked > 0: return fail(.passwordMissing, .certain, now)
    case Self.aborted where attempt.timesAsked < 2:
      return check(request.password == nil && secured ? .passwordMissing : .superseded, .likely, now)
    case "net.connman.iwd.Failed", Self.aborted: break
    // No other answer speaks of the handshake, so only frames can.
    default:
      if let (reason, certainty) = observer.verdict, reason != .wrongPassword { return fail(reason, certainty, now) }
      return isOfUnplugged(message) ? check(BusError.reason(message), .certain, now) : fail(BusError.reason(message), .certain, now)
    }
    // Without asking iwd tried the password that it had saved, whatever was given. After a handshake that failed it
    // asks the next time.
    if secured, request.password != nil, attempt.timesAsked == 0, observer.failedInHandshake, !attempt.isSecond {
      observer = KernelObserver()
      return connect(Attempt(isSecond: true), now)
    }
    let wrong: JoinFailure.Reason = secured && attempt.timesAsked == 0 ? .savedPasswordWrong : .wrongPassword
    if let (reason, certainty) = observer.verdict { return fail(reason == .wrongPassword ? wrong : reason, certainty, now) }
    // No frame was exchanged: iwd gave up on access points that it had heard before.
    if hasKernel, !observer.hasTried { return fail(.lost(.searching), .likely, now) }
    // Being asked again follows a handshake that failed, and a bare failure follows any other: neither says why.
    if secured { return fail(wrong, .likely, now) }
    return fail(BusError.reason(message), .certain, now)
  }

  private static let aborted = "net.connman.iwd.Aborted"

  /// Whether an error may be that of an adapter that was unplugged: iwd aborts what runs, and its objects are gone.
  private func isOfUnplugged(_ message: DBusMessage) -> Bool {
    message.isOfNoObject || [Self.aborted, SystemBus.ErrorName.notFound].contains(message.errorName)
  }

  /// Fails for a reason unless the device is not there any more.
  private mutating func check(_ reason: JoinFailure.Reason, _ certainty: Certainty, _ now: Duration) -> [JoinAction] {
    objects(.checking(JoinFailure(reason, certainty, evidence: observer.evidence + evidence)), now)
  }

  /// What the objects say of the device after a failure that an adapter may have had that was unplugged.
  private mutating func checked(_ failure: JoinFailure, _ answer: DBusMessage, _ now: Duration) -> [JoinAction] {
    guard let objects = answer.objects else { return goBack(failure, now) }
    let device = objects.last { $0.interfaces.isDevice(of: request.interface) }
    let isPowered = device?.interfaces[IWDBus.deviceInterface]?["Powered"]?.truth != false
    if device != nil, isPowered { return goBack(failure, now) }
    let line = device == nil ? "the device is not there any more" : "the device is not powered any more"
    let evidence = failure.evidence + [JoinEvidence(.iwd, at: now, line)]
    return end(.failure(JoinFailure(device == nil ? .noInterface : .interfaceDown, .certain, evidence: evidence)), now)
  }

  // MARK: The end

  /// Forgets a network that was joined and not known before; what iwd saves of it is named as the network is.
  private mutating func forget(_ failure: JoinFailure, _ now: Duration) -> [JoinAction] {
    guard place.isSaved, !place.wasKnown, let name = place.network?.description.split(separator: "/").last,
      let saved = DBusObjectPath("\(IWDBus.managerPath)/\(name)")
    else { return goBack(failure, now) }
    return call(.forgetting(failure), IWDBus.service, saved, IWDBus.knownInterface, "Forget", at: now)
  }

  private mutating func timedOut(_ now: Duration) -> [JoinAction] {
    switch phase {
    case .scanning(let number) where !bus.isAsking: return objects(.looking(scans: number), now)
    case .settling(let attempt, let refusal): return conclude(refusal, of: attempt, now)
    case .joining:
      evidence.append(JoinEvidence(.clock, at: now, "no answer to Connect"))
      let (reason, certainty) = observer.verdict ?? (.timedOut(.authenticating), .certain)
      return fail(reason, certainty, now, disconnects: true)
    case .checking(let failure), .disconnecting(let failure), .forgetting(let failure): return goBack(failure, now)
    default: return gone(.daemonSilent, now)
    }
  }

  private mutating func fail(
    _ reason: JoinFailure.Reason, _ certainty: Certainty, _ now: Duration, disconnects: Bool = false
  ) -> [JoinAction] {
    let failure = JoinFailure(reason, certainty, evidence: observer.evidence + evidence)
    guard disconnects else { return goBack(failure, now) }
    return call(.disconnecting(failure), IWDBus.service, place.station, IWDBus.stationInterface, "Disconnect", at: now)
  }

  var secondChannel: ControlChannel { .kernel }
  var hadNetwork: Bool { place.earlier != nil }
  var hasLeft: Bool {
    switch phase {
    case .joining, .settling, .checking: place.earlier != nil && place.earlier != place.network
    // The network may be the one that was joined before.
    case .disconnecting, .forgetting, .returning: true
    case .idle, .connecting, .registering, .looking, .scanning, .finished: false
    }
  }

  private mutating func goBack(_ failure: JoinFailure, _ now: Duration) -> [JoinAction] {
    guard failure.reason != .superseded, hasLeft, let earlier = place.earlier else { return end(.failure(failure), now) }
    return call(.returning(failure), IWDBus.service, earlier, IWDBus.networkInterface, "Connect", at: now)
  }

  /// The caller cannot wait any more: sends what is left to do without looking for an answer.
  private mutating func abandon(_ now: Duration) -> [JoinAction] {
    var actions: [JoinAction] = []
    switch phase {
    case .joining, .disconnecting:
      if case .joining = phase {
        actions += bus.call(IWDBus.service, place.station, IWDBus.stationInterface, "Disconnect", at: now)
      }
      if let earlier = place.earlier { actions += bus.call(IWDBus.service, earlier, IWDBus.networkInterface, "Connect", at: now) }
    default: break
    }
    return actions.filter(\.isSend) + gone(.cancelled, now)
  }
}

extension IWDSession: BusJoinSession {
  mutating func begin(_ now: Duration) -> [JoinAction] { objects(.looking(scans: 0), now) }

  mutating func answered(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    switch phase {
    case .looking(let scans):
      if let reason = find(in: message) { return fail(reason, .certain, now) }
      if scans == 0 {
        return call(
          .registering, IWDBus.service, IWDBus.managerPath, IWDBus.agentManagerInterface, "RegisterAgent", [.objectPath(Self.agentPath)],
          at: now)
      }
      if place.network != nil { return connect(Attempt(), now) }
      evidence.append(JoinEvidence(.iwd, at: now, "not among the networks after a scan"))
      return scans < request.limits.missedScans ? scan(number: scans + 1, now) : fail(.outOfRange, .certain, now)
    case .registering: return place.network == nil ? scan(number: 1, now) : connect(Attempt(), now)
    case .scanning: return [bus.wait(for: Self.scanLimit, now)]
    case .checking(let failure): return checked(failure, message, now)
    case .joining(let attempt):
      // iwd asks for no password where it has saved one.
      let usedSaved = request.password != nil && request.security.needsPassword && attempt.timesAsked == 0
      return end(.success(.init(bssid: nil, isKept: true, usedSavedPassword: usedSaved)), now)
    case .disconnecting(let failure): return forget(failure, now)
    case .forgetting(let failure): return goBack(failure, now)
    case .returning(let failure): return end(.failure(failure), isReturning: true, now)
    case .idle, .connecting, .settling, .finished: return []
    }
  }

  mutating func refused(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    let name = message.errorName ?? ""
    switch phase {
    case .disconnecting(let failure): return forget(failure, now)
    case .checking(let failure), .forgetting(let failure): return goBack(failure, now)
    case .returning(let failure): return end(.failure(failure), now)
    // Another program scans; the end of that will do.
    case .scanning where name == "net.connman.iwd.InProgress" || name == "net.connman.iwd.Busy":
      return [bus.wait(for: Self.scanLimit, now)]
    case .joining(let attempt):
      phase = .settling(attempt, message)
      return [bus.wait(for: .milliseconds(20), now)]
    default:
      evidence.append(JoinEvidence(.iwd, at: now, BusError.line(message)))
      if isOfUnplugged(message) { return check(BusError.reason(message), .certain, now) }
      return fail(name == "net.connman.iwd.Busy" ? .busy : BusError.reason(message), .certain, now)
    }
  }

  mutating func signal(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    if message.isLoss(of: IWDBus.service) { return gone(.daemonLost, now) }
    guard message.member == "PropertiesChanged", message.path == place.station, message.body.count >= 2 else { return [] }
    let changed = message.body[1]
    // An interface that goes down takes its station with it, and the answer to a join that runs is a bare “Failed”.
    if message.body[0].text == IWDBus.deviceInterface, changed["Powered"]?.truth == false {
      switch phase {
      case .disconnecting, .forgetting, .returning: return []
      default:
        evidence.append(JoinEvidence(.iwd, at: now, "the device is not powered any more"))
        return fail(.interfaceDown, .certain, now)
      }
    }
    guard message.body[0].text == IWDBus.stationInterface else { return [] }
    let network = changed["ConnectedNetwork"]?.path
    let isElsewhere = network.map { !isOwn($0) } ?? false
    // A hidden network has a path from here on.
    if !isElsewhere { place.network = place.network ?? network }
    if changed["State"]?.text == "connected", !isElsewhere { place.isSaved = true }
    switch phase {
    case .joining(var attempt) where isElsewhere:
      attempt.isElsewhere = true
      phase = .joining(attempt)
    case .settling(var attempt, let refusal) where isElsewhere:
      attempt.isElsewhere = true
      phase = .settling(attempt, refusal)
    case .scanning(let number) where changed["Scanning"]?.truth == false: return objects(.looking(scans: number), now)
    default: break
    }
    return []
  }

  /// The agent is asked for something.
  mutating func called(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    guard message.path == Self.agentPath, message.interface == IWDBus.agentInterface, bus.isFromOwner(message) else {
      return bus.refuse(message)
    }
    switch message.member {
    case "RequestPassphrase": return passphrase(message, now)
    case "Release", "Cancel": return message.flags & DBusMessage.Flag.noReplyExpected == 0 ? bus.reply(to: message) : []
    default: return cancel(message)
    }
  }

  mutating func gone(_ reason: JoinFailure.Reason, _ now: Duration) -> [JoinAction] {
    switch phase {
    case .checking(let failure), .disconnecting(let failure), .forgetting(let failure), .returning(let failure):
      end(.failure(failure), now)
    default: end(.failure(JoinFailure(reason, evidence: evidence)), now)
    }
  }
}
