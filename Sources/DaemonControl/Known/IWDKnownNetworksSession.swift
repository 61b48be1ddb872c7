import DaemonProtocols
public import WiFi

/// Lists the networks that iwd knows, changes whether it joins them by itself, and forgets them.
///
///     opening → hello → objects ⟶ [changing → objects] → finished
///
/// iwd lets a program do no more: it learns a network by joining it, has one profile for each name and kind of
/// security, and orders networks by when they were joined last.
public struct IWDKnownNetworksSession: KnownNetworksSession {
  enum Phase: BusPhase, Hashable {
    case idle, connecting, listing, finished
    case changing(KnownNetwork.ID)
    case listingAgain(changed: KnownNetwork.ID)
  }

  private let request: KnownNetworkRequest
  var bus: BusClient
  var phase = Phase.idle

  /// A conversation that begins with ``JoinInput/start``.
  public init(_ request: KnownNetworkRequest, replyLimit: Duration = .seconds(5)) {
    self.request = request
    bus = BusClient(replyLimit: replyLimit, limit: KnownNetworksLimit.time)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [ControlAction<KnownNetworksOutcome>] {
    switch (phase, input) {
    case (.idle, .start):
      if let problem = request.problem(for: .iwd) { return finish(.failure(problem)) }
      return open(now)
    case (.idle, _), (.finished, _): preconditionFailure("IWDKnownNetworksSession: \(input) in phase \(phase)")
    // A change is one call; once it is sent its answer decides.
    case (.changing, .cancelled), (.listingAgain, .cancelled): return wait(now)
    default: return take(input, now)
    }
  }

  /// Changes what the request asks for, among the networks that are known.
  private mutating func change(_ networks: [KnownNetwork], _ now: Duration) -> [KnownNetworksAction] {
    guard let id = request.subject else { return finish(.success(KnownNetworkAnswer(networks: networks))) }
    guard networks.contains(where: { $0.id == id }), let path = DBusObjectPath(id.key) else {
      return finish(.failure(.unknownNetwork(id.ssid)))
    }
    switch request {
    case .edit(_, let edit):
      guard let joins = edit.joinsAutomatically else {
        return finish(.success(KnownNetworkAnswer(networks: networks, changed: id)))
      }
      return call(
        .changing(id), IWDBus.service, path, SystemBus.propertiesInterface, "Set",
        [.string(IWDBus.knownInterface), "AutoConnect", .variant(.boolean(joins))], at: now)
    case .forget: return call(.changing(id), IWDBus.service, path, IWDBus.knownInterface, "Forget", at: now)
    case .list, .add, .duplicate: preconditionFailure("IWDKnownNetworksSession: \(request) was refused before")
    }
  }

  /// The known networks among all objects; those that a scan has found are in range.
  ///
  /// A network is `Connected` for iwd while it is only being joined, too; the state of its station distinguishes the
  /// two.
  private static func networks(_ objects: [(path: DBusObjectPath, interfaces: DBusValue)]) -> [KnownNetwork] {
    var joined: [String] = []
    var heard: [String] = []
    for (_, interfaces) in objects {
      guard let network = interfaces[IWDBus.networkInterface], let known = network["KnownNetwork"]?.text else { continue }
      heard.append(known)
      let station = objects.first { $0.path == network["Device"]?.path }?.interfaces[IWDBus.stationInterface]
      if network["Connected"]?.truth == true, ["connected", "roaming"].contains(station?["State"]?.text) { joined.append(known) }
    }
    return objects.compactMap { path, interfaces in
      guard let known = interfaces[IWDBus.knownInterface], let name = known["Name"]?.text, let ssid = SSID(Array(name.utf8)),
        let security = security(known["Type"]?.text)
      else { return nil }
      let key = path.description
      return KnownNetwork(
        id: .init(key: key, ssid: ssid), security: security, priority: nil, joinsAutomatically: known["AutoConnect"]?.truth ?? true,
        isHidden: known["Hidden"]?.truth ?? false, isJoined: joined.contains(key), isInRange: heard.contains(key))
    }
  }

  private static func security(_ type: String?) -> JoinSecurity? {
    switch type {
    // To iwd an open network and one of OWE are the same.
    case "open": .open
    case "psk": .pskOrSAE
    case "8021x": .enterprise
    case "wep": .wep
    default: nil
    }
  }
}

extension IWDKnownNetworksSession: BusSession {
  mutating func begin(_ now: Duration) -> [KnownNetworksAction] { objects(.listing, now) }

  mutating func answered(_ message: DBusMessage, _ now: Duration) -> [KnownNetworksAction] {
    if case .changing(let id) = phase { return objects(.listingAgain(changed: id), now) }
    guard let objects = message.objects else { return gone(BusError.noObjects, now) }
    let networks = Self.networks(objects)
    guard case .listingAgain(let id) = phase else { return change(networks, now) }
    return finish(.success(KnownNetworkAnswer(networks: networks, changed: id)))
  }

  mutating func refused(_ message: DBusMessage, _ now: Duration) -> [KnownNetworksAction] {
    let gone = [SystemBus.ErrorName.notFound, SystemBus.ErrorName.unknownObject, "net.connman.iwd.NotFound"]
    if case .changing(let id) = phase, gone.contains(message.errorName ?? "") { return finish(.failure(.unknownNetwork(id.ssid))) }
    return finish(.failure(message.errorName == "net.connman.iwd.Busy" ? .busy : KnownNetworkError(BusError.reason(message))))
  }

  mutating func gone(_ reason: JoinFailure.Reason, _ now: Duration) -> [KnownNetworksAction] {
    finish(.failure(KnownNetworkError(reason)))
  }
}
