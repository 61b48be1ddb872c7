import DaemonProtocols
import WiFi

/// Joins a network over NetworkManager, with the supplicant's own socket as a second observer.
///
///     opening the bus → device → its properties → the connection before → opening the supplicant
///       → looking for profiles of the network
///       → (known) activating → joining → [updating → activating → joining] → finished
///       ↳ adding and activating ↗      ↳ saving → finished
///         ↳ [listing access points → reading access point]
///                                      ↳ deleting → [recovering] → returning → finished
///                                                                ↳ deactivating → finished
///
/// The attempt's profile is made `volatile`, so that it goes with its failure even where this program dies first. Where
/// the daemon is to remember the network, it is a copy of the profile that there was, which is not touched: once the
/// network is joined, the new password goes into the older profile, with its UUID and all its settings, and that is
/// activated in the place of the copy. Without an older one the attempt's is saved to disk.
///
/// A saved password cannot be copied, because no program may read it. One BSS is joined with it only over a profile
/// that is bound to that BSS.
///
/// NetworkManager, 1.42 as 1.58, reports a wrong SAE password as a network that was not found, so what the supplicant
/// says comes first. Where that says nothing, NetworkManager's list of access points distinguishes the two.
public struct NetworkManagerSession: JoinSession {
  /// What NetworkManager says of the device.
  struct Place {
    var device = DBusObjectPath.root
    var state: Int64 = 0
    /// The profile of the network that was joined before.
    var earlier: DBusObjectPath?
  }

  enum Phase: BusPhase {
    case idle, connecting, finished
    /// Asks for the device, the properties of NetworkManager and of the device, and the connection before.
    case device, manager, properties, earlier
    case openingSupplicant, attaching
    case listing
    case reading(Search, DBusObjectPath)
    /// A profile is of the network: asks for its flags.
    case flags(Search, of: ListedProfile)
    case trying(Attempt, Step)
    /// The attempt has failed.
    case undoing(Attempt, Undoing, JoinFailure)
  }

  /// How far an attempt has come.
  enum Step: Hashable {
    case activating, joining
    /// NetworkManager did not find the network: asks for its list of access points, then for each of them.
    case accessPoints
    case accessPoint(left: [DBusObjectPath])
    /// The network is joined: these older profiles get the password, and the first that was written takes the attempt's
    /// place.
    case updating([ListedProfile], written: DBusObjectPath?)
    /// The network is joined: saves the attempt's profile.
    case saving

    var isWriting: Bool {
      switch self {
      case .updating, .saving: true
      case .activating, .joining, .accessPoints, .accessPoint: false
      }
    }
  }

  /// What a failed attempt waits for.
  enum Undoing {
    /// The answer to the activation, with which the profile's path comes.
    case activating
    case deleting
    /// The supplicant is started again, which makes the device available.
    case recovering
    case returning
    case deactivating
  }

  private typealias State = NetworkManagerBus.DeviceState

  private let request: JoinRequest
  var bus: BusClient
  var phase = Phase.idle
  var started = Duration.zero
  private var place = Place()
  private var observer: SupplicantObserver
  private var hasObserver = false

