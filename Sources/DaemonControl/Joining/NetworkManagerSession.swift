import DaemonProtocols
import WiFi

/// Joins a network over NetworkManager, with the supplicant's own socket as a second observer.
///
///     opening the bus → saying hello → watching → device → its properties → the connection before → opening the supplicant
///       → looking for profiles of the network → (known) activating → joining → [updating → activating → joining] → finished
///       ↳ adding and activating                    ↗            ↳ saving → finished
///                           ↳ [listing access points → reading access point]
///                                                               ↳ deleting → [recovering] → returning → finished
///                                                                                         ↳ deactivating → finished
///
/// The attempt's profile is made `volatile`, so that it goes with its failure even where this program dies first. Where the daemon is to remember the
/// network, it is a copy of the profile that there was, which is not touched: once the network is joined, the new password goes into the older
/// profile, with its UUID and all its settings, and that is activated in the place of the copy. Without an older one the attempt's is saved to disk.
///
/// A saved password cannot be copied, because nobody may read it. One BSS is joined with it only over a profile that is bound to that BSS.
///
/// NetworkManager, 1.42 as 1.58, reports a wrong SAE password as a network that was not found, so what the supplicant says comes first. Where
/// that says nothing, NetworkManager's list of access points distinguishes the two.
public struct NetworkManagerSession: JoinSession {
  private enum Step: Hashable {
    case idle
    case opening
    case hello
    case watching(Int)
    case device
    case manager
    case deviceProperties
    case earlierConnection
    case openingSupplicant
    case attaching
    case listingProfiles
    case readingProfile
    case readingFlags
    case activating
    case joining
    case listingAccessPoints
    case readingAccessPoint
    case updating
    case saving
    case deleting
    case recovering
    case returning
    case deactivating
    case finished
  }

  /// An older profile of the network.
  private struct Namesake: Hashable, Sendable {
    var path: DBusObjectPath
    var profile: NetworkManagerProfile
  }

  /// NM_SETTINGS_UPDATE2_FLAG_TO_DISK.
  private static let toDisk: UInt32 = 1

  private static let watches = [
    "type='signal',sender='\(NetworkManagerBus.service)'", SystemBus.ownerRule(NetworkManagerBus.service),
  ]

  private let request: JoinRequest
  private let supplicant: ControlChannel
  private var bus = BusConversation()
  private var step = Step.idle
  private var started = Duration.zero
  private var attemptDeadline = Duration.zero
  private var replyDeadline: Duration?
  private var pending: UInt32?
  private var device = DBusObjectPath.root
  private var earlierProfile: DBusObjectPath?
  private var ownProfile: DBusObjectPath?
  private var active: DBusObjectPath?
  private var profiles: [DBusObjectPath] = []
  /// The access points of NetworkManager's list that are still to be read, after the join has failed.
  private var accessPoints: [DBusObjectPath] = []
  /// When the reading of that list is given up.
  private var accessPointDeadline = Duration.zero
  /// The profile that is being read.
  private var candidate: DBusObjectPath?
  private var candidateProfile: NetworkManagerProfile?
  /// A profile of the network that goes with its connection, which is activated where no saved one can be.
  private var passing: DBusObjectPath?
  /// Whether there is a profile of the network that is bound to no BSS or to another one than is wanted.
  private var hasOtherBinding = false
  /// The older profiles of the network, of which the first takes the attempt's place.
  private var namesakes: [Namesake] = []
  /// Whether the profile that is being activated is made for the attempt.
  private var isAdding = false
  /// The older profiles that are still to get the password.
  private var updates: [Namesake] = []
  /// The older profile that has the password now and is activated in the place of the attempt's.
  private var replacement: DBusObjectPath?
  /// Whether the attempt has succeeded, and the older profile is being activated.
  private var isReplacing = false
  private var observer: SupplicantObserver
  private var hasObserver = false
  private var observerConfirms = false
  /// How the link was lost that an address is waited for on, where it was.
  private var lostLink: JoinFailure.Reason?
  /// How the device lost the link that the attempt had made, before the profile that stays was written and activated.
  private var lostJoin: JoinFailure.Reason?
  private var hasPrepared = false
  private var deviceState: Int64 = 0
  private var deviceReason: Int64 = 0
  private var bssid: MACAddress?
  private var reported = JoinStep.searching
  private var isKept = false
  /// Why the profile that is to stay was not written.
  private var savingFailure: JoinFailure.Reason?
  private var hasLeft = false
  private var returned: JoinFailure.Aftermath = .stayed
  private var result: Result<JoinOutcome.Joined, JoinFailure>?

