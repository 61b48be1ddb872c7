import DaemonProtocols
public import WiFi

/// Lists and changes the wireless profiles of NetworkManager.
///
///     opening → hello → profiles → settings and flags of each → active connections
///       ⟶ [changing → profiles → …] → finished
///
/// A profile is changed as a whole: what `GetSettings` gave goes back with the changed fields. It holds no secrets, and
/// NetworkManager keeps those that it has where none come back (measured with 1.42). A copy would need the password to
/// be read, which is not done: a secured network is copied with a new one.
public struct NetworkManagerKnownNetworksSession: KnownNetworksSession {
  /// What the request has changed.
  enum Change: Hashable {
    case profile(DBusObjectPath)
    /// A profile whose path comes with the answer.
    case added
    case forgotten(KnownNetwork.ID)
  }

  /// What is known while the profiles are listed, and what is still to be read.
  struct Listing: Hashable {
    /// `nil` before the change, where one is asked for.
    var change: Change?
    var left: [DBusObjectPath] = []
    var entries: [ListedProfile] = []
    var joined: [DBusObjectPath] = []
  }

  enum Phase: BusPhase {
    case idle, connecting, finished
    case listing(Listing)
    case settings(Listing)
    case flags(Listing, of: ListedProfile)
    case manager(Listing)
    case active(Listing)
    case changing(Change)
  }

  private let request: KnownNetworkRequest
  private let interface: String
  var bus: BusClient
  var phase = Phase.idle

  /// A conversation that begins with ``JoinInput/start``.
  public init(_ request: KnownNetworkRequest, interface: String, replyLimit: Duration = .seconds(5)) {
    self.request = request
    self.interface = interface
    bus = BusClient(replyLimit: replyLimit, limit: KnownNetworksLimit.time)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [ControlAction<KnownNetworksOutcome>] {
    switch (phase, input) {
    case (.idle, .start):
      if let problem = request.problem(for: .networkManager) { return finish(.failure(problem)) }
      return open(now)
    case (.idle, _), (.finished, _): preconditionFailure("NetworkManagerKnownNetworksSession: \(input) in phase \(phase)")
    // A change is one call; once it is sent its answer decides.
    case (.changing, .cancelled): return wait(now)
    case (.listing(let listing), .cancelled), (.settings(let listing), .cancelled), (.flags(let listing, _), .cancelled),
      (.manager(let listing), .cancelled), (.active(let listing), .cancelled):
      return listing.change == nil ? take(input, now) : wait(now)
    default: return take(input, now)
    }
  }

  // MARK: Listing

  private mutating func list(_ change: Change?, _ now: Duration) -> [KnownNetworksAction] {
    call(
      .listing(Listing(change: change)), NetworkManagerBus.service, NetworkManagerBus.settingsPath, NetworkManagerBus.settingsInterface,
      "ListConnections", at: now)
  }

  private mutating func nextProfile(_ listing: Listing, _ now: Duration) -> [KnownNetworksAction] {
    guard let path = listing.left.first else {
      return property(.manager(listing), NetworkManagerBus.path, NetworkManagerBus.service, "ActiveConnections", now)
    }
    return networkManager(.settings(listing), "GetSettings", of: path, at: now)
  }

  private mutating func nextActive(_ listing: Listing, _ now: Duration) -> [KnownNetworksAction] {
    guard let path = listing.left.first else { return known(listing, now) }
    return properties(.active(listing), path, NetworkManagerBus.activeInterface, now)
  }

  // MARK: Changing

  /// All is read: the answer, or the change.
  private mutating func known(_ listing: Listing, _ now: Duration) -> [KnownNetworksAction] {
    let listed = listing.entries.compactMap { entry in
      entry.profile.network(isJoined: listing.joined.contains(entry.path)).map { (entry, $0) }
    }
    let networks = listed.map(\.1)
    func answer(_ changed: KnownNetwork.ID? = nil) -> [KnownNetworksAction] {
      finish(.success(KnownNetworkAnswer(networks: networks, changed: changed)))
    }
    switch listing.change {
    case .forgotten(let id)?: return answer(id)
    case .profile(let path)?: return answer(listed.first { $0.0.path == path }?.1.id)
    case .added?: return answer()
    case nil: break
    }
    if case .add(let draft) = request {
      var profile = NetworkManagerProfile(ssid: draft.ssid, security: draft.security, password: draft.password)
      profile.apply(KnownNetworkEdit(priority: draft.priority, joinsAutomatically: draft.joinsAutomatically, isHidden: draft.isHidden))
      return add(profile, isSecret: draft.password != nil, now)
    }
    guard let id = request.subject else { return answer() }
    guard let (entry, network) = listed.first(where: { $0.1.id == id }) else { return finish(.failure(.unknownNetwork(id.ssid))) }
    switch request {
    case .list, .add: return answer()
    case .edit(_, let edit):
      if let problem = edit.problem(with: network) { return finish(.failure(problem)) }
      guard !edit.isEmpty else { return answer(id) }
      var profile = entry.profile
      profile.apply(edit)
      return networkManager(
        .changing(.profile(entry.path)), "Update2", of: entry.path,
        [profile.settings, NetworkManagerProfile.UpdateFlag.keep, .properties([:])], isSecret: edit.password != nil, at: now)
    case .duplicate(_, let edit):
      if let problem = edit.problem(with: network) { return finish(.failure(problem)) }
      let security = edit.security ?? network.security
      if security == .enterprise || security == .wep { return finish(.failure(.notSupported(security))) }
      if security.needsPassword, edit.password == nil { return finish(.failure(.passwordMissing)) }
      return add(entry.profile.copy(edit), isSecret: edit.password != nil, now)
    case .forget: return networkManager(.changing(.forgotten(id)), "Delete", of: entry.path, at: now)
    }
  }

  private mutating func add(_ profile: NetworkManagerProfile, isSecret: Bool, _ now: Duration) -> [KnownNetworksAction] {
    call(
      .changing(.added), NetworkManagerBus.service, NetworkManagerBus.settingsPath, NetworkManagerBus.settingsInterface, "AddConnection2",
      [profile.settings, NetworkManagerProfile.UpdateFlag.toDisk, .properties([:])], isSecret: isSecret, at: now)
  }

  // MARK: The end

  private mutating func unexpected(_ member: String) -> [KnownNetworksAction] {
    finish(.failure(.refused("\(member) gave an unexpected answer")))
  }
}

extension NetworkManagerKnownNetworksSession: BusSession {
  mutating func begin(_ now: Duration) -> [KnownNetworksAction] { list(nil, now) }