  /// A conversation that begins with ``JoinInput/start``.
  public init(_ request: JoinRequest) {
    self.request = request
    bus = BusClient(NetworkManagerBus.rules, replyLimit: request.limits.reply)
    observer = SupplicantObserver(request)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [JoinAction] {
    switch (phase, input) {
    case (.idle, .start): return start(request.problem, now)
    // A phase may hold what must not be printed.
    case (.idle, _), (.finished, _): preconditionFailure("NetworkManagerSession: \(input) before the start or after the end")
    case (_, .opened(.bus)), (_, .refused(.bus, _)), (_, .closed(.bus)), (_, .received(.bus, _)), (_, .start): return take(input, now)
    case (.openingSupplicant, .opened):
      phase = .attaching
      return [.send(ControlPayload(ControlCommand.attach.encoded), secondChannel), bus.wait(for: .seconds(1), now)]
    // Without the supplicant's socket NetworkManager's reasons are used.
    case (.openingSupplicant, .refused), (.openingSupplicant, .closed), (.attaching, .refused), (.attaching, .closed):
      return look(now)
    case (_, .opened): return wait(now)
    case (_, .refused), (_, .closed):
      hasObserver = false
      if case .trying(var attempt, let step) = phase {
        attempt.isConfirmed = false
        phase = .trying(attempt, step)
      }
      return wait(now)
    case (_, .received(_, let bytes)): return heard(bytes, now)
    case (_, .abandoned): return abandon(now)
    case (.trying(_, let step), .cancelled) where step.isWriting: return wait(now)
    case (_, .cancelled): return fail(.cancelled, .certain, now)
    case (_, .timedOut): return now < deadline ? wait(now) : timedOut(now)
    }
  }

  private var deadline: Duration { if case .trying(let attempt, .joining) = phase { attempt.deadline } else { bus.deadline } }

  // MARK: Beginning

  /// What the properties of the device allow.
  private mutating func examine(_ properties: DBusValue?, _ now: Duration) -> [JoinAction] {
    guard let type = properties?["DeviceType"]?.integer else { return unexpected("GetAll", now) }
    guard type == 2 else { return fail(.noInterface, .certain, now) }
    place.state = properties?["State"]?.integer ?? 0
    if properties?["Managed"]?.truth == false || place.state == State.unmanaged { return fail(.notManaged, .certain, now) }
    if place.state == State.unavailable { return unavailable(properties?["StateReason"]?.elements?.last?.integer ?? 0, now) }
    if let active = properties?["ActiveConnection"]?.path, active != .root {
      return self.properties(.earlier, active, NetworkManagerBus.activeInterface, now)
    }
    return openSupplicant(now)
  }

  private mutating func openSupplicant(_ now: Duration) -> [JoinAction] {
    phase = .openingSupplicant
    return [.open(secondChannel), bus.wait(for: request.limits.reply, now)]
  }

  /// Whether the password is to be one that is saved.
  private var needsSaved: Bool { request.security.needsPassword && request.password == nil }

  /// Looks for profiles of the network.
  private mutating func look(_ now: Duration) -> [JoinAction] {
    // What is not to be remembered changes no profile and needs none.
    guard needsSaved || request.isKept else { return attempt(Search(), now) }
    return call(
      .listing, NetworkManagerBus.service, NetworkManagerBus.settingsPath, NetworkManagerBus.settingsInterface, "ListConnections", at: now)
  }

  private mutating func readNext(_ search: Search, _ now: Duration) -> [JoinAction] {
    var search = search
    guard !search.left.isEmpty else {
      guard needsSaved else { return attempt(search, now) }
      if let passing = search.passing { return activate(passing, isKept: false, now) }
      return fail(search.hasOtherBinding ? Self.unboundReason : .passwordMissing, .certain, now)
    }
    let path = search.left.removeFirst()
    return networkManager(.reading(search, path), "GetSettings", of: path, at: now)
  }

  private static let unboundReason = JoinFailure.Reason.notSupported(
    "one BSS of a network with the password that NetworkManager has saved",
    instead: "give the password, or leave the choice of the BSS to NetworkManager")

  /// Takes in a profile that was read.
  private mutating func read(_ path: DBusObjectPath, _ settings: DBusValue?, _ search: Search, _ now: Duration) -> [JoinAction] {
    guard let profile = settings.map({ NetworkManagerProfile($0) }) else { return readNext(search, now) }
    guard profile.isNamesake(of: request) || needsSaved && request.bssid == nil && profile.suits(request) else {
      var search = search
      search.hasOtherBinding = search.hasOtherBinding || profile.suits(request)
      return readNext(search, now)
    }
    let namesake = ListedProfile(path: path, profile: profile)
    return property(.flags(search, of: namesake), path, NetworkManagerBus.profileInterface, "Flags", now)
  }

  /// Activates a profile that is made for the attempt, or one that there is where no password can be wrong in it.
  private mutating func attempt(_ search: Search, _ now: Duration) -> [JoinAction] {
    let ranked = search.ranked
    let best = ranked.first
    if let best, request.password == nil, best.profile.isHidden || !request.isHidden { return activate(best.path, isKept: true, now) }
    let profile = best?.profile.attempt(request) ?? NetworkManagerProfile(for: request)
    var attempt = Attempt(.added, hasLeft: hadNetwork, isKept: false, until: now + request.limits.join)
    attempt.namesakes = ranked
    return [.progress(JoinProgress(.searching))]
      + networkManager(
        .trying(attempt, .activating), "AddAndActivateConnection2",
        [profile.settings, .objectPath(place.device), .objectPath(.root), .properties(["persist": "volatile"])],
        isSecret: request.password != nil, at: now)
  }

  /// Activates a profile that there is.
  private mutating func activate(_ profile: DBusObjectPath, isKept: Bool, _ now: Duration) -> [JoinAction] {
    let hasLeft = hadNetwork && place.earlier != profile
    let attempt = Attempt(.known, hasLeft: hasLeft, isKept: isKept, until: now + request.limits.join)
    return [.progress(JoinProgress(.searching))] + activate(profile, .trying(attempt, .activating), now)
  }

  private mutating func activate(_ profile: DBusObjectPath, _ next: Phase, _ now: Duration) -> [JoinAction] {
    networkManager(
      next, "ActivateConnection", [.objectPath(profile), .objectPath(place.device), .objectPath(.root)], at: now)
  }

  // MARK: Joining

  /// The device is in another state.
  private mutating func device(
    _ state: Int64, _ reason: Int64, _ attempt: Attempt, _ step: Step, _ now: Duration
  ) -> [JoinAction] {
    var attempt = attempt
    if state == State.unavailable, reason == NetworkManagerBus.DeviceReason.supplicantFailed {
      place.state = state
      return unavailable(reason, now)
    }
    // What comes before the first step of the attempt is the end of the connection before.
    if state == State.prepare, !step.isWriting { attempt.hasPrepared = true }
    guard attempt.hasPrepared, !step.isWriting else { return afterJoin(state, reason, attempt, step, now) }
    (place.state, attempt.deviceReason) = (state, reason)
    var actions: [JoinAction] = []
    if state == State.ipConfig {
      if attempt.kind != .replacing { attempt.deadline = now + request.limits.address }
      actions = attempt.report(JoinProgress(.address, bssid: attempt.bssid))
    } else if state == State.config, !hasObserver {
      actions = attempt.report(JoinProgress(.authenticating))
    }
    phase = .trying(attempt, step)
    switch state {
    case State.needAuth where reason != 0:
      // The secrets were given, so being asked again means that they did not do.
      note(Self.line(state, reason), now)
      return conclude((.wrongPassword, .likely), attempt, step, now)
    case State.unavailable: return unavailable(reason, now)
    case State.failed, State.unmanaged:
      note(Self.line(state, reason), now)
      return conclude(Self.meaning(of: reason, request.security), attempt, step, now)
    case State.activated where step == .joining: return succeed(attempt, now)
    default: return actions
    }
  }

  /// The device is in a state that follows a join, which the older profile's activation may still make up for.
  private mutating func afterJoin(
    _ state: Int64, _ reason: Int64, _ attempt: Attempt, _ step: Step, _ now: Duration
  ) -> [JoinAction] {
    var attempt = attempt
    // The link of the attempt makes room for the older profile's activation.
    let isOwn = attempt.kind == .replacing && reason == NetworkManagerBus.DeviceReason.newActivation
    guard step.isWriting || attempt.kind == .replacing, attempt.lostJoin == nil, state != State.activated, !isOwn else { return [] }
    note(Self.line(state, reason), now)
    let mapped = Self.meaning(of: reason, request.security).reason
    let loss: JoinFailure.Reason = state == State.unavailable ? .interfaceDown : .linkLost
    attempt.lostJoin = [.superseded, .notManaged, .noInterface].contains(mapped) ? mapped : loss
    phase = .trying(attempt, step)
    // What another program asked for is left alone, and the attempt's profile goes with its link.
    return step == .saving || step.isWriting && mapped == .superseded ? finish(attempt, now) : []
  }

  /// The device cannot be used any more.
  private mutating func unavailable(_ reason: Int64, _ now: Duration) -> [JoinAction] {
    // The reason is “none” where a switch is off.
    note(Self.line(State.unavailable, reason), now)
    return fail(reason == NetworkManagerBus.DeviceReason.supplicantFailed ? .supplicantLost : .interfaceDown, .certain, now)
  }

  private mutating func note(_ line: String, by author: JoinEvidence.Observer = .networkManager, _ now: Duration) {
    observer.note(JoinEvidence(author, at: now, line))
  }

  /// The connection of the attempt is in another state (`NMActiveConnectionState`).
  private mutating func connection(_ state: Int64, _ reason: Int64, _ attempt: Attempt, _ now: Duration) -> [JoinAction] {
    switch state {
    case 2: return succeed(attempt, now)
    case 4:
      note("connection state 4, reason \(reason)", now)
      let deviceReason = attempt.deviceReason == 0 ? NetworkManagerBus.DeviceReason.newActivation : attempt.deviceReason
      return conclude(Self.meaning(of: deviceReason, request.security), attempt, .joining, now)
    default: return []
    }
  }

  /// A reason of NetworkManager, unless the supplicant knows a better one.
  private mutating func conclude(
    _ verdict: (reason: JoinFailure.Reason, certainty: Certainty), _ attempt: Attempt, _ step: Step, _ now: Duration
  ) -> [JoinAction] {
    let (reason, certainty) = verdict
    if let lost = attempt.lostAssociation, reason == .noAddress || !reason.isKnownToNetworkManagerAlone { return fail(lost, .certain, now) }
    if hasObserver, !reason.isKnownToNetworkManagerAlone, observer.hasHeard || observer.step != .searching {
      let (reason, sure) = observer.verdict
      if reason != .timedOut(observer.step) { return fail(reason, sure, now) }
      // NetworkManager calls every attempt that does not end a missing network or a missing secret. The supplicant,
      // which reports every refusal, saw one that was not answered.
      if observer.step != .searching { return fail(reason, .likely, now) }
    }
    if attempt.deviceReason == NetworkManagerBus.DeviceReason.ssidNotFound, reason == .wrongPassword, step == .joining {
      return properties(.trying(attempt, .accessPoints), place.device, NetworkManagerBus.wirelessInterface, now)
    }
    return fail(reason, certainty, now)
  }

  /// Reads the next access point of NetworkManager's list; all of it must be read in the time of one answer.
  private mutating func readNext(_ left: [DBusObjectPath], _ attempt: Attempt, _ now: Duration) -> [JoinAction] {
    guard let next = left.first else { return failUnfound(isThere: false, now) }
    let limit = bus.deadline - now
    return properties(
      .trying(attempt, .accessPoint(left: Array(left.dropFirst()))), next, NetworkManagerBus.accessPointInterface, now)
      + [bus.wait(for: limit, now)]
  }

  /// Ends a join of which NetworkManager says that the network was not found, which it says of a wrong SAE password,
  /// too.
  ///
  /// - Parameter isThere: whether an access point of the name is in its list; `nil` where that could not be read.
  private mutating func failUnfound(isThere: Bool?, _ now: Duration) -> [JoinAction] {
    if let isThere { note("\(isThere ? "an" : "no") access point of this name is in the list", now) }
    return fail(isThere == false ? .outOfRange : .wrongPassword, .likely, now)
  }

  /// Something came over the supplicant's socket.
  private mutating func heard(_ bytes: [UInt8], _ now: Duration) -> [JoinAction] {
    switch (phase, ControlMessage(bytes)) {
    case (.attaching, .reply(let reply)):
      hasObserver = reply == .ok
      return look(now)
    case (.trying(let attempt, let step), .event(let event)) where hasObserver && (step == .activating || step == .joining):
      return heard(event, attempt, step, now)
    default: return wait(now)
    }
  }

  private mutating func heard(_ event: ControlEvent, _ attempt: Attempt, _ step: Step, _ now: Duration) -> [JoinAction] {
    var attempt = attempt
    var actions: [JoinAction] = []
    if attempt.isConfirmed {
      switch event.kind {
      case .disconnected(_, let reason, let isLocal):
        note(event.line, by: .supplicant, now)
        attempt.lostAssociation = isLocal ? .lost(.address) : .dismissed(.address, reason: reason)
      case .connected(let address, _): (attempt.bssid, attempt.lostAssociation) = (address, nil)
      default: break
      }
    } else {
      switch observer.event(event, networkID: nil, at: now) {
      case .progress(let progress):
        attempt.bssid = progress.bssid ?? attempt.bssid
        actions = attempt.report(progress)
      case .connected(let address, _) where attempt.hasPrepared:
        (attempt.bssid, attempt.isConfirmed) = (address, true)
        actions = attempt.report(JoinProgress(.address, bssid: address))
      case .failed(let reason, let certainty) where reason != .daemonLost && reason != .superseded:
        return fail(reason, certainty, now)
      case .none, .otherNetwork, .connected, .failed: break
      }
    }
    phase = .trying(attempt, step)
    return actions + wait(now)
  }

  private mutating func succeed(_ attempt: Attempt, _ now: Duration) -> [JoinAction] {
    var attempt = attempt
    attempt.lostJoin = nil
    guard attempt.kind != .replacing, attempt.own != nil, request.isKept else { return finish(attempt, now) }
    return update(attempt.namesakes, written: nil, attempt, now)
  }

  /// Gives the older profiles the password that has proved right, one after the other; without any, keeps the
  /// attempt's.
  ///
  /// All of them get it: whichever NetworkManager takes the next time, it is the right one.
  private mutating func update(
    _ left: [ListedProfile], written: DBusObjectPath?, _ attempt: Attempt, _ now: Duration
  ) -> [JoinAction] {
    if let next = left.first {
      var profile = next.profile
      profile.adapt(to: request)
      return write(
        profile.settings, to: next.path, isSecret: request.password != nil, .trying(attempt, .updating(left, written: written)), now)
    }
    if let written { return replace(by: written, attempt, now) }
    guard let own = attempt.own, attempt.lostJoin == nil else { return finish(attempt, now) }
    // An empty profile keeps what is there.
    let empty = DBusValue.array(.dictionaryEntry(.string, .array(.dictionaryEntry(.string, .variant))), [])
    return write(empty, to: own, .trying(attempt, .saving), now)
  }

  private mutating func write(
    _ settings: DBusValue, to profile: DBusObjectPath, isSecret: Bool = false, _ next: Phase, _ now: Duration
  ) -> [JoinAction] {
    networkManager(
      next, "Update2", of: profile, [settings, NetworkManagerProfile.UpdateFlag.toDisk, .properties([:])], isSecret: isSecret, at: now)
  }

  /// Activates the older profile in the place of the attempt's, which is volatile and goes with its connection.
  private mutating func replace(by profile: DBusObjectPath, _ attempt: Attempt, _ now: Duration) -> [JoinAction] {
    var attempt = attempt
    attempt.replace(until: now + request.limits.address)
    place.state = 0
    observer = SupplicantObserver(request)
    return activate(profile, .trying(attempt, .activating), now)
  }

  /// Ends with what the join has come to: the network, or how it was lost since.
  private mutating func finish(_ attempt: Attempt, _ now: Duration) -> [JoinAction] {
    if let lost = attempt.lostJoin { return fail(lost, .certain, now) }
    let savingFailure = attempt.isKept ? nil : attempt.savingFailure
    return end(.success(.init(bssid: attempt.bssid, isKept: attempt.isKept, savingFailure: savingFailure)), now)
  }

  // MARK: The end

  private mutating func timedOut(_ now: Duration) -> [JoinAction] {
    switch phase {
    case .openingSupplicant, .attaching: return look(now)
    case .trying(let attempt, .joining):
      note("not joined within \((now - started).wholeMilliseconds) ms", by: .clock, now)
      if place.state >= State.ipConfig || attempt.isConfirmed { return fail(attempt.lostAssociation ?? .noAddress, .certain, now) }
      let (reason, certainty) = hasObserver ? observer.verdict : (.timedOut(.authenticating), .likely)
      return fail(reason, certainty, now)
    case .trying(_, .accessPoints), .trying(_, .accessPoint): return failUnfound(isThere: nil, now)
    case .trying(var attempt, .updating), .trying(var attempt, .saving):
      attempt.savingFailure = .daemonSilent
      return finish(attempt, now)
    case .trying(_, .activating):
      let limit = request.limits.reply.wholeMilliseconds
      note("no answer to the activation within \(limit) ms; it may still be done", by: .clock, now)
      return gone(.daemonSilent, now)
    case .undoing(let attempt, .deleting, let failure): return goBack(attempt, Self.staying(failure, "no answer to Delete", now), now)
    case .undoing(let attempt, .recovering, let failure): return goBack(attempt, failure, isLast: true, now)
    default: return gone(.daemonSilent, now)
    }
  }

  private mutating func unexpected(_ member: String, _ now: Duration) -> [JoinAction] {
    fail(.daemonRefused("\(member) gave an unexpected answer"), .certain, now)
  }

  private mutating func fail(_ reason: JoinFailure.Reason, _ certainty: Certainty, _ now: Duration) -> [JoinAction] {
    let failure = JoinFailure(reason, certainty, evidence: observer.evidence)
    switch phase {
    case .trying(let attempt, .activating) where bus.isAsking:
      phase = .undoing(attempt, .activating, failure)
      return wait(now)
    case .trying(let attempt, _): return clean(attempt, failure, now)
    case .undoing: return wait(now)
    default: return end(.failure(failure), now)
    }
  }

  private mutating func clean(_ attempt: Attempt, _ failure: JoinFailure, _ now: Duration) -> [JoinAction] {
    guard let own = attempt.own else { return goBack(attempt, failure, now) }
    return networkManager(.undoing(attempt, .deleting, failure), "Delete", of: own, at: now)
  }

  /// A failure whose attempt's profile could not be deleted; it goes with its connection.
  private static func staying(_ failure: JoinFailure, _ why: String, _ now: Duration) -> JoinFailure {
    var failure = failure
    failure.evidence.append(JoinEvidence(.networkManager, at: now, "the profile of the attempt may stay until it is left: \(why)"))
    return failure
  }

  /// Asks for the network that was joined before.
  ///
  /// - Parameter isLast: whether the device was waited for long enough.
  private mutating func goBack(_ attempt: Attempt, _ failure: JoinFailure, isLast: Bool = false, _ now: Duration) -> [JoinAction] {
    guard let earlier = earlier(attempt, failure) else { return deactivate(attempt, failure, now) }
    // A supplicant that is started again makes the device available, which takes a moment.
    if failure.reason == .supplicantLost, place.state < State.disconnected, !isLast {
      phase = .undoing(attempt, .recovering, failure)
      return [bus.wait(for: request.limits.reply, now)]
    }
    return activate(earlier, .undoing(attempt, .returning, failure), now)
  }

  /// The profile of the network to return to.
  private func earlier(_ attempt: Attempt, _ failure: JoinFailure) -> DBusObjectPath? {
    attempt.hasLeft && failure.reason != .superseded ? place.earlier : nil
  }

  /// Ends the connection that a cancelled join leaves behind, where it leaves one.
  ///
  /// From then on NetworkManager does not join that profile by itself until it is asked to; `Disconnect` of the device
  /// would keep it from joining any.
  private mutating func deactivate(_ attempt: Attempt, _ failure: JoinFailure, _ now: Duration) -> [JoinAction] {
    guard let remaining = remaining(attempt, failure) else { return end(.failure(failure), now) }
    return networkManager(
      .undoing(attempt, .deactivating, failure), "DeactivateConnection", [.objectPath(remaining)], at: now)
  }

  /// The connection of an older profile that goes on after a cancelled join: one that the attempt made goes with its
  /// profile, and one in whose place another is activated goes by that.
  private func remaining(_ attempt: Attempt, _ failure: JoinFailure) -> DBusObjectPath? {
    guard failure.reason == .cancelled, attempt.kind != .added else { return nil }
    return attempt.hasLeft || !hadNetwork ? attempt.connection : nil
  }

  /// The caller cannot wait any more: sends what is left to do without looking for answers.
  private mutating func abandon(_ now: Duration) -> [JoinAction] {
    switch phase {
    case .trying(let attempt, .saving): return finish(attempt, now)
    case .trying(let attempt, _):
      phase = .undoing(attempt, .activating, JoinFailure(.cancelled, evidence: observer.evidence))
      return abandon(now)
    case .undoing(let attempt, let undoing, let failure) where undoing != .returning:
      var actions: [JoinAction] = []
      if let own = attempt.own, undoing != .deleting { actions += networkManager(phase, "Delete", of: own, at: now) }
      if let earlier = earlier(attempt, failure) {
        actions += activate(earlier, phase, now)
      } else if let remaining = remaining(attempt, failure), undoing != .deactivating {
        actions += networkManager(phase, "DeactivateConnection", [.objectPath(remaining)], at: now)
      }
      return actions.filter(\.isSend) + gone(.cancelled, now)
    default: return gone(.cancelled, now)
    }
  }
}

extension NetworkManagerSession: BusJoinSession {
  var secondChannel: ControlChannel { .supplicant(interface: request.interface) }
  var hadNetwork: Bool { place.earlier != nil }
  var hasLeft: Bool {
    switch phase {
    case .trying(let attempt, _), .undoing(let attempt, _, _): attempt.hasLeft
    default: false
    }
  }