  /// A conversation that begins with ``JoinInput/start``.
  public init(_ request: JoinRequest) {
    self.request = request
    supplicant = .supplicant(interface: request.interface)
    observer = SupplicantObserver(request)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [JoinAction] {
    switch (step, input) {
    case (.idle, .start):
      started = now
      if let problem = request.problem {
        step = .finished
        return [.finish(JoinOutcome(.failure(JoinFailure(problem)), after: .zero))]
      }
      step = .opening
      replyDeadline = now + request.limits.reply
      return [.open(.bus)] + wait(now)
    case (.idle, _), (.finished, _): preconditionFailure("NetworkManagerSession: \(input) in step \(step)")
    case (_, .start): preconditionFailure("NetworkManagerSession: start in step \(step)")
    case (.opening, .opened(.bus)):
      step = .hello
      replyDeadline = now + request.limits.reply
      return [.send(ControlPayload(bus.opening), .bus)] + wait(now)
    case (.openingSupplicant, .opened(supplicant)):
      step = .attaching
      replyDeadline = now + .seconds(1)
      return [.send(ControlPayload(ControlCommand.attach.encoded), supplicant)] + wait(now)
    case (_, .opened): return wait(now)
    case (_, .refused(.bus, let error)): return gone(step == .opening ? error.joinReason : .daemonLost, now)
    case (_, .closed(.bus)): return gone(.daemonLost, now)
    case (_, .refused), (_, .closed):
      // Without the supplicant's socket NetworkManager's words have to do.
      hasObserver = false
      observerConfirms = false
      return step == .openingSupplicant || step == .attaching ? begin(now) : wait(now)
    case (_, .received(.bus, let bytes)): return received(bytes, now)
    case (_, .received(_, let bytes)): return heard(bytes, now)
    case (_, .abandoned): return abandon(now)
    case (.updating, .cancelled), (.saving, .cancelled), (.deleting, .cancelled), (.recovering, .cancelled), (.returning, .cancelled):
      return wait(now)
    case (_, .cancelled): return fail(.cancelled, .certain, now)
    case (_, .timedOut): return timedOut(now)
    }
  }

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
    if step != .finished { actions += wait(now) }
    return actions
  }

  private mutating func handle(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    switch message.kind {
    case .methodReturn, .error:
      guard let pending, message.replySerial == pending else { return [] }
      self.pending = nil
      replyDeadline = nil
      return message.kind == .error ? refused(message, now) : answered(message, now)
    case .signal: return signal(message, now)
    case .methodCall, .other: return []
    }
  }

  private mutating func call(
    _ next: Step, _ path: DBusObjectPath, _ interface: String, _ member: String, _ body: [DBusValue] = [], now: Duration,
    isSecret: Bool = false, to destination: String = NetworkManagerBus.service
  ) -> [JoinAction] {
    step = next
    let (bytes, serial) = bus.call(destination, path, interface, member, body)
    pending = serial
    replyDeadline = now + request.limits.reply
    return [.send(ControlPayload(bytes, isSecret: isSecret), .bus)]
  }

  private mutating func watch(_ index: Int, _ now: Duration) -> [JoinAction] {
    guard index < Self.watches.count else {
      return call(.device, NetworkManagerBus.path, NetworkManagerBus.service, "GetDeviceByIpIface", [.string(request.interface)], now: now)
    }
    return call(
      .watching(index), SystemBus.path, SystemBus.service, "AddMatch", [.string(Self.watches[index])], now: now,
      to: SystemBus.service)
  }

  private mutating func properties(_ next: Step, _ path: DBusObjectPath, _ interface: String, _ now: Duration) -> [JoinAction] {
    call(next, path, SystemBus.propertiesInterface, "GetAll", [.string(interface)], now: now)
  }

