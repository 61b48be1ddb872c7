import DaemonProtocols
public import WiFi

/// Lists and changes the wireless profiles of NetworkManager.
///
///     opening → hello → profiles → settings and flags of each → active connections ⟶ [changing → profiles → …] → finished
///
/// A profile is changed as a whole: what `GetSettings` gave goes back with the changed fields. It holds no secrets, and NetworkManager keeps those that it has
/// where none come back (measured with 1.42). A copy would need the password to be read, which is not done: a secured network is copied with a new one.
public struct NetworkManagerKnownNetworksSession: KnownNetworksSession {
  private enum Step: Hashable {
    case idle, opening, hello, listing, settings, flags, manager, active, changing, finished
  }

  private struct Entry: Hashable, Sendable {
    var path: DBusObjectPath
    var profile: NetworkManagerProfile
  }

  private enum UpdateFlag {
    /// Keeps the profile where it is kept, on disk or in memory (measured with 1.42).
    static let keep: UInt32 = 0
    static let toDisk: UInt32 = 1
  }

  private let request: KnownNetworkRequest
  private let interface: String
  private var exchange: BusExchange
  private var step = Step.idle
  private var paths: [DBusObjectPath] = []
  private var entries: [Entry] = []
  private var current: Entry?
  private var activePaths: [DBusObjectPath] = []
  private var joinedPaths: [DBusObjectPath] = []
  private var changedID: KnownNetwork.ID?
  /// The profile that the request made or changed.
  private var changedPath: DBusObjectPath?
  private var hasChanged = false