  mutating func answered(_ message: DBusMessage, _ now: Duration) -> [KnownNetworksAction] {
    let first = message.body.first
    switch phase {
    case .idle, .connecting, .finished: return []
    case .listing(var listing):
      guard let listed = first?.elements else { return unexpected("ListConnections") }
      listing.left = listed.compactMap(\.path)
      guard listing.left.count <= KnownNetworksLimit.networks else { return finish(.failure(KnownNetworksLimit.tooMany)) }
      return nextProfile(listing, now)
    case .settings(var listing):
      guard let first else { return unexpected("GetSettings") }
      let entry = ListedProfile(path: listing.left[0], profile: NetworkManagerProfile(first))
      guard entry.profile.isWireless, entry.profile.interface.map({ $0 == interface || interface.isEmpty }) ?? true else {
        listing.left.removeFirst()
        return nextProfile(listing, now)
      }
      return property(.flags(listing, of: entry), entry.path, NetworkManagerBus.profileInterface, "Flags", now)
    case .flags(var listing, let entry):
      if !NetworkManagerProfile.isPassing(first) { listing.entries.append(entry) }
      listing.left.removeFirst()
      return nextProfile(listing, now)
    case .manager(var listing):
      listing.left = first?.elements?.compactMap(\.path) ?? []
      return nextActive(listing, now)
    case .active(var listing):
      // Activated (`NMActiveConnectionState`).
      if first?["State"]?.integer == 2, let profile = first?["Connection"]?.path { listing.joined.append(profile) }
      listing.left.removeFirst()
      return nextActive(listing, now)
    case .changing(.forgotten(let id)): return list(.forgotten(id), now)
    case .changing(let change): return list(first?.path.map { .profile($0) } ?? change, now)
    }
  }

  mutating func refused(_ message: DBusMessage, _ now: Duration) -> [KnownNetworksAction] {
    switch phase {
    // A profile or a connection that went while the list was read is none of it.
    case .settings(var listing), .flags(var listing, _):
      guard message.isOfNoObject || BusError.reason(message) == .noPermission else { break }
      listing.left.removeFirst()
      return nextProfile(listing, now)
    case .active(var listing):
      guard message.isOfNoObject else { break }
      listing.left.removeFirst()
      return nextActive(listing, now)
    case .changing:
      if message.isOfNoObject, let ssid = request.subject?.ssid { return finish(.failure(.unknownNetwork(ssid))) }
    default: break
    }
    return gone(BusError.reason(message), now)
  }

  mutating func gone(_ reason: JoinFailure.Reason, _ now: Duration) -> [KnownNetworksAction] {
    finish(.failure(KnownNetworkError(reason)))
  }
}