  private mutating func answered(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    let first = message.body.first
    switch step {
    case .watching(let index): return watch(index + 1, now)
    case .device:
      guard let path = first?.path else { return unexpected("GetDeviceByIpIface", now) }
      device = path
      return properties(.manager, NetworkManagerBus.path, NetworkManagerBus.service, now)
    case .manager:
      if first?["WirelessEnabled"]?.truth == false || first?["WirelessHardwareEnabled"]?.truth == false {
        return fail(.interfaceDown, .certain, now)
      }
      return properties(.deviceProperties, device, NetworkManagerBus.deviceInterface, now)
    case .deviceProperties:
      guard let type = first?["DeviceType"]?.integer else { return unexpected("GetAll", now) }
      guard type == 2 else { return fail(.noInterface, .certain, now) }
      deviceState = first?["State"]?.integer ?? 0
      if first?["Managed"]?.truth == false || deviceState == NetworkManagerBus.DeviceState.unmanaged {
        return fail(.notManaged, .certain, now)
      }
      if deviceState == NetworkManagerBus.DeviceState.unavailable {
        return unavailable(first?["StateReason"]?.elements?.last?.integer ?? 0, now)
      }
      if let active = first?["ActiveConnection"]?.path, active != .root {
        return properties(.earlierConnection, active, NetworkManagerBus.activeInterface, now)
      }
      return openSupplicant(now)
    case .earlierConnection:
      // A connection that is on its way out is none to return to.
      if first?["State"]?.integer == 2 { earlierProfile = first?["Connection"]?.path }
      return openSupplicant(now)
    case .listingProfiles:
      profiles = first?.elements?.compactMap(\.path) ?? []
      return nextProfile(now)
    case .readingProfile:
      guard let candidate, let first else { return nextProfile(now) }
      let profile = NetworkManagerProfile(first)
      guard profile.isNamesake(of: request) || needsSaved && request.bssid == nil && profile.suits(request) else {
        hasOtherBinding = hasOtherBinding || profile.suits(request)
        return nextProfile(now)
      }
      candidateProfile = profile
      return call(
        .readingFlags, candidate, SystemBus.propertiesInterface, "Get", [.string(NetworkManagerBus.profileInterface), "Flags"], now: now)
    case .readingFlags:
      guard let candidate, let profile = candidateProfile else { return nextProfile(now) }
      // What NetworkManager or another program made for a connection of its own goes by itself.
      let isPassing = (first?.integer ?? 0) & NetworkManagerProfile.Flag.passing != 0
      switch (needsSaved, isPassing) {
      case (true, false):
        passing = nil
        return activate(candidate, now)
      case (true, true): passing = passing ?? candidate
      case (false, false): namesakes.append(Namesake(path: candidate, profile: profile))
      case (false, true): break
      }
      return nextProfile(now)
    case .activating:
      guard let path = first?.path else { return unexpected("ActivateConnection", now) }
      if isAdding {
        ownProfile = path
        active = message.body.count > 1 ? message.body[1].path : nil
      } else {
        active = path
      }
      // A join that nobody wants any more waited for the profile, so that it can be deleted.
      if result != nil { return clean(now) }
      step = .joining
      // The device may have come to its end before the answer did.
      if hasPrepared, deviceState == NetworkManagerBus.DeviceState.activated { return succeed(now) }
      return []
    case .listingAccessPoints:
      guard let paths = first?["AccessPoints"]?.elements else { return failUnfound(isThere: nil, now) }
      accessPoints = paths.compactMap(\.path)
      return nextAccessPoint(now)
    case .readingAccessPoint:
      return first?["Ssid"]?.bytes == request.ssid.bytes ? failUnfound(isThere: true, now) : nextAccessPoint(now)
    case .updating:
      isKept = true
      if replacement == nil { replacement = updates.first?.path }
      updates.removeFirst()
      return update(now)
    case .saving:
      isKept = true
      return finishJoined(now)
    case .deleting: return goBack(now)
    case .returning:
      returned = .returning
      return end(now)
    case .deactivating: return end(now)
    case .idle, .opening, .hello, .openingSupplicant, .attaching, .joining, .recovering, .finished: return []
    }
  }

  private mutating func refused(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    switch step {
    case .deleting:
      // A volatile profile goes with its connection, and may be gone before it is deleted.
      if ![SystemBus.ErrorName.unknownMethod, SystemBus.ErrorName.unknownObject].contains(message.errorName) {
        staying(BusError.line(message), now)
      }
      return goBack(now)
    case .listingAccessPoints: return failUnfound(isThere: nil, now)
    // One that is gone since was not read, and is none of the network any more.
    case .readingAccessPoint: return nextAccessPoint(now)
    case .returning:
      returned = .notReturning
      return deactivate(now)
    case .deactivating: return end(now)
    case .saving:
      savingFailure = BusError.reason(message)
      return finishJoined(now)
    case .earlierConnection: return openSupplicant(now)
    case .listingProfiles where !needsSaved: return attempt(now)
    case .readingProfile: return nextProfile(now)
    case .readingFlags:
      if needsSaved, let candidate { return activate(candidate, now) }
      return nextProfile(now)
    case .updating:
      // One that may not be changed stays as it is.
      savingFailure = BusError.reason(message)
      updates.removeFirst()
      return update(now)
    case .activating where isReplacing && result == nil:
      // The link stands, over the attempt's profile, and the older one has the password for the next time.
      return finishJoined(now)
    default: break
    }
    observer.note(JoinEvidence(.networkManager, at: now, BusError.line(message)))
    if result != nil { return clean(now) }
    if message.errorName == NetworkManagerBus.unknownDevice { return fail(.noInterface, .certain, now) }
    return fail(BusError.reason(message), .certain, now)
  }