  func wait(_ now: Duration) -> [JoinAction] { [.wait(until: deadline)] }

  mutating func begin(_ now: Duration) -> [JoinAction] {
    networkManager(.device, "GetDeviceByIpIface", [.string(request.interface)], at: now)
  }

  mutating func answered(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    let first = message.body.first
    switch phase {
    case .device:
      guard let path = first?.path else { return unexpected("GetDeviceByIpIface", now) }
      place.device = path
      return properties(.manager, NetworkManagerBus.path, NetworkManagerBus.service, now)
    case .manager:
      if first?["WirelessEnabled"]?.truth == false || first?["WirelessHardwareEnabled"]?.truth == false {
        return fail(.interfaceDown, .certain, now)
      }
      return properties(.properties, place.device, NetworkManagerBus.deviceInterface, now)
    case .properties: return examine(first, now)
    case .earlier:
      // A connection that is on its way out is none to return to.
      if first?["State"]?.integer == 2 { place.earlier = first?["Connection"]?.path }
      return openSupplicant(now)
    case .listing: return readNext(Search(left: first?.elements?.compactMap(\.path) ?? []), now)
    case .reading(let search, let path): return read(path, first, search, now)
    case .flags(var search, let namesake):
      switch (needsSaved, NetworkManagerProfile.isPassing(first)) {
      case (true, false): return activate(namesake.path, isKept: true, now)
      case (true, true): search.passing = search.passing ?? namesake.path
      case (false, false): search.namesakes.append(namesake)
      case (false, true): break
      }
      return readNext(search, now)
    case .trying(var attempt, let step): return answered(message.body, &attempt, step, now)
    case .undoing(var attempt, .activating, let failure):
      _ = attempt.activated(message.body)
      return clean(attempt, failure, now)
    case .undoing(let attempt, .deleting, let failure): return goBack(attempt, failure, now)
    case .undoing(_, .returning, let failure): return end(.failure(failure), isReturning: true, now)
    case .undoing(_, .deactivating, let failure): return end(.failure(failure), now)
    case .idle, .connecting, .openingSupplicant, .attaching, .undoing(_, .recovering, _), .finished: return []
    }
  }

