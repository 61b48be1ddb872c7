import DaemonControl
public import Determinism
public import Models
import Simulator
public import WiFi

/// A world that is watched: every scan and every attempt to join is recorded as it passes.
public final class ProbedWorld: ScenarioWorld {
  /// The world itself.
  public let world: any ScenarioWorld
  /// What passed.
  public let log: WorldLog
  public let source: any NetworkSource
  public let joiner: any NetworkJoiner
  public let associationObserver: (any AssociationObserver)?
  public let radio: (any RadioSwitch)?
  public let knownNetworks: (any KnownNetworkStore)?
  /// The simulated daemon of the world; `nil` where there is none.
  let daemon: SimulatedDaemon?
  private let now: () -> Duration

  /// Watches `world`.
  ///
  /// - Parameters:
  ///   - trace: records attempts to join and their answers, if given; of a password only its length.
  ///   - notes: whose observer receives them otherwise, and scans.
  public init(_ world: any ScenarioWorld, clock: VirtualClock, trace: Trace? = nil, notes: Trace? = nil) {
    self.world = world
    now = { clock.now.offset }
    log = WorldLog(initialScan: world.initialScan)
    source = ProbedSource(world.source, log, world.linkProbe, notes)
    let daemon = (world as? KernelScenarioWorld)?.daemon
    self.daemon = daemon
    joiner = ProbedJoiner(world.joiner, log, clock, trace, notes, daemon)
    associationObserver = world.associationObserver.map { [log] in ProbedObserver($0, log) }
    radio = world.radio.map { [log] in ProbedRadio($0, log) }
    knownNetworks = world.knownNetworks.map { [log] in ProbedKnownNetworks($0, log, daemon) }
    log.hasSlowDaemon = isSlow
  }

  /// Whether messages of the daemon take time now.
  private var isSlow: Bool { daemon.map { $0.machine.latency > .zero } ?? false }

  public var grouping: Grouping { world.grouping }
  public var order: NetworkOrder { world.order }
  public var initialScan: Scan? { world.initialScan }
  public func perform(_ event: KnownNetworkEvent) throws(WorldCannot) {
    log.add(.known(event), at: now())
    try world.perform(event)
    if isSlow { log.hasSlowDaemon = true }
  }
  public var canChangeNetworks: Bool { world.canChangeNetworks }
  public var presentBSSIDs: Set<MACAddress>? { world.presentBSSIDs }
  public var linkProbe: LinkProbe? { world.linkProbe }
  public func selectionChanged(to id: NetworkID?) { world.selectionChanged(to: id) }
  public func perform(_ event: ScenarioAction.WorldEvent, on network: Network?) throws(WorldCannot) {
    if case .known(let event) = event { return try perform(event) }
    log.add(event, at: now())
    try world.perform(event, on: network)
  }
}

/// What a user did, with what was on the screen then.
indirect enum UserInput: Hashable {
  case tapRow(NetworkID)
  case tapInfo(NetworkID)
  case type(String)
  case switchWiFi(isOn: Bool)
  case view(ScenarioAction.ViewSetting)
  case join, cancel, forget, confirmForget, keep, showKnownNetworks
  case tapKnown(KnownNetwork.ID)
  case addKnown, duplicate
  case save(onSheet: Bool)
  case fill(KnownNetworkFields, onSheet: Bool)
  /// What is on top of the screen goes away, by the name of its presentation.
  ///
  /// Whether it, or what it lies over, is still where the models say that a user is, and how many things lie below it.
  case close(String, isCurrent: Bool, over: Int)
}

/// What a daemon knows, as it holds it itself.
struct DaemonKnown: Hashable {
  /// The names of the networks that it does not forget with their connection, sorted.
  var names: [SSID]
  /// The network that is joined, where it is one of those.
  var joined: SSID?

  init(_ daemon: SimulatedDaemon) { (names, joined) = (daemon.lastingNetworks.sorted(), daemon.lastingJoined) }
}

private final class ProbedSource: NetworkSource {
  private let source: any NetworkSource
  private let log: WorldLog
  private let link: LinkProbe?
  private let notes: Trace?

  init(_ source: any NetworkSource, _ log: WorldLog, _ link: LinkProbe?, _ notes: Trace?) {
    self.source = source
    self.log = log
    self.link = link
    self.notes = notes
  }

  func nextScan() async throws -> Scan? {
    let scan = try await source.nextScan()
    let list = link?.takeList()
    // A task that was cancelled while waiting ignores what came.
    if let scan, !Task.isCancelled {
      notes?.note(scan.words(after: log.scans.last ?? log.initialScan), in: .scanner)
      log.add(scan, link?.last, list: list)
    }
    return scan
  }
}

private final class ProbedObserver: AssociationObserver {
  private let observer: any AssociationObserver
  private let log: WorldLog

  init(_ observer: any AssociationObserver, _ log: WorldLog) { (self.observer, self.log) = (observer, log) }

  func follow(_ take: (AssociationEvent) -> Void) async {
    await observer.follow { event in
      if !Task.isCancelled { log.add(.associated(event)) }
      take(event)
    }
  }
}

private final class ProbedRadio: RadioSwitch {
  private let radio: any RadioSwitch
  private let log: WorldLog
  /// What was reported last, unless the radio was asked to move since.
  private var reported: Bool?
  /// How often it is asked to move now.
  private var moves = 0
  /// Where it was moved to last.
  private var last: Bool?

  init(_ radio: any RadioSwitch, _ log: WorldLog) { (self.radio, self.log) = (radio, log) }

