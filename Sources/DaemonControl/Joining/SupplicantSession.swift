import DaemonProtocols
import WiFi

/// Joins a network over wpa_supplicant's control interface.
///
///     opening → attaching → status → networks → (known) choosing → selecting ⟶ joining → [address] → [comparing] → cleaning up → finished
///                                            ↳ adding → configuring ↗
///
/// The network that is made for the attempt is removed where it fails; where it succeeds and is kept, it replaces those of its name and of the same
/// kind of security, which `GET_NETWORK` is asked for before, and takes over what the user had set in the first of them (`DUP_NETWORK`). The networks that were enabled before are enabled again, because
/// selecting one disables all others, and that which was joined before is selected again after a failure. Of the known networks of a name only one
/// of the kind of security that is wanted is joined: an open network of that name may be anybody's. Where one BSS is wanted it is bound to that until
/// the join has ended.
public struct SupplicantSession: JoinSession {
  private enum State: Hashable {
    case idle
    case opening
    case attaching
    case readingStatus
    case listing
    case choosing
    case adding
    case configuring
    case selecting
    case joining
    case comparing
    case cleaning
    case finished
  }

  private enum ElementQuestion: Hashable {
    case none
    case wanted
    case asked
    case set
    case answered
  }

  /// The question whether the attempt's network is the one that may be joined, after another was tried.
  private enum Ownership: Hashable {
    case unquestioned
    case wanted
    case asked
  }

  /// How passwords of SAE are turned into elements: 0 hunting and pecking, 1 hash-to-element, 2 as the access point does.
  private static let elementSetting = "sae_pwe"

  private let request: JoinRequest
  private let channel: ControlChannel
  private var state = State.idle
  private var started = Duration.zero
  private var attemptDeadline = Duration.zero
  /// Until when the command that was sent last must be answered; `nil` where none waits for an answer.
  private var replyDeadline: Duration?
  /// When a daemon that has not answered is asked whether it lives: one that does not refuses the question.
  private var probeTime: Duration?
  /// The first word of the command that was sent last.
  private var lastVerb = ""
  private var nextHeartbeat = Duration.zero
  private var networks: [ControlNetwork] = []
  private var earlierID: Int?
  private var earlierBSSID: MACAddress?
  /// Whether a known network is bound to the BSS that is wanted, which is to be undone.
  private var isBound = false
  /// Whether it was left for that.
  private var hasDisconnected = false
  private var ownID: Int?
  private var isOwn = false
  private var commands: [ControlCommand] = []
  private var observer: SupplicantObserver
  private var connected: MACAddress?
  private var ownership = Ownership.unquestioned
  /// Whether the supplicant ended the link by itself since.
  private var hasLeftLink = false
  /// Whether the access point of the link was not heard since.
  private var hasLostBeacons = false
  /// What has become of the question how passwords of SAE are turned into elements.
  private var elementQuestion = ElementQuestion.none
  /// The setting before it was changed for this attempt.
  private var earlierElement: [UInt8]?
  /// The networks of the same name, of each of which it is asked what it is: before one of them is joined, or before the attempt's network
  /// takes its place.
  private var namesakes: [ControlNetwork] = []
  /// The fields of the first of them that are still to be asked for; the first is on its way where one is.
  private var questions: [String] = []
  private var answers: [String: [UInt8]] = [:]
  private var replaced: [ControlNetwork] = []
  private var isKept = false
  private var savingFailure: JoinFailure.Reason?
  private var result: Result<JoinOutcome.Joined, JoinFailure>?
  private var hasLeft = false
  private var returned: JoinFailure.Aftermath = .stayed
  /// Whether the attempt failed while the number of its network was on its way.
  private var addingIsPending = false
  /// The command of the cleaning up that waits for its answer.
  private var lastCleaning: ControlCommand?

