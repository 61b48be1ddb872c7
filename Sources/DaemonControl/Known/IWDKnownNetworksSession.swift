import DaemonProtocols
public import WiFi

/// Lists the networks that iwd knows, changes whether it joins them by itself, and forgets them.
///
///     opening → hello → objects ⟶ [changing → objects] → finished
///
/// iwd lets a program do no more: it learns a network by joining it, has one profile for each name and kind of security, and orders networks by when they were
/// joined last.
public struct IWDKnownNetworksSession: KnownNetworksSession {
  private enum Step: Hashable {
    case idle, opening, hello, objects, changing, finished
  }

  private let request: KnownNetworkRequest
  private let interface: String
  private var exchange: BusExchange
  private var step = Step.idle
  private var changedID: KnownNetwork.ID?
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
      if let problem = request.problem(for: .iwd) { return finish(.failure(problem)) }
      step = .opening
      return exchange.open(now)
    case (.idle, _), (.finished, _): preconditionFailure("IWDKnownNetworksSession: \(input) in step \(step)")
    case (_, .start): preconditionFailure("IWDKnownNetworksSession: start in step \(step)")
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
        case .ready: actions += objects(now)
        case .answer(let message): actions += message.kind == .error ? refused(message) : answered(message, now)
        case .failed(let reason): actions += finish(.failure(KnownNetworkError(reason)))
        }
      }
      return step == .finished ? actions : actions + wait
    }
  }

  private var wait: [KnownNetworksAction] { [.wait(until: exchange.deadline)] }

  private mutating func objects(_ now: Duration) -> [KnownNetworksAction] {
    step = .objects
    return exchange.call(IWDBus.service, .root, SystemBus.objectManagerInterface, "GetManagedObjects", at: now)
  }

  private mutating func answered(_ message: DBusMessage, _ now: Duration) -> [KnownNetworksAction] {
    switch step {
    case .objects: return listed(message.body.first, now)
    case .changing:
      hasChanged = true
      return objects(now)
    case .idle, .opening, .hello, .finished: return []
    }
  }

  private mutating func listed(_ objects: DBusValue?, _ now: Duration) -> [KnownNetworksAction] {
    guard case .array(_, let entries)? = objects?.unwrapped else {
      return finish(.failure(.refused("it does not list its objects")))
    }
    let networks = Self.networks(entries)
    if hasChanged { return finish(.success(KnownNetworkAnswer(networks: networks, changed: changedID))) }
    guard let id = request.subject else { return finish(.success(KnownNetworkAnswer(networks: networks))) }
    guard networks.contains(where: { $0.id == id }), let path = DBusObjectPath(id.key) else {
      return finish(.failure(.unknownNetwork(id.ssid)))
    }
    changedID = id
    step = .changing
    switch request {
    case .edit(_, let edit):
      guard let joins = edit.joinsAutomatically else {
        return finish(.success(KnownNetworkAnswer(networks: networks, changed: id)))
      }
      return exchange.call(
        IWDBus.service, path, SystemBus.propertiesInterface, "Set",
        [.string(IWDBus.knownInterface), "AutoConnect", .variant(.boolean(joins))], at: now)
    case .forget: return exchange.call(IWDBus.service, path, IWDBus.knownInterface, "Forget", at: now)
    case .list, .add, .duplicate: preconditionFailure("IWDKnownNetworksSession: \(request) was refused before")
    }
  }

  /// The known networks among all objects; those that a scan has found are in range.
  private static func networks(_ entries: [DBusValue]) -> [KnownNetwork] {
    var joined: [String] = []
    var heard: [String] = []
    for case .dictionaryEntry(_, let interfaces) in entries {
      guard let network = interfaces[IWDBus.networkInterface], let known = network["KnownNetwork"]?.text else { continue }
      heard.append(known)
      if network["Connected"]?.truth == true { joined.append(known) }
    }
    return entries.compactMap { entry in
      guard case .dictionaryEntry(.objectPath(let path), let interfaces) = entry, let known = interfaces[IWDBus.knownInterface],
        let name = known["Name"]?.text, let ssid = SSID(Array(name.utf8)), let security = security(known["Type"]?.text)
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

  private mutating func refused(_ message: DBusMessage) -> [KnownNetworksAction] {
    let gone = [SystemBus.ErrorName.notFound, SystemBus.ErrorName.unknownObject, "net.connman.iwd.NotFound"]
    if step == .changing, gone.contains(message.errorName ?? ""), let ssid = request.subject?.ssid {
      return finish(.failure(.unknownNetwork(ssid)))
    }
    return finish(.failure(message.errorName == "net.connman.iwd.Busy" ? .busy : KnownNetworkError(BusError.reason(message))))
  }

  private mutating func finish(_ outcome: KnownNetworksOutcome) -> [KnownNetworksAction] {
    let wasOpen = step != .idle
    step = .finished
    return (wasOpen ? [.close(.bus)] : []) + [.finish(outcome)]
  }
}