  func setRadio(on isOn: Bool) async throws(RadioError) {
    log.add(.radioAsked)
    reported = nil
    moves += 1
    defer { moves -= 1 }
    do {
      try await radio.setRadio(on: isOn)
      log.add(.radio(isOn: isOn, isRefused: false))
      last = isOn
    } catch {
      last = nil
      log.add(.radio(isOn: isOn, isRefused: true))
      throw error
    }
  }

  func followRadio(_ take: (Bool) async -> Void) async {
    await radio.followRadio { isOn in
      // It says so every second: what is recorded is what is new, or comes when it may not count.
      if !Task.isCancelled, isOn != reported {
        // Only another program, or a fault, could have moved it since.
        let isOld = moves == 0 && isOn != last ?? isOn && log.isUndisturbed && !log.isHindered
        log.add(.radioReported(isOn: isOn, isOld: isOld))
        reported = moves == 0 ? isOn : nil
      }
      await take(isOn)
    }
  }
}

private final class ProbedKnownNetworks: KnownNetworkStore {
  private let store: any KnownNetworkStore
  private let log: WorldLog
  private let daemon: SimulatedDaemon?
  private var count = 0
  private var runningCount = 0

  init(_ store: any KnownNetworkStore, _ log: WorldLog, _ daemon: SimulatedDaemon?) {
    (self.store, self.log, self.daemon) = (store, log, daemon)
  }

  var knownNetworkFeatures: Set<KnownNetworkFeature> { store.knownNetworkFeatures }

  /// What the daemon knows; `nil` where its messages take time, as what it answers is of before then.
  private var known: DaemonKnown? { daemon.flatMap { $0.machine.latency == .zero ? DaemonKnown($0) : nil } }

  func perform(_ request: KnownNetworkRequest) async throws(KnownNetworkError) -> KnownNetworkAnswer {
    let number = count
    count += 1
    log.add(.knownAsked(number, request))
    let before = self.known
    let (hash, attempts, events) = (daemon?.knownHash, log.attempts.count, log.worldEventCount)
    let isAlone = runningCount == 0 && log.runningCount == 0
    let waiter = WorldLog.Waiter()
    runningCount += 1
    if request != .list { log.changeWaiters[number] = waiter }
    defer {
      runningCount -= 1
      log.changeWaiters[number] = nil
    }
    let result: Result<KnownNetworkAnswer, KnownNetworkError> = await withTaskCancellationHandler {
      do throws(KnownNetworkError) { return .success(try await store.perform(request)) } catch { return .failure(error) }
    } onCancel: {
      waiter.giveUp()
    }
    let isUntouched = log.worldEventCount == events
    let after = isUntouched ? self.known : nil
    let known = after == before && (try? result.get()) != nil ? after : nil
    log.add(.knownAnswered(number, result, known, isAlone: isUntouched))
    // Where nothing else was asked meanwhile, and no other program acted, what is known is as it was.
    let isAsItWas = isAlone && isUntouched && count == number + 1 && log.attempts.count == attempts && !log.isHindered
    if case .failure(.cancelled) = result, isAsItWas, daemon?.knownHash != hash { log.add(.knownChangedInVain) }
    return try result.get()
  }
}

private final class ProbedJoiner: NetworkJoiner {
  private let joiner: any NetworkJoiner
  private let log: WorldLog
  private let clock: VirtualClock
  private let trace: Trace?
  private let notes: Trace?
  private let daemon: SimulatedDaemon?

  init(
    _ joiner: any NetworkJoiner, _ log: WorldLog, _ clock: VirtualClock, _ trace: Trace?, _ notes: Trace?, _ daemon: SimulatedDaemon?
  ) {
    self.joiner = joiner
    self.daemon = daemon
    self.log = log
    self.clock = clock
    self.trace = trace
    self.notes = trace == nil ? notes : nil
    if let joiner = joiner as? any ExplainingJoiner { log.lastFailure = { joiner.lastFailure } }
  }

  private func run(_ event: @autoclosure () -> String) {
    trace?.record(event(), in: .world)
    notes?.note(event(), in: .world)
  }

  func join(_ network: Network, password: String?) async throws(JoinError) {
    let number = log.attempts.count
    let waiter = WorldLog.Waiter()
    log.attemptWaiters[number] = waiter
    log.attempts.append(
      WorldLog.Attempt(
        network: network.id, password: password, start: clock.now.offset, linkBefore: daemon?.joined, movesBefore: log.moveCount))
    log.add(.attemptBegan(number))
    defer {
      log.attemptWaiters[number] = nil
      log.attempts[number].movesAfter = log.moveCount
      log.add(.attemptEnded(number, isCancelled: Task.isCancelled))
    }
    let title = NetworkRow(network).title
    let secret = password.map { "with a password of \($0.count.counted("character"))" } ?? "without a password"
    run("world is asked to join \(title) \(secret)")
    let error: JoinError? = await withTaskCancellationHandler {
      do throws(JoinError) { try await joiner.join(network, password: password) } catch { return error }
      return nil
    } onCancel: {
      waiter.giveUp()
    }
    log.attempts[number].end = clock.now.offset
    log.attempts[number].error = error
    guard let error else {
      log.attempts[number].linkAfter = daemon?.joinedAccessPoint
      if log.interference == nil, let outranked = daemon?.machine.networkManager?.outrankedNetwork { log.outrankedNetwork = outranked }
      return run("world has joined \(title)")
    }
    // A daemon says more than a panel shows.
    let failure = log.lastFailure()
    log.attempts[number].linkAtFailure = daemon?.joined
    if failure?.reason == .superseded, let other = log.joinedByOther, other.attempts == number + 1 {
      log.attempts[number].supersededBy = other.name
    }
    let reason = failure.map { " (\($0.traceWords))" } ?? ""
    run("world has not joined \(title): \(error)\(reason)")
    throw error
  }
}