  private mutating func unexpected(_ member: String, _ now: Duration) -> [JoinAction] {
    // A join that nobody wants any more waited for this answer.
    if result != nil { return clean(now) }
    return fail(.daemonRefused("\(member) gave an unexpected answer"), .certain, now)
  }

  // MARK: Beginning

  private mutating func openSupplicant(_ now: Duration) -> [JoinAction] {
    step = .openingSupplicant
    replyDeadline = now + request.limits.reply
    return [.open(supplicant)]
  }

  /// Whether the password is to be one that is saved.
  private var needsSaved: Bool { request.security.needsPassword && request.password == nil }

  private mutating func begin(_ now: Duration) -> [JoinAction] {
    replyDeadline = nil
    // What is not to be remembered changes no profile and needs none.
    guard needsSaved || request.isKept else { return attempt(now) + wait(now) }
    return call(.listingProfiles, NetworkManagerBus.settingsPath, NetworkManagerBus.settingsInterface, "ListConnections", now: now)
      + wait(now)
  }

  private mutating func nextProfile(_ now: Duration) -> [JoinAction] {
    guard !profiles.isEmpty else {
      guard needsSaved else { return attempt(now) }
      guard let passing else { return fail(hasOtherBinding ? Self.unboundReason : .passwordMissing, .certain, now) }
      return activate(passing, now)
    }
    let path = profiles.removeFirst()
    candidate = path
    return call(.readingProfile, path, NetworkManagerBus.profileInterface, "GetSettings", now: now)
  }

  private static let unboundReason = JoinFailure.Reason.notSupported(
    "one BSS of a network with the password that NetworkManager has saved",
    instead: "give the password, or leave the choice of the BSS to NetworkManager")

  /// Activates a profile that is made for the attempt, or one that there is where no password can be wrong in it.
  private mutating func attempt(_ now: Duration) -> [JoinAction] {
    namesakes = namesakes.enumerated().sorted { one, other in
      let (left, right) = (one.element.profile.rank, other.element.profile.rank)
      return left == right ? one.offset < other.offset : left > right
    }.map(\.element)
    let best = namesakes.first
    if let best, request.password == nil, best.profile.isHidden || !request.isHidden { return activate(best.path, now) }
    let profile = best?.profile.attempt(request) ?? NetworkManagerProfile(for: request)
    isAdding = true
    attemptDeadline = now + request.limits.join
    hasLeft = earlierProfile != nil
    let body = [profile.settings, .objectPath(device), .objectPath(.root), .properties(["persist": "volatile"])]
    return [.progress(JoinProgress(.searching))]
      + call(
        .activating, NetworkManagerBus.path, NetworkManagerBus.service, "AddAndActivateConnection2", body, now: now,
        isSecret: request.password != nil)
  }

  private mutating func activate(_ profile: DBusObjectPath, _ now: Duration) -> [JoinAction] {
    attemptDeadline = now + request.limits.join
    hasLeft = earlierProfile != nil && earlierProfile != profile
    return [.progress(JoinProgress(.searching))]
      + call(
        .activating, NetworkManagerBus.path, NetworkManagerBus.service, "ActivateConnection",
        [.objectPath(profile), .objectPath(device), .objectPath(.root)], now: now)
  }

  // MARK: Joining

  private mutating func signal(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    if message.isLoss(of: NetworkManagerBus.service) { return gone(.daemonLost, now) }
    guard message.member == "StateChanged" else { return [] }
    let numbers = message.body.compactMap(\.integer)
    if result != nil, message.interface == NetworkManagerBus.deviceInterface, message.path == device, numbers.count == 3 {
      deviceState = numbers[0]
      return step == .recovering && deviceState >= NetworkManagerBus.DeviceState.disconnected ? goBack(now) : []
    }
    guard step == .joining || step == .activating || isWriting, result == nil else { return [] }
    switch message.interface {
    case NetworkManagerBus.deviceInterface? where message.path == device && numbers.count == 3: return device(numbers[0], numbers[2], now)
    case NetworkManagerBus.activeInterface? where message.path == active && active != nil && numbers.count == 2 && !isWriting:
      return active(numbers[0], numbers[1], now)
    default: return []
    }
  }

  /// Whether the network is joined, and the password is being written to a profile.
  private var isWriting: Bool { step == .updating || step == .saving }