  /// A conversation that begins with ``JoinInput/start``.
  public init(_ request: KnownNetworkRequest, interface: String, replyLimit: Duration = .seconds(5)) {
    self.request = request
    self.interface = interface
    exchange = BusExchange(replyLimit: replyLimit, limit: KnownNetworksLimit.time)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [ControlAction<KnownNetworksOutcome>] {
    switch (step, input) {
    case (.idle, .start):
      if let problem = request.problem(for: .networkManager) { return finish(.failure(problem)) }
      step = .opening
      return exchange.open(now)
    case (.idle, _), (.finished, _): preconditionFailure("NetworkManagerKnownNetworksSession: \(input) in step \(step)")
    case (_, .start): preconditionFailure("NetworkManagerKnownNetworksSession: start in step \(step)")
    case (.opening, .opened):
      step = .hello
      return exchange.hello(now)
    case (_, .opened): return wait
    case (_, .refused(_, let error)):
      return finish(.failure(step == .opening ? KnownNetworkError(error.joinReason) : .daemonLost))
    case (_, .closed): return finish(.failure(.daemonLost))
    // A change is one call; once it is sent its answer decides.
    case (.changing, .cancelled): return wait
    case (_, .cancelled): return hasChanged ? wait : finish(.failure(.cancelled))
    case (_, .abandoned): return finish(.failure(.cancelled))
    case (_, .timedOut): return now < exchange.deadline ? wait : finish(.failure(.daemonSilent))
    case (_, .received(_, let bytes)):
      let (replies, events) = exchange.receive(bytes)
      var actions: [KnownNetworksAction] = replies.map { .send(ControlPayload($0), .bus) }
      for event in events where step != .finished {
        switch event {
        case .signal: break
        case .ready: actions += list(now)
        case .answer(let message): actions += message.kind == .error ? refused(message, now) : answered(message, now)
        case .failed(let reason): actions += finish(.failure(KnownNetworkError(reason)))
        }
      }
      return step == .finished ? actions : actions + wait
    }
  }

  private var wait: [KnownNetworksAction] { [.wait(until: exchange.deadline)] }

  private mutating func call(
    _ next: Step, _ path: DBusObjectPath, _ interface: String, _ member: String, _ body: [DBusValue] = [], isSecret: Bool = false,
    at now: Duration
  ) -> [KnownNetworksAction] {
    step = next
    return exchange.call(NetworkManagerBus.service, path, interface, member, body, isSecret: isSecret, at: now)
  }

  // MARK: Listing

  private mutating func list(_ now: Duration) -> [KnownNetworksAction] {
    entries = []
    joinedPaths = []
    return call(.listing, NetworkManagerBus.settingsPath, NetworkManagerBus.settingsInterface, "ListConnections", at: now)
  }

  private mutating func answered(_ message: DBusMessage, _ now: Duration) -> [KnownNetworksAction] {
    let first = message.body.first
    switch step {
    case .idle, .opening, .hello, .finished: return []
    case .listing:
      guard let listed = first?.elements else { return unexpected("ListConnections") }
      paths = listed.compactMap(\.path)
      guard paths.count <= KnownNetworksLimit.networks else { return finish(.failure(KnownNetworksLimit.tooMany)) }
      return nextProfile(now)
    case .settings:
      guard let first, let path = paths.first else { return unexpected("GetSettings") }
      let entry = Entry(path: path, profile: NetworkManagerProfile(first))
      guard entry.profile.isWireless, entry.profile.interface.map({ $0 == interface || interface.isEmpty }) ?? true else {
        paths.removeFirst()
        return nextProfile(now)
      }
      current = entry
      return call(
        .flags, path, SystemBus.propertiesInterface, "Get",
        [.string(NetworkManagerBus.profileInterface), "Flags"], at: now)
    case .flags:
      // What NetworkManager or another program made for a connection of its own goes by itself.
      if let current, (first?.integer ?? 0) & NetworkManagerProfile.Flag.passing == 0 { entries.append(current) }
      paths.removeFirst()
      return nextProfile(now)
    case .manager:
      activePaths = first?.elements?.compactMap(\.path) ?? []
      return nextActive(now)
    case .active:
      // Activated (`NMActiveConnectionState`).
      if first?["State"]?.integer == 2, let profile = first?["Connection"]?.path { joinedPaths.append(profile) }
      activePaths.removeFirst()
      return nextActive(now)
    case .changing:
      hasChanged = true
      if let path = first?.path { changedPath = path }
      return list(now)
    }
  }

  private mutating func nextProfile(_ now: Duration) -> [KnownNetworksAction] {
    guard let path = paths.first else {
      return call(
        .manager, NetworkManagerBus.path, SystemBus.propertiesInterface, "Get",
        [.string(NetworkManagerBus.service), "ActiveConnections"], at: now)
    }
    return call(.settings, path, NetworkManagerBus.profileInterface, "GetSettings", at: now)
  }

  private mutating func nextActive(_ now: Duration) -> [KnownNetworksAction] {
    guard let path = activePaths.first else { return known(now) }
    return call(
      .active, path, SystemBus.propertiesInterface, "GetAll", [.string(NetworkManagerBus.activeInterface)], at: now)
  }

  // MARK: Changing

  /// All is read: the answer, or the change.
  private mutating func known(_ now: Duration) -> [KnownNetworksAction] {
    let listed = entries.compactMap { entry in
      entry.profile.network(isJoined: joinedPaths.contains(entry.path)).map { (entry, $0) }
    }
    let networks = listed.map(\.1)
    if hasChanged {
      let changed = changedID ?? listed.first { $0.0.path == changedPath }?.1.id
      return finish(.success(KnownNetworkAnswer(networks: networks, changed: changed)))
    }
    func find(_ id: KnownNetwork.ID) -> (Entry, KnownNetwork)? { listed.first { $0.1.id == id } }
    switch request {
    case .list: return finish(.success(KnownNetworkAnswer(networks: networks)))
    case .add(let draft):
      var profile = NetworkManagerProfile(ssid: draft.ssid, security: draft.security, password: draft.password)
      profile.apply(KnownNetworkEdit(priority: draft.priority, joinsAutomatically: draft.joinsAutomatically, isHidden: draft.isHidden))
      return add(profile, isSecret: draft.password != nil, now)
    case .edit(let id, let edit):
      guard let (entry, network) = find(id) else { return finish(.failure(.unknownNetwork(id.ssid))) }
      if let problem = edit.problem(with: network) { return finish(.failure(problem)) }
      guard !edit.isEmpty else { return finish(.success(KnownNetworkAnswer(networks: networks, changed: id))) }
      var profile = entry.profile
      profile.apply(edit)
      changedPath = entry.path
      return call(
        .changing, entry.path, NetworkManagerBus.profileInterface, "Update2",
        [profile.settings, .uint32(UpdateFlag.keep), .properties([:])], isSecret: edit.password != nil, at: now)
    case .duplicate(let id, let edit):
      guard let (entry, network) = find(id) else { return finish(.failure(.unknownNetwork(id.ssid))) }
      if let problem = edit.problem(with: network) { return finish(.failure(problem)) }
      let security = edit.security ?? network.security
      if security == .enterprise || security == .wep { return finish(.failure(.notSupported(security))) }
      if security.needsPassword, edit.password == nil { return finish(.failure(.passwordMissing)) }
      return add(entry.profile.copy(edit), isSecret: edit.password != nil, now)
    case .forget(let id):
      guard let (entry, _) = find(id) else { return finish(.failure(.unknownNetwork(id.ssid))) }
      changedID = id
      return call(.changing, entry.path, NetworkManagerBus.profileInterface, "Delete", at: now)
    }
  }

  private mutating func add(_ profile: NetworkManagerProfile, isSecret: Bool, _ now: Duration) -> [KnownNetworksAction] {
    call(
      .changing, NetworkManagerBus.settingsPath, NetworkManagerBus.settingsInterface, "AddConnection2",
      [profile.settings, .uint32(UpdateFlag.toDisk), .properties([:])], isSecret: isSecret, at: now)
  }

  // MARK: The end

  private mutating func refused(_ message: DBusMessage, _ now: Duration) -> [KnownNetworksAction] {
    switch step {
    // A profile or a connection that went while the list was read is none of it.
    case .settings, .flags:
      guard Self.isGone(message) || BusError.reason(message) == .noPermission else { break }
      paths.removeFirst()
      return nextProfile(now)
    case .active:
      guard Self.isGone(message) else { break }
      activePaths.removeFirst()
      return nextActive(now)
    case .changing:
      if Self.isGone(message), let ssid = request.subject?.ssid { return finish(.failure(.unknownNetwork(ssid))) }
    default: break
    }
    return finish(.failure(KnownNetworkError(BusError.reason(message))))
  }

  /// Whether there is no such object any more.
  private static func isGone(_ message: DBusMessage) -> Bool {
    [SystemBus.ErrorName.unknownMethod, SystemBus.ErrorName.unknownObject].contains(message.errorName)
  }

  private mutating func unexpected(_ member: String) -> [KnownNetworksAction] {
    finish(.failure(.refused("\(member) gave an unexpected answer")))
  }

  private mutating func finish(_ outcome: KnownNetworksOutcome) -> [KnownNetworksAction] {
    let wasOpen = step != .idle
    step = .finished
    return (wasOpen ? [.close(.bus)] : []) + [.finish(outcome)]
  }
}

extension KnownNetworkRequest {
  /// The profile that it is about.
  var subject: KnownNetwork.ID? {
    switch self {
    case .list, .add: nil
    case .edit(let id, _), .duplicate(let id, _), .forget(let id): id
    }
  }
}