  private mutating func answered(_ body: [DBusValue], _ attempt: inout Attempt, _ step: Step, _ now: Duration) -> [JoinAction] {
    switch step {
    case .activating:
      guard attempt.activated(body) else { return unexpected("ActivateConnection", now) }
      phase = .trying(attempt, .joining)
      // The device may have come to its end before the answer did.
      return attempt.hasPrepared && place.state == State.activated ? succeed(attempt, now) : []
    case .joining: return []
    case .accessPoints:
      guard let paths = body.first?["AccessPoints"]?.elements else { return failUnfound(isThere: nil, now) }
      return readNext(paths.compactMap(\.path), attempt, now)
    case .accessPoint(let left):
      return body.first?["Ssid"]?.bytes == request.ssid.bytes ? failUnfound(isThere: true, now) : readNext(left, attempt, now)
    case .updating(let left, let written):
      attempt.isKept = true
      return update(Array(left.dropFirst()), written: written ?? left.first?.path, attempt, now)
    case .saving:
      attempt.isKept = true
      return finish(attempt, now)
    }
  }

  mutating func refused(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    switch phase {
    case .earlier: return openSupplicant(now)
    case .listing where !needsSaved: return attempt(Search(), now)
    case .reading(let search, _): return readNext(search, now)
    case .flags(let search, let namesake):
      return needsSaved ? activate(namesake.path, isKept: search.passing == nil, now) : readNext(search, now)
    case .trying(_, .accessPoints): return failUnfound(isThere: nil, now)
    // One that is gone since was not read, and is none of the network any more.
    case .trying(let attempt, .accessPoint(let left)): return readNext(left, attempt, now)
    case .trying(var attempt, .updating(let left, let written)):
      // One that may not be changed stays as it is.
      attempt.savingFailure = BusError.reason(message)
      return update(Array(left.dropFirst()), written: written, attempt, now)
    case .trying(var attempt, .saving):
      attempt.savingFailure = BusError.reason(message)
      return finish(attempt, now)
    case .trying(let attempt, .activating) where attempt.kind == .replacing:
      // The link stands, over the attempt's profile, and the older one has the password for the next time.
      return finish(attempt, now)
    case .undoing(let attempt, .activating, let failure): return clean(attempt, failure, now)
    case .undoing(let attempt, .deleting, let failure):
      // A volatile profile goes with its connection, and may be gone before it is deleted.
      return goBack(attempt, message.isOfNoObject ? failure : Self.staying(failure, BusError.line(message), now), now)
    case .undoing(_, .recovering, _): return []
    case .undoing(let attempt, .returning, let failure): return deactivate(attempt, failure, now)
    case .undoing(_, .deactivating, let failure): return end(.failure(failure), now)
    default:
      note(BusError.line(message), now)
      return fail(message.errorName == NetworkManagerBus.unknownDevice ? .noInterface : BusError.reason(message), .certain, now)
    }
  }