  /// The device is in another state.
  private mutating func device(_ state: Int64, _ reason: Int64, _ now: Duration) -> [JoinAction] {
    if state == NetworkManagerBus.DeviceState.unavailable, reason == NetworkManagerBus.DeviceReason.supplicantFailed {
      deviceState = state
      return unavailable(reason, now)
    }
    // What comes before the first step of the attempt is the end of the connection before.
    if state == NetworkManagerBus.DeviceState.prepare, !isWriting { hasPrepared = true }
    guard hasPrepared, !isWriting else { return afterJoin(state, reason, now) }
    deviceState = state
    deviceReason = reason
    let line = Self.line(state, reason)
    switch state {
    case NetworkManagerBus.DeviceState.needAuth where reason != 0:
      // The secrets were given, so being asked again means that they did not do.
      observer.note(JoinEvidence(.networkManager, at: now, line))
      return conclude(.wrongPassword, .likely, now)
    case NetworkManagerBus.DeviceState.unavailable: return unavailable(reason, now)
    case NetworkManagerBus.DeviceState.failed, NetworkManagerBus.DeviceState.unmanaged:
      observer.note(JoinEvidence(.networkManager, at: now, line))
      let (mapped, certainty) = self.reason(reason)
      return conclude(mapped, certainty, now)
    case NetworkManagerBus.DeviceState.ipConfig:
      if !isReplacing { attemptDeadline = now + request.limits.address }
      return report(JoinProgress(.address, bssid: bssid))
    case NetworkManagerBus.DeviceState.config where !hasObserver: return report(JoinProgress(.authenticating))
    case NetworkManagerBus.DeviceState.activated where step == .joining: return succeed(now)
    default: return []
    }
  }

  /// The device is in a state that follows a join, which the older profile's activation may still make up for.
  private mutating func afterJoin(_ state: Int64, _ reason: Int64, _ now: Duration) -> [JoinAction] {
    // The link of the attempt makes room for the older profile's activation.
    let isOwn = isReplacing && reason == NetworkManagerBus.DeviceReason.newActivation
    guard isWriting || isReplacing, lostJoin == nil, state != NetworkManagerBus.DeviceState.activated, !isOwn else { return [] }
    observer.note(JoinEvidence(.networkManager, at: now, Self.line(state, reason)))
    let (mapped, _) = self.reason(reason)
    let loss: JoinFailure.Reason = state == NetworkManagerBus.DeviceState.unavailable ? .interfaceDown : .linkLost
    lostJoin = [.superseded, .notManaged, .noInterface].contains(mapped) ? mapped : loss
    // What another program asked for is left alone, and the attempt's profile goes with its link.
    return step == .saving || isWriting && mapped == .superseded ? finishJoined(now) : []
  }

  /// The device cannot be used any more.
  private mutating func unavailable(_ reason: Int64, _ now: Duration) -> [JoinAction] {
    // The reason is “none” where a switch is off.
    observer.note(JoinEvidence(.networkManager, at: now, Self.line(NetworkManagerBus.DeviceState.unavailable, reason)))
    return fail(reason == NetworkManagerBus.DeviceReason.supplicantFailed ? .supplicantLost : .interfaceDown, .certain, now)
  }

  /// What NetworkManager says of its device, as evidence has it.
  private static func line(_ state: Int64, _ reason: Int64) -> String {
    "device state \(state), reason \(reason)\(NetworkManagerBus.DeviceReason.name(reason).map { " (\($0))" } ?? "")"
  }

  /// Reports a step, once: two probes see it.
  ///
  /// The steps of the older profile, which follow a join that succeeded, are none of their own.
  private mutating func report(_ progress: JoinProgress) -> [JoinAction] {
    guard progress.step != reported, !isReplacing else { return [] }
    reported = progress.step
    return [.progress(progress)]
  }

  /// The connection of the attempt is in another state (`NMActiveConnectionState`).
  private mutating func active(_ state: Int64, _ reason: Int64, _ now: Duration) -> [JoinAction] {
    switch state {
    case 2: return succeed(now)
    case 4:
      observer.note(JoinEvidence(.networkManager, at: now, "connection state 4, reason \(reason)"))
      let (mapped, certainty) = self.reason(deviceReason == 0 ? 60 : deviceReason)
      return conclude(mapped, certainty, now)
    default: return []
    }
  }