  /// A conversation that begins with ``JoinInput/start``.
  public init(_ request: JoinRequest) {
    self.request = request
    channel = .supplicant(interface: request.interface)
    observer = SupplicantObserver(request)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [JoinAction] {
    switch (state, input) {
    case (.idle, .start):
      started = now
      if let problem = request.problem { return finish(.failure(JoinFailure(problem)), now) }
      state = .opening
      return [.open(channel), .wait(until: now + request.limits.reply)]
    case (.idle, _), (.finished, _): preconditionFailure("SupplicantSession: \(input) in state \(state)")
    case (_, .start): preconditionFailure("SupplicantSession: start in state \(state)")
    case (.opening, .opened): return send(.attach, .attaching, now)
    case (_, .opened): return wait(now)
    case (.opening, .refused(_, let error)): return gone(error.joinReason, now)
    case (_, .refused(_, let error)):
      return error.number == KernelError.Number.again ? silent(now, "its queue takes nothing more") : gone(.daemonLost, now)
    case (_, .closed): return gone(state == .opening ? .noDaemon : .daemonLost, now)
    case (_, .abandoned): return abandon(now)
    case (.comparing, .cancelled), (.cleaning, .cancelled): return wait(now)
    case (_, .cancelled): return fail(.cancelled, .certain, now)
    case (_, .timedOut): return timedOut(now)
    case (_, .received(_, let bytes)):
      switch ControlMessage(bytes) {
      case .event(let event): return handle(event, now)
      case .reply(let reply): return handle(reply, now)
      }
    }
  }

  // MARK: Replies

  private mutating func handle(_ reply: ControlReply, _ now: Duration) -> [JoinAction] {
    // The answer to the question whether it lives may come at any time.
    if reply == .pong { return wait(now) }
    // Only one other command is ever on its way, so a reply while none is belongs to nobody.
    guard replyDeadline != nil else { return wait(now) }
    replyDeadline = nil
    probeTime = nil
    switch state {
    case .idle, .finished, .opening: return wait(now)
    case .attaching:
      guard reply == .ok else { return refused(reply, "ATTACH", now) }
      return send(.status, .readingStatus, now)
    case .readingStatus:
      guard case .text(let bytes) = reply else { return refused(reply, "STATUS", now) }
      do throws(WireError) {
        let status = try ControlStatus(bytes)
        if status.state == "INTERFACE_DISABLED" { return fail(.interfaceDown, .certain, now) }
        if status.state == "COMPLETED" { (earlierID, earlierBSSID) = (status.networkID, status.bssid) }
      } catch { return fail(.malformed(error), .certain, now) }
      return send(.listNetworks(after: nil), .listing, now)
    case .listing:
      guard case .text(let bytes) = reply else { return refused(reply, "LIST_NETWORKS", now) }
      return listed(bytes, now)
    case .adding:
      guard let id = reply.number else { return refused(reply, "ADD_NETWORK", now) }
      ownID = id
      isOwn = true
      commands = configuration(of: id)
      return configure(now)
    case .configuring:
      guard reply == .ok else { return refused(reply, "SET_NETWORK", now) }
      return configure(now)
    case .selecting:
      guard reply == .ok else { return refused(reply, "SELECT_NETWORK", now) }
      state = .joining
      nextHeartbeat = now + request.limits.heartbeat
      return wait(now)
    case .joining where ownership == .asked: return owned(reply, now)
    case .joining where elementQuestion == .asked || elementQuestion == .set: return element(reply, now)
    case .joining: return heartbeat(reply, now)
    case .choosing, .comparing: return compared(reply, now)
    case .cleaning: return cleaned(reply, now)
    }
  }

  private mutating func listed(_ bytes: [UInt8], _ now: Duration) -> [JoinAction] {
    do throws(WireError) {
      let more = try ControlNetwork.list(bytes)
      networks += more
      // A datagram holds 4096 bytes; where the list is longer the rest is asked for by the last number.
      if let last = more.last, bytes.count > 3500 { return send(.listNetworks(after: last.id), .listing, now) }
    } catch { return fail(.malformed(error), .certain, now) }
    guard request.security.needsPassword, request.password == nil else { return send(.addNetwork, .adding, now) }
    namesakes = networks.filter { $0.ssid == request.ssid }
    if let bssid = request.bssid {
      // One that is bound to another BSS is another network.
      namesakes = namesakes.filter { $0.bssid == bssid } + namesakes.filter { $0.bssid == nil }
    }
    return choose(now)
  }

  /// Asks what the next known network of the name is, until one is found that can be joined.
  private mutating func choose(_ now: Duration) -> [JoinAction] {
    guard let namesake = namesakes.first else { return fail(.passwordMissing, .certain, now) }
    return ask(about: namesake, .choosing, now)
  }

  private mutating func configure(_ now: Duration) -> [JoinAction] {
    guard !commands.isEmpty else { return select(now) }
    return send(commands.removeFirst(), .configuring, now)
  }

  private mutating func select(_ now: Duration) -> [JoinAction] {
    attemptDeadline = now + request.limits.join
    hasLeft = hasLeft || earlierID != nil && earlierID != ownID
    return [.progress(JoinProgress(.searching))] + send(.selectNetwork(ownID ?? 0), .selecting, now)
  }

  /// The commands that describe the network.
  private func configuration(of id: Int) -> [ControlCommand] {
    var fields = [SupplicantFields.ssid(request.ssid)]
    if request.isHidden { fields.append(SupplicantFields.hidden(true)) }
    if let bssid = request.bssid { fields.append(.init("bssid", bssid.description)) }
    fields += SupplicantFields.security(request.security)
    if let password = request.password { fields.append(password.withBytes { SupplicantFields.password($0, for: request.security) }) }
    return fields.map { $0.command(id) }
  }

  // MARK: Joining

  private mutating func handle(_ event: ControlEvent, _ now: Duration) -> [JoinAction] {
    if case .terminating = event.kind, state != .cleaning, state != .comparing { return gone(.daemonLost, now) }
    switch state {
    case .selecting:
      // The supplicant acts before it answers. What it says about the network before does not count, nor does its connection.
      if case .connected = event.kind { return wait(now) }
    case .joining: break
    default: return wait(now)
    }
    guard connected == nil else { return lostAgain(event, now) }
    if case .networkNotFound = event.kind, elementQuestion == .none, observer.step == .searching,
      request.security == .sae || request.security == .pskOrSAE
    {
      elementQuestion = .wanted
      nextHeartbeat = now
    }
    switch observer.event(event, networkID: ownID, at: now) {
    case .none: return elementQuestion == .wanted ? beat(now) : wait(now)
    case .progress(let progress): return [.progress(progress)] + wait(now)
    case .otherNetwork:
      // Another program has selected it, or enabled it beside this one, or it is what the daemon had begun before.
      guard state == .joining, ownership == .unquestioned else { return wait(now) }
      ownership = .wanted
      nextHeartbeat = now
      return beat(now)
    case .connected(let bssid, let id):
      if let id, id != ownID { return fail(.superseded, .certain, now) }
      return linked(bssid, now)
    case .failed(let reason, let certainty): return fail(reason, certainty, now)
    }
  }

  /// The link can be used.
  private mutating func linked(_ bssid: MACAddress?, _ now: Duration) -> [JoinAction] {
    connected = bssid ?? MACAddress(0)
    guard request.needsAddress else { return succeed(address: nil, now) }
    attemptDeadline = now + request.limits.address
    nextHeartbeat = now
    return [.progress(JoinProgress(.address, bssid: bssid))] + beat(now)
  }

  /// An event while an address is waited for.
  private mutating func lostAgain(_ event: ControlEvent, _ now: Duration) -> [JoinAction] {
    switch event.kind {
    case .disconnected(_, let reason, let isLocal):
      observer.note(JoinEvidence(.supplicant, at: now, event.line))
      guard isLocal else { return fail(.dismissed(.address, reason: reason), .certain, now) }
      if reason == ReasonCode.inactivity || hasLostBeacons { return fail(.lost(.address), .certain, now) }
      // The supplicant left by itself, as another program asked it to; what it does next shows for which network.
      hasLeftLink = true
      nextHeartbeat = now
      return beat(now)
    case .beaconLoss:
      observer.note(JoinEvidence(.supplicant, at: now, event.line))
      hasLostBeacons = true
      return wait(now)
    case .connected(let bssid, let id):
      if let id, id != ownID { return fail(.superseded, .certain, now) }
      connected = bssid
      hasLeftLink = false
      hasLostBeacons = false
      return wait(now)
    default: return wait(now)
    }
  }

  /// Asks for the state, where it is time for that.
  private mutating func beat(_ now: Duration) -> [JoinAction] {
    guard replyDeadline == nil, now >= nextHeartbeat else { return wait(now) }
    if ownership == .wanted, let ownID {
      ownership = .asked
      return send(.getNetwork(ownID, "disabled"), .joining, now)
    }
    if elementQuestion == .wanted {
      elementQuestion = .asked
      return send(.get(Self.elementSetting), .joining, now)
    }
    nextHeartbeat = now + request.limits.heartbeat
    return send(.status, .joining, now)
  }

  /// The answer about the attempt's network: who selects another disables it, who removes it leaves nothing to ask about.
  private mutating func owned(_ reply: ControlReply, _ now: Duration) -> [JoinAction] {
    ownership = .unquestioned
    switch reply {
    case .fail: return fail(.superseded, .certain, now)
    case .text(let bytes) where bytes.prefix(1) == [UInt8(ascii: "1")]: return fail(.superseded, .certain, now)
    default: return beat(now)
    }
  }

  /// The answer about how passwords of SAE are turned into elements.
  ///
  /// By default wpa_supplicant 2.10 passes over access points that want hash-to-element alone (IEEE 802.11-2020 12.4.4.2.3), as if it did not hear
  /// them. It looks at the setting with each scan.
  private mutating func element(_ reply: ControlReply, _ now: Duration) -> [JoinAction] {
    let both = Array("2".utf8)
    if elementQuestion == .asked, case .text(let bytes) = reply, let value = bytes.split(separator: 0x0A).first.map(Array.init),
      value.count == 1, value != both
    {
      earlierElement = value
      elementQuestion = .set
      return send(.set(Self.elementSetting, both), .joining, now)
    }
    if elementQuestion == .set, reply != .ok { earlierElement = nil }
    elementQuestion = .answered
    return beat(now)
  }

  private mutating func heartbeat(_ reply: ControlReply, _ now: Duration) -> [JoinAction] {
    guard case .text(let bytes) = reply, let status = try? ControlStatus(bytes) else { return wait(now) }
    switch status.state {
    case "INTERFACE_DISABLED": return fail(.interfaceDown, .certain, now)
    case "DISCONNECTED" where hasLeftLink, "INACTIVE" where hasLeftLink: return fail(.superseded, .likely, now)
    case _ where hasLeftLink && status.networkID.map { $0 != ownID } ?? false: return fail(.superseded, .certain, now)
    case "COMPLETED":
      if let id = status.networkID, id != ownID { return fail(.superseded, .certain, now) }
      // The event may have been lost; the state is the truth.
      guard connected != nil else { return linked(status.bssid, now) }
      if request.needsAddress, let address = status.address { return succeed(address: address, now) }
      return wait(now)
    default: return wait(now)
    }
  }

  private mutating func timedOut(_ now: Duration) -> [JoinAction] {
    if let replyDeadline, now >= replyDeadline { return silent(now) }
    var probe: [JoinAction] = []
    if let probeTime, now >= probeTime {
      self.probeTime = nil
      probe = [.send(ControlPayload(ControlCommand.ping.encoded), channel)]
    }
    // Both may fall on one moment: then neither is waited for.
    if state == .joining, now >= attemptDeadline {
      observer.note(JoinEvidence(.clock, at: now, "not joined within \((attemptDeadline - started).wholeMilliseconds) ms"))
      if connected != nil { return probe + (hasLeftLink ? fail(.lost(.address), .likely, now) : fail(.noAddress, .certain, now)) }
      let (reason, certainty) = observer.verdict
      return probe + fail(reason, certainty, now)
    }
    guard probe.isEmpty, state == .joining else { return probe + wait(now) }
    return beat(now)
  }

  // MARK: The end

  private mutating func succeed(address: String?, _ now: Duration) -> [JoinAction] {
    result = .success(.init(bssid: connected == MACAddress(0) ? nil : connected, address: address, isKept: false))
    if isOwn, request.isKept {
      namesakes = networks.filter { $0.ssid == request.ssid && $0.bssid == request.bssid && $0.id != ownID }
    }
    return compare(now)
  }

  /// Asks what the next network of the same name is; with the last of them known, cleans up.
  private mutating func compare(_ now: Duration) -> [JoinAction] {
    state = .comparing
    // The answer to a heartbeat may be on its way; it comes first.
    if replyDeadline != nil { return wait(now) }
    guard let namesake = namesakes.first else {
      commands = leftToDo
      return clean(now)
    }
    return ask(about: namesake, .comparing, now)
  }

  /// Asks for the next field that says what a network is.
  private mutating func ask(about network: ControlNetwork, _ next: State, _ now: Duration) -> [JoinAction] {
    if questions.isEmpty {
      questions = ["key_mgmt"]
      answers = [:]
    }
    return send(.getNetwork(network.id, questions[0]), next, now)
  }

  /// Takes in what a network of the same name is.
  private mutating func compared(_ reply: ControlReply, _ now: Duration) -> [JoinAction] {
    let isChoosing = state == .choosing
    guard !questions.isEmpty else { return compare(now) }
    let field = questions.removeFirst()
    if case .text(let value) = reply, !value.isEmpty { answers[field] = value }
    let names = SupplicantFields.names(answers["key_mgmt"])
    if field == "key_mgmt" { questions = SupplicantFields.kindFields(names, for: request.security) }
    guard questions.isEmpty else { return isChoosing ? choose(now) : compare(now) }
    let namesake = namesakes.removeFirst()
    let isSuitable = SupplicantFields.suits(request.security, keyManagement: names, isSet: Set(answers.keys))
    if isChoosing {
      guard isSuitable else { return choose(now) }
      namesakes = []
      ownID = namesake.id
      if let bssid = request.bssid { bind(namesake, to: bssid) }
      return configure(now)
    }
    // A network of the same name and kind that was known before has the same password or a wrong one: two would take turns from now on.
    // One that does not say what it is stays.
    if isSuitable { replaced.append(namesake) }
    return compare(now)
  }

  /// Prepares a known network for one BSS.
  private mutating func bind(_ network: ControlNetwork, to bssid: MACAddress) {
    commands = []
    if network.bssid == nil {
      isBound = true
      commands.append(.setNetwork(network.id, "bssid", Array(bssid.description.utf8)))
    }
    // To select a network that is joined or being joined does nothing.
    if network.isCurrent, earlierBSSID != bssid {
      hasDisconnected = true
      hasLeft = network.id == earlierID
      commands.append(.disconnect)
    }
  }

  /// The commands that undo that.
  private var unbinding: [ControlCommand] { isBound ? ownID.map { [.setNetwork($0, "bssid", Array("any".utf8))] } ?? [] : [] }

  /// The commands that are left to do after a success.
  private var leftToDo: [ControlCommand] {
    var commands = unbinding
    if let ownID, let old = replaced.first { commands += inheritedFields.map { .duplicateNetwork(old.id, ownID, $0) } }
    return commands + replaced.map { .removeNetwork($0.id) }
      + networks.filter { !$0.isDisabled && $0.id != ownID && !replaced.contains($0) }
      .map { .enableNetwork($0.id, connects: false) } + (request.isKept ? [.saveConfiguration] : [])
  }

  /// What a network that is replaced hands on: all that its user may have set and that says nothing of how its keys are agreed on.
  ///
  /// A field that is not set is refused, which changes nothing.
  private var inheritedFields: [String] {
    ["priority", "id_str", "bgscan", "mac_addr", "freq_list", "scan_freq"] + (request.isHidden ? [] : ["scan_ssid"])
  }

  private mutating func refused(_ reply: ControlReply, _ command: String, _ now: Duration) -> [JoinAction] {
    let words = reply == .unknownCommand ? "it does not know \(command)" : "\(command) failed"
    observer.note(JoinEvidence(.supplicant, at: now, words))
    switch reply {
    case .fail("BUSY"?): return fail(.busy, .certain, now)
    default: return fail(.daemonRefused(words), .certain, now)
    }
  }

  private mutating func fail(_ reason: JoinFailure.Reason, _ certainty: Certainty, _ now: Duration) -> [JoinAction] {
    settle(reason, certainty)
    // The number of a network that is being added comes with the reply to that.
    if state == .adding, replyDeadline != nil {
      state = .cleaning
      addingIsPending = true
      return wait(now)
    }
    return clean(now)
  }

  /// Decides that the attempt has failed, and what is left to do.
  private mutating func settle(_ reason: JoinFailure.Reason, _ certainty: Certainty) {
    result = .failure(JoinFailure(reason, certainty, evidence: observer.evidence))
    commands = unbinding
    let selected = state == .selecting || state == .joining || hasDisconnected
    if isOwn, let ownID { commands.append(.removeNetwork(ownID)) }
    if let earlierElement { commands.append(.set(Self.elementSetting, earlierElement)) }
    let others = networks.filter { !$0.isDisabled && !(isOwn && $0.id == ownID) }
    if selected, reason != .superseded {
      if let earlierID, earlierID != ownID || !isOwn {
        commands.append(.selectNetwork(earlierID))
        commands += others.filter { $0.id != earlierID }.map { .enableNetwork($0.id, connects: false) }
      } else {
        // Without a network to return to the daemon looks for one by itself, as it did. After a cancelled join it would find the one that nobody
        // wants any more, unless that is disabled: then it is to join none until it is asked to.
        let known = isOwn ? nil : networks.first { $0.id == ownID }
        let isLeaving = reason == .cancelled && known?.isDisabled == false
        if isLeaving { commands.append(.disconnect) }
        commands += others.map { .enableNetwork($0.id, connects: !isLeaving) }
        if let known, known.isDisabled { commands.append(.disableNetwork(known.id)) }
      }
    }
  }

  /// Sends the next command of those that leave everything as it is to be.
  private mutating func clean(_ now: Duration) -> [JoinAction] {
    state = .cleaning
    // The answer to a heartbeat may be on its way; it comes first.
    if replyDeadline != nil { return wait(now) }
    guard !commands.isEmpty else { return end(now) }
    let command = commands.removeFirst()
    lastCleaning = command
    return send(command, .cleaning, now)
  }

  private mutating func cleaned(_ reply: ControlReply, _ now: Duration) -> [JoinAction] {
    if addingIsPending {
      addingIsPending = false
      if let id = reply.number { commands.insert(.removeNetwork(id), at: 0) }
      return clean(now)
    }
    switch lastCleaning {
    case .saveConfiguration?:
      isKept = reply == .ok
      if !isKept { savingFailure = .daemonRefused("it cannot write its file, which takes update_config=1 in that") }
    case .selectNetwork?: returned = reply == .ok ? .returning : .notReturning
    default: break
    }
    lastCleaning = nil
    return clean(now)
  }

  private mutating func end(_ now: Duration) -> [JoinAction] {
    switch result {
    case .success(var joined)?:
      joined.isKept = isKept || !isOwn
      joined.savingFailure = savingFailure
      return finish(.success(joined), now)
    case .failure(var failure)?:
      failure.aftermath = earlierID == nil ? .nothingBefore : hasLeft ? (returned == .stayed ? .notReturning : returned) : .stayed
      return finish(.failure(failure), now)
    case nil: preconditionFailure("SupplicantSession: an end without result in state \(state)")
    }
  }

  /// The daemon is gone: there is nobody to clean up with, and what it held in memory went with it, the link of a success included.
  private mutating func gone(_ reason: JoinFailure.Reason, _ now: Duration) -> [JoinAction] {
    if case .failure? = result { return end(now) }
    result = .failure(JoinFailure(reason, evidence: observer.evidence))
    return end(now)
  }

  /// The daemon does not answer.
  ///
  /// It does what it was asked for as soon as it goes on, because the kernel keeps the datagrams: so it is told what is left to do, in the same order.
  ///
  /// - Parameter why: what shows that, where it is not the time that has passed.
  private mutating func silent(_ now: Duration, _ why: String? = nil) -> [JoinAction] {
    replyDeadline = nil
    probeTime = nil
    if result == nil {
      observer.note(
        JoinEvidence(
          why == nil ? .clock : .supplicant, at: now,
          why ?? "no answer to \(lastVerb) within \(request.limits.reply.wholeMilliseconds) ms; it may still be done"))
      settle(.daemonSilent, .certain)
    } else if state == .comparing {
      commands = leftToDo
    }
    if lastCleaning == .saveConfiguration || commands.contains(.saveConfiguration) { savingFailure = .daemonSilent }
    return handOver(now)
  }

  /// Nobody can wait any more: what is left to do is sent without looking for answers.
  private mutating func abandon(_ now: Duration) -> [JoinAction] {
    if result == nil { settle(.cancelled, .certain) } else if state == .comparing { commands = leftToDo }
    return handOver(now)
  }

  private mutating func handOver(_ now: Duration) -> [JoinAction] {
    let rest: [JoinAction] = commands.map { .send(ControlPayload($0.encoded, isSecret: $0.isSecret), channel) }
    commands = []
    return rest + end(now)
  }

  private mutating func finish(_ result: Result<JoinOutcome.Joined, JoinFailure>, _ now: Duration) -> [JoinAction] {
    let wasOpen = state != .idle
    state = .finished
    let outcome = JoinOutcome(result, after: now - started)
    guard wasOpen else { return [.finish(outcome)] }
    return [.send(ControlPayload(ControlCommand.detach.encoded), channel), .close(channel), .finish(outcome)]
  }

  // MARK: Waiting

  private mutating func send(_ command: ControlCommand, _ next: State, _ now: Duration) -> [JoinAction] {
    state = next
    replyDeadline = now + request.limits.reply
    probeTime = now + request.limits.heartbeat
    lastVerb = String(decoding: command.encoded.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    return [.send(ControlPayload(command.encoded, isSecret: command.isSecret), channel)] + wait(now)
  }

  private func wait(_ now: Duration) -> [JoinAction] {
    var until = replyDeadline ?? now + (state == .joining ? request.limits.join : request.limits.reply)
    if state == .joining {
      until = min(until, attemptDeadline)
      if replyDeadline == nil { until = min(until, nextHeartbeat) }
    }
    if replyDeadline != nil, let probeTime { until = min(until, probeTime) }
    return [.wait(until: until)]
  }
}