  mutating func signal(_ message: DBusMessage, _ now: Duration) -> [JoinAction] {
    if message.isLoss(of: NetworkManagerBus.service) { return gone(.daemonLost, now) }
    guard message.member == "StateChanged", let path = message.path else { return [] }
    let numbers = message.body.compactMap(\.integer)
    let isDevice = message.interface == NetworkManagerBus.deviceInterface && path == place.device && numbers.count == 3
    switch phase {
    case .trying(_, .accessPoints), .trying(_, .accessPoint): return []
    case .trying(let attempt, let step) where isDevice: return device(numbers[0], numbers[2], attempt, step, now)
    case .trying(let attempt, .joining)
    where message.interface == NetworkManagerBus.activeInterface && path == attempt.connection && numbers.count == 2:
      return connection(numbers[0], numbers[1], attempt, now)
    case .undoing(let attempt, let undoing, let failure) where isDevice:
      place.state = numbers[0]
      return undoing == .recovering && place.state >= State.disconnected ? goBack(attempt, failure, now) : []
    default: return []
    }
  }

  /// It serves no calls and answers none.
  mutating func called(_ message: DBusMessage, _ now: Duration) -> [JoinAction] { [] }

  mutating func gone(_ reason: JoinFailure.Reason, _ now: Duration) -> [JoinAction] {
    if case .undoing(_, _, let failure) = phase { return end(.failure(failure), now) }
    return end(.failure(JoinFailure(reason, evidence: observer.evidence)), now)
  }
}