  /// A reason of NetworkManager, unless the supplicant knows a better one.
  private mutating func conclude(_ reason: JoinFailure.Reason, _ certainty: Certainty, _ now: Duration) -> [JoinAction] {
    let own: [JoinFailure.Reason] = [.noAddress, .superseded, .interfaceDown, .notManaged, .noInterface]
    if let lostLink, reason == .noAddress || !own.contains(reason) { return fail(lostLink, .certain, now) }
    if hasObserver, !own.contains(reason), observer.hasHeard || observer.step != .searching {
      let (told, sure) = observer.verdict
      if told != .timedOut(observer.step) { return fail(told, sure, now) }
      // NetworkManager calls every attempt that does not end a missing network or a missing secret. The supplicant, which reports every
      // refusal, saw one that was not answered.
      if observer.step != .searching { return fail(told, .likely, now) }
    }
    if deviceReason == NetworkManagerBus.DeviceReason.ssidNotFound, reason == .wrongPassword, step == .joining {
      accessPointDeadline = now + request.limits.reply
      return properties(.listingAccessPoints, device, NetworkManagerBus.wirelessInterface, now)
    }
    return fail(reason, certainty, now)
  }

  /// Reads the next access point of NetworkManager's list.
  private mutating func nextAccessPoint(_ now: Duration) -> [JoinAction] {
    guard !accessPoints.isEmpty else { return failUnfound(isThere: false, now) }
    let actions = properties(.readingAccessPoint, accessPoints.removeFirst(), NetworkManagerBus.accessPointInterface, now)
    replyDeadline = accessPointDeadline
    return actions
  }

  /// Ends a join of which NetworkManager says that the network was not found, which it says of a wrong SAE password, too.
  ///
  /// - Parameter isThere: whether an access point of the name is in its list; `nil` where that could not be read.
  private mutating func failUnfound(isThere: Bool?, _ now: Duration) -> [JoinAction] {
    if let isThere {
      let line = "\(isThere ? "an" : "no") access point of this name is in the list"
      observer.note(JoinEvidence(.networkManager, at: now, line))
    }
    return fail(isThere == false ? .outOfRange : .wrongPassword, .likely, now)
  }

  /// What a reason of a device means (`NMDeviceStateReason`).
  private func reason(_ number: Int64) -> (JoinFailure.Reason, Certainty) {
    switch number {
    case 3: return (.notManaged, .certain)
    // The device could not be made ready: NetworkManager may set it up, and could not.
    case 4: return (.interfaceDown, .likely)
    case 5, 6, 15, 16, 17: return (.noAddress, .certain)
    // Without a password none can be wrong, and why the link ended only the supplicant knows.
    case 7, 8: return (request.security.needsPassword ? .wrongPassword : .lost(.associating), .likely)
    // wpa_supplicant could not do what NetworkManager asked of it; nothing of the password.
    case 10: return (.daemonRefused("wpa_supplicant did not do what NetworkManager asked of it"), .certain)
    case 9: return (.daemonRefused("the supplicant did not take the configuration"), .certain)
    case 11: return (.timedOut(.authenticating), .likely)
    case 35: return (.daemonRefused("the firmware of the device is missing"), .certain)
    case 36: return (.noInterface, .certain)
    case 37: return (.daemonRefused("networking is switched off, or the machine goes to sleep"), .certain)
    case 38, 39, 60: return (.superseded, .certain)
    case NetworkManagerBus.DeviceReason.ssidNotFound:
      // A wrong SAE password is given as a network that was not found, too; the list of access points decides.
      return request.security == .sae || request.security == .pskOrSAE ? (.wrongPassword, .likely) : (.outOfRange, .likely)
    default: return (.daemonRefused("reason \(number)\(NetworkManagerBus.DeviceReason.name(number).map { ", \($0)" } ?? "")"), .certain)
    }
  }

  /// Something came over the supplicant's socket.
  private mutating func heard(_ bytes: [UInt8], _ now: Duration) -> [JoinAction] {
    switch ControlMessage(bytes) {
    case .reply(let reply):
      guard step == .attaching else { return wait(now) }
      hasObserver = reply == .ok
      return begin(now)
    case .event(let event):
      guard step == .joining || step == .activating, result == nil, hasObserver else { return wait(now) }
      if observerConfirms { return heardLater(event, now) }
      switch observer.event(event, networkID: nil, at: now) {
      case .none, .otherNetwork: return wait(now)
      case .progress(let progress):
        bssid = progress.bssid ?? bssid
        return report(progress) + wait(now)
      case .connected(let address, _):
        guard hasPrepared else { return wait(now) }
        bssid = address
        observerConfirms = true
        return report(JoinProgress(.address, bssid: address)) + wait(now)
      case .failed(.daemonLost, _), .failed(.superseded, _): return wait(now)
      case .failed(let reason, let certainty): return fail(reason, certainty, now) + wait(now)
      }
    }
  }

