public import WiFi

/// The conversation of one scan, as a pure state machine: what came goes in, what to do comes out.
///
/// It knows no socket and no clock. Its driver performs the actions in order, then waits for the next input
/// until the last ``Action/wait(until:)`` and passes it on; every state has such a deadline, so nothing hangs.
///
///     resolving → listing interfaces → [describing →] triggering ⇄ waiting for others → waiting → dumping → finished
///                                    ↳ (cached) dumping      ↳ (others) listening → dumping
///
/// The groups are joined before the scan is triggered, so that its end cannot be missed.
public struct ScanSession: Sendable {
  /// What to do next.
  public enum Action: Hashable, Sendable {
    /// Send this message on the socket for requests.
    case send([UInt8])
    /// Join this multicast group with the socket for events.
    case join(group: UInt32)
    /// Wait for an input, until this time since boot.
    case wait(until: Duration)
    /// The scan is over; this is what it heard.
    case finish(Scan)
    /// The scan is over; this is why it heard nothing.
    case fail(ScanError)
  }

  /// What can happen to a conversation.
  public enum Input: Hashable, Sendable {
    /// Begin.
    case start
    /// Something came over the link.
    case received(LinkInput)
    /// The time of the last ``Action/wait(until:)`` passed.
    case timedOut
    /// The caller cancelled the scan.
    case cancelled
  }

  /// What to do, and how long to try.
  public struct Configuration: Hashable, Sendable {
    /// The interface, or `nil` for the first that can scan.
    public var interface: String?
    /// How to get results.
    public var mode: Mode
    /// The longest a reply may take.
    public var replyLimit: Duration = .seconds(5)
    /// The longest a scan may take, and the longest to wait for another program's.
    public var scanLimit: Duration = .seconds(20)
    /// How often to try again while another program scans.
    public var busyRetries = 4
    /// How often to read the list again while it changes.
    var dumpRetries = 5
    /// How long to wait for the end of a scan after events were lost.
    var eventsLostGrace: Duration = .seconds(4)
    /// How long to wait for another program's scan before it is tried again anyway.
    public var busyWait: Duration = .seconds(5)

    /// The longest to wait for another program's scan in ``Mode/others``.
    var listenLimit: Duration = .seconds(10)

    /// Scans, or reads, on `interface`.
    public init(interface: String? = nil, mode: Mode = .trigger(ScanRequest())) {
      self.interface = interface
      self.mode = mode
    }
  }

  /// How to get results.
  public enum Mode: Hashable, Sendable {
    /// Start a scan and wait for its end; needs `CAP_NET_ADMIN`.
    case trigger(ScanRequest)
    /// Read what the kernel remembers.
    case cached
    /// Wait until another program's scan ends, then read.
    case others
  }

  private enum State {
    case idle
    case resolving
    case listing
    case describing
    case triggering(attempt: Int)
    case waitingForOthers(attempt: Int)
    case waiting(eventsLost: Bool)
    case listening
    case dumping(attempt: Int)
    case finished
  }

  private let configuration: Configuration
  private var state = State.idle
  private var deadline: Duration = .zero
  /// The request whose answer is awaited, in states that ask for something.
  private var exchange: Exchange?
  private var earlierList = EarlierList()
  /// The numbers of its requests, which no other conversation over the link has.
  var requests = Requests()
  private var family: GenericFamily?
  private var hasJoined: Bool
  private var interfaces: [Interface] = []
  private var interface: Interface?
  private var maximumSSIDs: UInt8?
  private var started: Duration = .zero
  private var completion = Scan.Completion.cached
  private var frequenciesKHz: [UInt32]?
  private var bss: [BSS] = []
  private var unreadable = 0
  private var seen = Seen()

  /// What events said of scans since the conversation began.
  private struct Seen {
    var ownStart = false
    var ownEnd: NL80211Event?
    var foreignScan = false
    var foreignEnd = false
    /// Whether events were lost since the scan was requested, so that our start may be among them.
    var hasGap = false
  }