  /// Something that the supplicant said while an address is waited for.
  private mutating func heardLater(_ event: ControlEvent, _ now: Duration) -> [JoinAction] {
    switch event.kind {
    case .disconnected(_, let reason, let isLocal):
      observer.note(JoinEvidence(.supplicant, at: now, event.line))
      lostLink = isLocal ? .lost(.address) : .dismissed(.address, reason: reason)
    case .connected(let address, _):
      bssid = address
      lostLink = nil
    default: break
    }
    return wait(now)
  }

  // MARK: The end

  private mutating func timedOut(_ now: Duration) -> [JoinAction] {
    if let replyDeadline, now >= replyDeadline {
      self.replyDeadline = nil
      pending = nil
      switch step {
      case .openingSupplicant, .attaching: return begin(now)
      case .deleting:
        staying("no answer to Delete", now)
        return goBack(now) + wait(now)
      case .recovering: return goBack(now, isLast: true) + wait(now)
      case .listingAccessPoints, .readingAccessPoint: return failUnfound(isThere: nil, now)
      case .updating, .saving:
        savingFailure = .daemonSilent
        return finishJoined(now)
      case .returning, .deactivating: return end(now)
      case .activating:
        let limit = request.limits.reply.wholeMilliseconds
        observer.note(JoinEvidence(.clock, at: now, "no answer to the activation within \(limit) ms; it may still be done"))
        return gone(.daemonSilent, now)
      default: return gone(.daemonSilent, now)
      }
    }
    guard step == .joining, now >= attemptDeadline else { return wait(now) }
    observer.note(JoinEvidence(.clock, at: now, "not joined within \((now - started).wholeMilliseconds) ms"))
    if deviceState >= NetworkManagerBus.DeviceState.ipConfig || observerConfirms {
      return fail(lostLink ?? .noAddress, .certain, now) + wait(now)
    }
    let (reason, certainty) = hasObserver ? observer.verdict : (.timedOut(.authenticating), .likely)
    return fail(reason, certainty, now) + wait(now)
  }

  private mutating func succeed(_ now: Duration) -> [JoinAction] {
    guard result == nil else { return [] }
    lostJoin = nil
    guard !isReplacing, ownProfile != nil, request.isKept else { return finishJoined(now) }
    updates = namesakes
    return update(now)
  }

  /// Ends with what the join has come to: the network, or how it was lost since.
  private mutating func finishJoined(_ now: Duration) -> [JoinAction] {
    if let lostJoin { return fail(lostJoin, .certain, now) }
    result = .success(.init(bssid: bssid, isKept: false))
    return end(now)
  }

  /// Gives the older profiles the password that has proved right, one after the other; without any, keeps the attempt's.
  ///
  /// All of them get it: whichever NetworkManager takes the next time, it is the right one.
  private mutating func update(_ now: Duration) -> [JoinAction] {
    if let next = updates.first {
      var profile = next.profile
      profile.adapt(to: request)
      return call(
        .updating, next.path, NetworkManagerBus.profileInterface, "Update2", [profile.settings, .uint32(Self.toDisk), .properties([:])],
        now: now,
        isSecret: request.password != nil)
    }
    if let replacement { return replace(replacement, now) }
    guard let ownProfile, lostJoin == nil else { return finishJoined(now) }
    // An empty profile keeps what is there.
    let empty = DBusValue.array(.dictionaryEntry(.string, .array(.dictionaryEntry(.string, .variant))), [])
    return call(
      .saving, ownProfile, NetworkManagerBus.profileInterface, "Update2", [empty, .uint32(Self.toDisk), .properties([:])], now: now)
  }

  /// Activates the older profile in the place of the attempt's, which is volatile and goes with its connection.
  private mutating func replace(_ profile: DBusObjectPath, _ now: Duration) -> [JoinAction] {
    isReplacing = true
    isAdding = false
    (active, hasPrepared, deviceState, deviceReason) = (nil, false, 0, 0)
    (observerConfirms, lostLink) = (false, nil)
    observer = SupplicantObserver(request)
    attemptDeadline = now + request.limits.address
    return call(
      .activating, NetworkManagerBus.path, NetworkManagerBus.service, "ActivateConnection",
      [.objectPath(profile), .objectPath(device), .objectPath(.root)], now: now)
  }

  private mutating func fail(_ reason: JoinFailure.Reason, _ certainty: Certainty, _ now: Duration) -> [JoinAction] {
    guard result == nil else { return [] }
    result = .failure(JoinFailure(reason, certainty, evidence: observer.evidence))
    // The profile's path comes with the answer.
    if step == .activating, pending != nil { return wait(now) }
    return clean(now) + (step == .finished ? [] : wait(now))
  }

  private mutating func clean(_ now: Duration) -> [JoinAction] {
    guard let ownProfile else { return goBack(now) }
    return call(.deleting, ownProfile, NetworkManagerBus.profileInterface, "Delete", now: now)
  }

  /// The attempt's profile could not be deleted; it goes with its connection.
  private mutating func staying(_ why: String, _ now: Duration) {
    guard case .failure(var failure)? = result else { return }
    failure.evidence.append(JoinEvidence(.networkManager, at: now, "the profile of the attempt may stay until it is left: \(why)"))
    result = .failure(failure)
  }

  /// Asks for the network that was joined before.
  ///
  /// - Parameter isLast: whether the device was waited for long enough.
  private mutating func goBack(_ now: Duration, isLast: Bool = false) -> [JoinAction] {
    guard case .failure(let failure)? = result, failure.reason != .superseded, hasLeft, let earlierProfile else { return deactivate(now) }
    // A supplicant that is started again makes the device available, which takes a moment.
    if failure.reason == .supplicantLost, deviceState < NetworkManagerBus.DeviceState.disconnected, !isLast {
      step = .recovering
      replyDeadline = now + request.limits.reply
      return []
    }
    return call(
      .returning, NetworkManagerBus.path, NetworkManagerBus.service, "ActivateConnection",
      [.objectPath(earlierProfile), .objectPath(device), .objectPath(.root)], now: now)
  }

  /// Ends the connection that a cancelled join leaves behind, where it leaves one.
  ///
  /// From then on NetworkManager does not join that profile by itself until it is asked to; `Disconnect` of the device would keep it from
  /// joining any.
  private mutating func deactivate(_ now: Duration) -> [JoinAction] {
    guard let remaining else { return end(now) }
    return call(
      .deactivating, NetworkManagerBus.path, NetworkManagerBus.service, "DeactivateConnection", [.objectPath(remaining)], now: now)
  }

  /// The connection of an older profile that goes on after a cancelled join: one that the attempt made goes with its profile, and one in whose
  /// place another is activated goes by that.
  private var remaining: DBusObjectPath? {
    guard case .failure(let failure)? = result, failure.reason == .cancelled, !isAdding else { return nil }
    return hasLeft || earlierProfile == nil ? active : nil
  }

  private mutating func gone(_ reason: JoinFailure.Reason, _ now: Duration) -> [JoinAction] {
    if result == nil { result = .failure(JoinFailure(reason, evidence: observer.evidence)) }
    return end(now)
  }

  /// Nobody can wait any more: what is left to do is sent without looking for answers.
  private mutating func abandon(_ now: Duration) -> [JoinAction] {
    if result == nil, step == .saving { return finishJoined(now) }
    if result == nil { result = .failure(JoinFailure(.cancelled, evidence: observer.evidence)) }
    var calls: [[UInt8]] = []
    if case .failure(let failure)? = result, step != .returning {
      if let ownProfile, step != .deleting {
        calls.append(bus.call(NetworkManagerBus.service, ownProfile, NetworkManagerBus.profileInterface, "Delete").bytes)
      }
      if failure.reason != .superseded, hasLeft, let earlierProfile {
        let body = [DBusValue.objectPath(earlierProfile), .objectPath(device), .objectPath(.root)]
        calls.append(
          bus.call(NetworkManagerBus.service, NetworkManagerBus.path, NetworkManagerBus.service, "ActivateConnection", body).bytes)
      } else if let remaining, step != .deactivating {
        calls.append(
          bus.call(
            NetworkManagerBus.service, NetworkManagerBus.path, NetworkManagerBus.service, "DeactivateConnection", [.objectPath(remaining)]
          ).bytes)
      }
    }
    return calls.map { .send(ControlPayload($0), .bus) } + end(now)
  }

  private mutating func end(_ now: Duration) -> [JoinAction] {
    step = .finished
    let final: Result<JoinOutcome.Joined, JoinFailure>
    switch result {
    case .success(var joined)?:
      joined.isKept = isKept || ownProfile == nil && passing == nil
      if !joined.isKept { joined.savingFailure = savingFailure }
      final = .success(joined)
    case .failure(var failure)?:
      failure.aftermath = earlierProfile == nil ? .nothingBefore : hasLeft ? (returned == .returning ? .returning : .notReturning) : .stayed
      final = .failure(failure)
    case nil: preconditionFailure("NetworkManagerSession: an end without result")
    }
    return [.close(supplicant), .close(.bus), .finish(JoinOutcome(final, after: now - started))]
  }

  private func wait(_ now: Duration) -> [JoinAction] {
    if step == .finished { return [] }
    var until = replyDeadline ?? now + request.limits.reply
    if step == .joining { until = attemptDeadline }
    return [.wait(until: until)]
  }
}