  /// A conversation that begins with ``Input/start``.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    hasJoined = false
  }

  /// A conversation over a link that an earlier one prepared: the family is known and the groups are joined.
  public init(_ configuration: Configuration, continuing earlier: ScanSession) {
    self.configuration = configuration
    family = earlier.family
    hasJoined = earlier.hasJoined
    requests = earlier.requests
  }

  /// Takes one input at a time since boot and says what to do.
  ///
  /// - Precondition: ``Input/start`` comes first and once, and nothing comes after ``Action/finish(_:)`` or
  ///   ``Action/fail(_:)``.
  public mutating func handle(_ input: Input, at now: Duration) -> [Action] {
    switch (state, input) {
    case (.idle, .start): return begin(now)
    case (.idle, _), (.finished, _): preconditionFailure("ScanSession: \(input) in state \(state)")
    case (_, .start): preconditionFailure("ScanSession: start in state \(state)")
    case (_, .received(.reply(let bytes))): return reply(bytes, now)
    case (_, .received(.event(let bytes))): return event(bytes, now)
    case (_, .received(.eventsLost)): return eventsLost(now)
    case (_, .received(.repliesLost)): return repliesLost(now)
    case (_, .cancelled): return cancelled()
    case (_, .timedOut): return now < deadline ? [.wait(until: deadline)] : timedOut(now)
    }
  }

  // MARK: Steps

  private mutating func begin(_ now: Duration) -> [Action] {
    if let family { return list(family, now) }
    let request = requests.one(
      family: NetlinkMessage.ControlType.genericController, GenericFamily.request(name: NL80211.familyName))
    return ask(request, .resolving, now)
  }

  private mutating func list(_ family: GenericFamily, _ now: Duration) -> [Action] {
    var actions: [Action] = []
    if !hasJoined, configuration.mode != .cached {
      for name in NL80211.multicastGroups {
        if let group = family.groups.first(where: { $0.name == name }) { actions.append(.join(group: group.number)) }
      }
      hasJoined = true
    }
    interfaces = []
    let request = requests.dump(family: family.id, GenericNetlinkMessage(command: NL80211.Command.getInterface))
    actions += ask(request, .listing, now)
    return actions
  }

  private mutating func choose(_ now: Duration) -> [Action] {
    let chosen: Interface?
    if let name = configuration.interface {
      chosen = interfaces.first { $0.name == name }
    } else {
      chosen = interfaces.first { $0.type == .station && $0.index != nil } ?? interfaces.first { $0.index != nil }
    }
    guard let chosen, chosen.index != nil else {
      return fail(ScanError(configuration.interface == nil ? .noAdapter : .noSuchInterface, interface: configuration.interface))
    }
    interface = chosen
    started = now
    switch configuration.mode {
    case .cached: return dump(attempt: 0, now)
    case .others: return go(.listening, [], until: now + configuration.listenLimit)
    case .trigger(let request) where request.ssids.isEmpty || request.isPassive: return trigger(attempt: 0, now)
    case .trigger: return describe(chosen, now)
    }
  }

  private mutating func describe(_ interface: Interface, _ now: Duration) -> [Action] {
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.wiphy, interface.wiphy)
    writer.writeFlag(NL80211.Attribute.splitWiphyDump)
    let request = requests.dump(
      family: family?.id ?? 0, GenericNetlinkMessage(command: NL80211.Command.getWiphy, attributes: writer.bytes))
    return ask(request, .describing, now)
  }

  private mutating func trigger(attempt: Int, _ now: Duration) -> [Action] {
    guard case .trigger(var request) = configuration.mode, let index = interface?.index else {
      preconditionFailure("ScanSession: trigger without request or interface")
    }
    // An adapter that takes one SSID takes the one that was asked for, not the wildcard beside it.
    if let maximumSSIDs, request.ssids.count >= Int(maximumSSIDs) { request.asksForAny = false }
    started = now
    seen.ownStart = false
    seen.ownEnd = nil
    seen.foreignEnd = false
    seen.hasGap = false
    let message = requests.one(family: family?.id ?? 0, request.message(interfaceIndex: index))
    return ask(message, .triggering(attempt: attempt), now)
  }

  private mutating func dump(attempt: Int, _ now: Duration) -> [Action] {
    bss = []
    unreadable = 0
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.interfaceIndex, interface?.index ?? 0)
    let request = requests.dump(
      family: family?.id ?? 0, GenericNetlinkMessage(command: NL80211.Command.getScan, attributes: writer.bytes))
    return ask(request, .dumping(attempt: attempt), now)
  }

  private mutating func finish(_ now: Duration) -> [Action] {
    var scan = Scan(
      interface: name, start: started, end: now, completion: completion, frequenciesKHz: frequenciesKHz, bss: bss)
    scan.unreadable = unreadable
    state = .finished
    return [.finish(scan)]
  }

  private mutating func fail(_ error: ScanError) -> [Action] {
    state = .finished
    return [.fail(error)]
  }

  private mutating func go(_ next: State, _ actions: [Action], until: Duration) -> [Action] {
    state = next
    deadline = until
    exchange = nil
    return actions + [.wait(until: until)]
  }

  /// Sends a request, and waits for its answer in the next state.
  private mutating func ask(_ request: (bytes: [UInt8], exchange: Exchange), _ next: State, _ now: Duration) -> [Action] {
    let actions = go(next, [.send(request.bytes)], until: now + configuration.replyLimit)
    exchange = request.exchange
    return actions
  }

  private var name: String { interface?.name ?? configuration.interface ?? "" }

  // MARK: Replies

  private mutating func reply(_ bytes: [UInt8], _ now: Duration) -> [Action] {
    for header in NetlinkWalk(bytes) {
      let actions = reply(header, bytes, now)
      // What follows in this datagram belongs to an exchange that is over.
      if !actions.isEmpty { return actions }
    }
    return [.wait(until: deadline)]
  }

  /// What one message means; no action where more of the same is to come.
  private mutating func reply(_ header: NetlinkHeader, _ bytes: [UInt8], _ now: Duration) -> [Action] {
    guard let outcome = exchange?.outcome(of: header, in: bytes) else { return [] }
    if case .listing = state, let family {
      switch earlierList.step(outcome, of: header) {
      case .wait: return []
      case .again: return list(family, now)
      case .none: break
      }
    }
    switch (state, outcome) {
    case (.resolving, .part): family = GenericFamily(bytes, header.attributes)
    case (.resolving, .finished):
      guard let family else { return fail(ScanError(.noWireless)) }
      return list(family, now)
    case (.resolving, .failed): return fail(ScanError(.noWireless))
    case (.listing, .part):
      if let interface = generic(header, bytes).flatMap(Interface.init) { interfaces.append(interface) }
    case (.listing, .finished): return choose(now)
    case (.listing, .failed(let error)): return fail(.of(error, interface: configuration.interface))
    case (.describing, .part):
      for attribute in AttributeWalk(bytes, in: header.attributes)
      where attribute.type == NL80211.Attribute.maximumScanSSIDs {
        maximumSSIDs = attribute.uint8(of: bytes)
      }
    case (.describing, .finished): return trigger(attempt: 0, now)
    case (.triggering, .finished):
      // The scan may have ended before the acknowledgement was read: the event came first.
      if let event = seen.ownEnd { return ended(event, now) }
      let limit = seen.hasGap ? configuration.eventsLostGrace : configuration.scanLimit
      return go(.waiting(eventsLost: seen.hasGap), [], until: now + limit)
    case (.triggering(let attempt), .failed(let error)) where error.number == KernelError.Number.busy: return busy(attempt, error, now)
    case (.dumping, .part): take(header, bytes)
    case (.dumping(let attempt), .finished): return exchange?.isInterrupted == true ? dumpAgain(attempt, now) : finish(now)
    case (_, .failed(let error)): return fail(.of(error, interface: name))
    default: break
    }
    return []
  }

  private func generic(_ header: NetlinkHeader, _ bytes: [UInt8]) -> GenericNetlinkMessage? {
    try? GenericNetlinkMessage(payload: Array(bytes[header.payload]))
  }

  private mutating func take(_ header: NetlinkHeader, _ bytes: [UInt8]) {
    do {
      let entry = try ScanDumpEntry(attributes: bytes, in: header.attributes)
      bss.append(entry.bss)
    } catch {
      unreadable += 1
    }
  }

  private mutating func dumpAgain(_ attempt: Int, _ now: Duration) -> [Action] {
    if attempt < configuration.dumpRetries { return dump(attempt: attempt + 1, now) }
    completion = .partial(.dumpInterrupted)
    return finish(now)
  }

  private mutating func busy(_ attempt: Int, _ error: KernelError, _ now: Duration) -> [Action] {
    guard attempt < configuration.busyRetries else {
      return fail(ScanError(seen.foreignScan ? .busy : .channelBusy, interface: name, kernel: error))
    }
    // The foreign scan may have ended between our request and the refusal.
    if seen.foreignEnd { return trigger(attempt: attempt + 1, now) }
    let limit = seen.foreignScan ? configuration.scanLimit : configuration.busyWait
    return go(.waitingForOthers(attempt: attempt), [], until: now + limit)
  }

  // MARK: Events

  private mutating func event(_ bytes: [UInt8], _ now: Duration) -> [Action] {
    for header in NetlinkWalk(bytes) where header.type == family?.id {
      guard let message = generic(header, bytes) else { continue }
      let actions = event(NL80211Event(message), now)
      if !actions.isEmpty { return actions }
    }
    return [.wait(until: deadline)]
  }

  private mutating func event(_ event: NL80211Event, _ now: Duration) -> [Action] {
    switch event.command {
    case NL80211.Command.deleteInterface where isOurs(event):
      return fail(ScanError(.adapterRemoved, interface: name))
    case NL80211.Command.deleteWiphy where interface != nil && event.wiphy == interface?.wiphy:
      return fail(ScanError(.adapterRemoved, interface: name))
    case NL80211.Command.triggerScan where isSameAdapter(event):
      // The end of another program's scan may still be on its way when ours starts: only an end after our own start is
      // ours.
      switch state {
      case .waitingForOthers: seen.foreignScan = true
      case .triggering, .waiting:
        seen.ownStart = seen.ownStart || isOurs(event)
        seen.ownEnd = nil
      case .listening: started = now
      default: break
      }
      return []
    case NL80211.Command.scheduledScanResults where isSameAdapter(event):
      // What a scheduled scan covered is not said, so its results prove nothing about what is missing.
      guard case .listening = state else { return [] }
      return dump(attempt: 0, now)
    case NL80211.Command.newScanResults where isSameAdapter(event),
      NL80211.Command.scanAborted where isSameAdapter(event):
      switch state {
      case .triggering:
        seen.foreignEnd = true
        if isOurs(event), seen.ownStart || seen.hasGap { seen.ownEnd = event }
      case .listening: return ended(event, now)
      case .waitingForOthers(let attempt):
        seen.foreignScan = true
        return trigger(attempt: attempt + 1, now)
      case .waiting(let eventsLost) where isOurs(event) && (seen.ownStart || eventsLost): return ended(event, now)
      default: break
      }
      return []
    default: return []
    }
  }

  private func isOurs(_ event: NL80211Event) -> Bool {
    guard let interface else { return false }
    if let index = event.interfaceIndex { return index == interface.index }
    return event.wdev != nil && event.wdev == interface.wdev
  }

  private func isSameAdapter(_ event: NL80211Event) -> Bool {
    guard let interface else { return false }
    return event.wiphy.map { $0 == interface.wiphy } ?? isOurs(event)
  }

  private mutating func ended(_ event: NL80211Event, _ now: Duration) -> [Action] {
    completion = event.command == NL80211.Command.newScanResults ? .complete : .partial(.aborted)
    if !event.frequenciesKHz.isEmpty { frequenciesKHz = event.frequenciesKHz }
    return dump(attempt: 0, now)
  }

  private mutating func eventsLost(_ now: Duration) -> [Action] {
    switch state {
    case .triggering:
      seen.hasGap = true
      return [.wait(until: deadline)]
    case .waiting:
      // The end of the scan may be among what was lost: give it a little longer, then read what there is.
      return go(.waiting(eventsLost: true), [], until: min(deadline, now + configuration.eventsLostGrace))
    case .waitingForOthers(let attempt):
      return trigger(attempt: attempt + 1, now)
    case .listening:
      completion = .partial(.eventsLost)
      return dump(attempt: 0, now)
    default: return [.wait(until: deadline)]
    }
  }

  private mutating func repliesLost(_ now: Duration) -> [Action] {
    switch state {
    case .dumping(let attempt): return dumpAgain(attempt, now)
    case .listing:
      guard let family else { return fail(ScanError(.noWireless)) }
      return list(family, now)
    default: return [.wait(until: deadline)]
    }
  }

  private mutating func timedOut(_ now: Duration) -> [Action] {
    switch state {
    case .idle, .finished: preconditionFailure("ScanSession: timed out in state \(state)")
    case .resolving: return fail(ScanError(.noAnswer("nl80211"), interface: configuration.interface))
    case .listing: return fail(ScanError(.noAnswer("its interfaces"), interface: configuration.interface))
    case .describing: return fail(ScanError(.noAnswer("what it can do"), interface: name))
    case .triggering:
      // Where it began though the acknowledgement did not come, it would keep the adapter.
      let ending: [Action] = seen.ownStart && seen.ownEnd == nil ? [.send(abort())] : []
      return ending + fail(ScanError(.noAnswer("a scan"), interface: name))
    case .waitingForOthers(let attempt): return trigger(attempt: attempt + 1, now)
    case .waiting(let eventsLost):
      completion = .partial(eventsLost ? .eventsLost : .deadline)
      return eventsLost ? dump(attempt: 0, now) : abortAndDump(now)
    case .listening: return dump(attempt: 0, now)
    case .dumping: return fail(ScanError(.noAnswer("its list of networks"), interface: name))
    }
  }

  /// Ends a scan that takes too long, so that it does not keep the adapter, and reads what there is.
  private mutating func abortAndDump(_ now: Duration) -> [Action] {
    [.send(abort())] + dump(attempt: 0, now)
  }

  private mutating func cancelled() -> [Action] {
    switch state {
    case .triggering, .waiting: [.send(abort())] + fail(ScanError(.cancelled, interface: name))
    default: fail(ScanError(.cancelled, interface: name))
    }
  }

  private mutating func abort() -> [UInt8] {
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.interfaceIndex, interface?.index ?? 0)
    return requests.one(
      family: family?.id ?? 0, GenericNetlinkMessage(command: NL80211.Command.abortScan, attributes: writer.bytes)
    ).bytes
  }
}
