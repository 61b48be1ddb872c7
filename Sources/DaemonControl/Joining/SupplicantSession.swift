import DaemonProtocols
import WiFi

/// Joins a network over wpa_supplicant's control interface.
///
///     attaching → status → networks → (known) choosing → configuring → joining → [comparing] → cleaning up
///                                   ↳ adding ↗
///
/// The network that is made for the attempt is removed where it fails. Where it succeeds and is kept, it replaces those
/// of its name and kind of security (`GET_NETWORK`), and takes over what the user had set in the first of them
/// (`DUP_NETWORK`). The networks that were enabled before are enabled again, because selecting one disables all others,
/// and the network that was joined before is selected again after a failure. Of the known networks of a name only one
/// of the kind of security that is wanted is joined: an open network of that name may be another one. Where one BSS is
/// wanted, the network is bound to it until the join has ended.
public struct SupplicantSession: JoinSession {
  /// The network that the attempt joins.
  private struct Target {
    var id: Int
    /// Whether it was made for the attempt.
    var isOwn = false
    /// Whether it is a known one that was bound to the BSS that is wanted, which is to be undone.
    var isBound = false
    /// Whether it was left for that.
    var hasDisconnected = false
    var isSelected = false
  }

  /// The question how passwords of SAE are turned into elements.
  private enum ElementQuestion: Hashable {
    case none, wanted
    /// The setting before it was changed for the attempt; `nil` where it was not.
    case asked(earlier: [UInt8]?)
  }

  /// An association that can be used, as long as an address is waited for.
  private struct Association {
    var bssid: MACAddress?
    /// Whether the supplicant ended it by itself since.
    var hasLeft = false
    /// Whether the access point was not heard since.
    var hasLostBeacons = false
  }

  /// What happened while the attempt ran: another network was tried or joined, which another program selected or only
  /// enabled beside this one, or another program removed this one.
  private enum Doubt { case wasTried, wasJoined, wasRemoved }

  private struct Attempt {
    var deadline: Duration
    var nextHeartbeat: Duration
    /// Whether the daemon has agreed to select the network.
    var hasBegun = false
    /// Why the network may not be the one that is joined any more.
    var doubt: Doubt?
    var element = ElementQuestion.none
    var association: Association?
  }

  /// The end that was decided, and what is left to do before it.
  private struct Ending {
    var result: Result<JoinOutcome.Joined, JoinFailure>
    var commands: [ControlCommand]
    /// Whether the first of them was sent: before that, an answer is to what was asked earlier.
    var hasBegun = false

    mutating func take(_ reply: ControlReply, to command: ControlCommand) {
      switch (command, result) {
      case (.addNetwork, _): if let id = reply.number { commands.insert(.removeNetwork(id), at: 0) }
      case (.saveConfiguration, .success(var joined)):
        joined.isKept = joined.isKept || reply == .ok
        let words = "it cannot write its file, which takes update_config=1 in that"
        joined.savingFailure = reply == .ok ? nil : .daemonRefused(words)
        result = .success(joined)
      case (.selectNetwork, .failure(var failure)) where hasBegun && reply == .ok && failure.aftermath == .notReturning:
        failure.aftermath = .returning
        result = .failure(failure)
      default: break
      }
    }
  }

  private enum Phase {
    case attaching, readingStatus, listing, adding
    case choosing(SupplicantSurvey)
    case configuring([ControlCommand])
    case joining(Attempt)
    /// The networks of the same name are looked at; those that are replaced are of the same kind.
    case comparing(SupplicantSurvey, replaced: [ControlNetwork], JoinOutcome.Joined)
    case cleaning(Ending)
  }

  /// How passwords of SAE are turned into elements: 0 hunting and pecking, 1 hash-to-element, 2 as the access point
  /// does.
  private static let elementSetting = "sae_pwe"

  private let request: JoinRequest
  private var client: SupplicantClient
  private var phase = Phase.attaching
  private var started = Duration.zero
  private var observer: SupplicantObserver
  private var networks: [ControlNetwork] = []
  /// What was joined before.
  private var earlier: (id: Int?, bssid: MACAddress?)
  private var target: Target?

  /// A conversation that begins with ``JoinInput/start``.
  public init(_ request: JoinRequest) {
    self.request = request
    client = SupplicantClient(request.interface, replyLimit: request.limits.reply, probeDelay: request.limits.heartbeat)
    observer = SupplicantObserver(request)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [JoinAction] {
    switch client.take(input, now) {
    case .start:
      started = now
      return request.problem.map { finish(.failure(JoinFailure($0)), now) } ?? client.open(now)
    case .opened: return ask(.attach, .attaching, now)
    case .event(let event): return take(event, now)
    case .reply(let reply, let command): return take(reply, to: command, now)
    case .silent:
      let verb = client.asked?.description.prefix { $0 != " " } ?? ""
      let limit = request.limits.reply.wholeMilliseconds
      observer.note(JoinEvidence(.clock, at: now, "no answer to \(verb) within \(limit) ms; it may still be done"))
      return handOver(.daemonSilent, now)
    case .full:
      observer.note(JoinEvidence(.supplicant, at: now, "its queue takes nothing more"))
      return handOver(.daemonSilent, now)
    case .gone(let reason): return gone(reason, now)
    case .timedOut: return timedOut(now)
    case .cancelled:
      switch phase {
      case .comparing, .cleaning: return wait(now)
      default: return fail(.cancelled, .certain, now)
      }
    case .abandoned: return handOver(.cancelled, now)
    case .nothing: return wait(now)
    }
  }

  // MARK: Replies

  private mutating func take(_ reply: ControlReply, to command: ControlCommand, _ now: Duration) -> [JoinAction] {
    switch phase {
    case .attaching:
      guard reply == .ok else { return refused(reply, "ATTACH", now) }
      return ask(.status, .readingStatus, now)
    case .readingStatus:
      guard case .text(let bytes) = reply else { return refused(reply, "STATUS", now) }
      do throws(WireError) {
        let status = try ControlStatus(bytes)
        if status.state == "INTERFACE_DISABLED" { return fail(.interfaceDown, .certain, now) }
        if status.state == "COMPLETED" { earlier = (status.networkID, status.bssid) }
      } catch { return fail(.malformed(error), .certain, now) }
      return ask(.listNetworks(after: nil), .listing, now)
    case .listing:
      guard case .text(let bytes) = reply else { return refused(reply, "LIST_NETWORKS", now) }
      return listed(bytes, now)
    case .adding:
      guard let id = reply.number else { return refused(reply, "ADD_NETWORK", now) }
      target = Target(id: id, isOwn: true)
      return configure(configuration(of: id), now)
    case .configuring(let commands):
      guard reply == .ok else { return refused(reply, "SET_NETWORK", now) }
      return configure(commands, now)
    case .choosing(var survey):
      guard let answer = survey.take(reply), SupplicantFields.suits(request.security, answer.values) else { return choose(survey, now) }
      target = Target(id: answer.network.id)
      return configure(request.bssid.map { bind(answer.network, to: $0) } ?? [], now)
    case .joining(var attempt):
      switch command {
      case .selectNetwork:
        guard reply == .ok else { return refused(reply, "SELECT_NETWORK", now) }
        attempt.hasBegun = true
        attempt.nextHeartbeat = now + request.limits.heartbeat
        phase = .joining(attempt)
        return wait(now)
      case .getNetwork: return owned(reply, now)
      case .get, .set: return element(reply, to: command, now)
      default: return heartbeat(reply, attempt.association, now)
      }
    case .comparing(var survey, var replaced, let joined):
      // A network of the same name and kind that was known before has the same password or a wrong one: two would
      // take turns from now on. One that does not say what it is stays.
      if command == survey.question, let answer = survey.take(reply), SupplicantFields.suits(request.security, answer.values) {
        replaced.append(answer.network)
      }
      return compare(survey, replaced, joined, now)
    case .cleaning(var ending):
      ending.take(reply, to: command)
      return clean(ending, now)
    }
  }

  private mutating func listed(_ bytes: [UInt8], _ now: Duration) -> [JoinAction] {
    do throws(WireError) {
      networks += try ControlNetwork.list(bytes)
      guard networks.count <= KnownNetworksLimit.networks else { return fail(.daemonRefused(KnownNetworksLimit.words), .certain, now) }
      // A datagram holds 4096 bytes; where the list is longer the rest is asked for by the last number.
      if let last = networks.last, bytes.count > 3500 { return ask(.listNetworks(after: last.id), .listing, now) }
    } catch { return fail(.malformed(error), .certain, now) }
    guard request.security.needsPassword, request.password == nil else { return ask(.addNetwork, .adding, now) }
    var namesakes = networks.filter { $0.ssid == request.ssid }
    if let bssid = request.bssid {
      // One that is bound to another BSS is another network.
      namesakes = namesakes.filter { $0.bssid == bssid } + namesakes.filter { $0.bssid == nil }
    }
    return choose(SupplicantSurvey(of: namesakes, kind: request.security), now)
  }

  /// Asks what the next known network of the name is, until one is found that can be joined.
  private mutating func choose(_ survey: SupplicantSurvey, _ now: Duration) -> [JoinAction] {
    survey.question.map { ask($0, .choosing(survey), now) } ?? fail(.passwordMissing, .certain, now)
  }

  /// Sends the next command that prepares the network; with the last of them done, selects it.
  private mutating func configure(_ commands: [ControlCommand], _ now: Duration) -> [JoinAction] {
    if let next = commands.first { return ask(next, .configuring(Array(commands.dropFirst())), now) }
    target?.isSelected = true
    let attempt = Attempt(deadline: now + request.limits.join, nextHeartbeat: now)
    return [.progress(JoinProgress(.searching))] + ask(.selectNetwork(target?.id ?? 0), .joining(attempt), now)
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

  /// The commands that prepare a known network for one BSS.
  private mutating func bind(_ network: ControlNetwork, to bssid: MACAddress) -> [ControlCommand] {
    target?.isBound = network.bssid == nil
    // To select a network that is joined or being joined does nothing.
    let leaves = network.isCurrent && earlier.bssid != bssid
    target?.hasDisconnected = leaves
    return (network.bssid == nil ? [.setNetwork(network.id, "bssid", Array(bssid.description.utf8))] : []) + (leaves ? [.disconnect] : [])
  }

  // MARK: Joining

  private var attempt: Attempt? {
    get { if case .joining(let attempt) = phase { attempt } else { nil } }
    set { if let newValue { phase = .joining(newValue) } }
  }

  private mutating func take(_ event: ControlEvent, _ now: Duration) -> [JoinAction] {
    if case .networkRemoved(let id) = event.kind, id == target?.id { attempt?.doubt = .wasRemoved }
    switch (phase, event.kind) {
    case (.comparing, _), (.cleaning, _): return wait(now)
    case (_, .terminating): return gone(.daemonLost, now)
    // The supplicant acts before it answers: this may be the connection of the network before.
    case (.joining(let attempt), .connected) where !attempt.hasBegun: return wait(now)
    case (.joining(let attempt), _): return attempt.association.map { take(event, over: $0, now) } ?? observe(event, now)
    default: return wait(now)
    }
  }

  private mutating func observe(_ event: ControlEvent, _ now: Duration) -> [JoinAction] {
    if case .networkNotFound = event.kind, attempt?.element == ElementQuestion.none, observer.step == .searching,
      request.security == .sae || request.security == .pskOrSAE
    {
      attempt?.element = .wanted
      attempt?.nextHeartbeat = now
    }
    switch observer.event(event, networkID: target?.id, at: now) {
    case .none: return attempt?.element == .wanted ? beat(now) : wait(now)
    case .progress(let progress): return [.progress(progress)] + wait(now)
    case .otherNetwork:
      // Another program has selected it, or enabled it beside this one, or it is what the daemon had begun before.
      guard let attempt, attempt.hasBegun, attempt.doubt == nil else { return wait(now) }
      return doubt(.wasTried, now)
    case .connected(let bssid, let id):
      if let id, id != target?.id { return doubt(.wasJoined, now) }
      return linked(bssid, now)
    case .failed(let reason, let certainty): return fail(reason, certainty, now)
    }
  }

  /// The association can be used.
  private mutating func linked(_ bssid: MACAddress?, _ now: Duration) -> [JoinAction] {
    guard request.needsAddress, case .joining(var attempt) = phase else { return succeed(bssid, address: nil, now) }
    attempt.association = Association(bssid: bssid)
    attempt.deadline = now + request.limits.address
    attempt.nextHeartbeat = now
    phase = .joining(attempt)
    return [.progress(JoinProgress(.address, bssid: bssid))] + beat(now)
  }

  /// Takes in an event while an address is waited for.
  private mutating func take(_ event: ControlEvent, over association: Association, _ now: Duration) -> [JoinAction] {
    switch event.kind {
    case .disconnected(_, let reason, let isLocal):
      observer.note(JoinEvidence(.supplicant, at: now, event.line))
      guard isLocal else { return fail(.dismissed(.address, reason: reason), .certain, now) }
      if reason == ReasonCode.inactivity || association.hasLostBeacons { return fail(.lost(.address), .certain, now) }
      // The supplicant left by itself, as another program asked it to; what it does next shows for which network.
      attempt?.association?.hasLeft = true
      attempt?.nextHeartbeat = now
      return beat(now)
    case .beaconLoss:
      observer.note(JoinEvidence(.supplicant, at: now, event.line))
      attempt?.association?.hasLostBeacons = true
    case .connected(let bssid, let id):
      if let id, id != target?.id { return fail(.superseded, .certain, now) }
      attempt?.association = Association(bssid: bssid)
    default: break
    }
    return wait(now)
  }

  /// Asks for the state, where it is time for that.
  private mutating func beat(_ now: Duration) -> [JoinAction] {
    guard case .joining(var attempt) = phase, client.asked == nil, now >= attempt.nextHeartbeat else { return wait(now) }
    if attempt.doubt != nil { return ask(.getNetwork(target?.id ?? 0, "disabled"), phase, now) }
    if attempt.element == .wanted {
      attempt.element = .asked(earlier: nil)
      return ask(.get(Self.elementSetting), .joining(attempt), now)
    }
    attempt.nextHeartbeat = now + request.limits.heartbeat
    return ask(.status, .joining(attempt), now)
  }

  /// Asks at once whether another network was selected.
  private mutating func doubt(_ doubt: Doubt, _ now: Duration) -> [JoinAction] {
    attempt?.doubt = doubt
    attempt?.nextHeartbeat = now
    return beat(now)
  }

  /// The answer about the attempt's network: who selects another disables it, who removes it leaves nothing to ask
  /// about.
  private mutating func owned(_ reply: ControlReply, _ now: Duration) -> [JoinAction] {
    switch reply {
    case .fail:
      attempt?.doubt = .wasRemoved
      return fail(.superseded, .certain, now)
    case .text(let bytes) where bytes.first == UInt8(ascii: "1"):
      // The other was selected, so what is disabled is to stay so.
      attempt?.doubt = nil
      return fail(.superseded, .certain, now)
    case _ where attempt?.doubt == .wasJoined: return fail(.superseded, .certain, now)
    default:
      attempt?.doubt = nil
      return beat(now)
    }
  }

  /// The answer about how passwords of SAE are turned into elements.
  ///
  /// By default wpa_supplicant 2.10 passes over access points that want hash-to-element alone (IEEE 802.11-2020
  /// 12.4.4.2.3), as if it did not hear them. It looks at the setting with each scan.
  private mutating func element(_ reply: ControlReply, to command: ControlCommand, _ now: Duration) -> [JoinAction] {
    let both = Array("2".utf8)
    if case .get = command, case .text(let bytes) = reply, let value = bytes.split(separator: 0x0A).first.map(Array.init),
      value.count == 1, value != both
    {
      attempt?.element = .asked(earlier: value)
      return ask(.set(Self.elementSetting, both), phase, now)
    }
    if reply != .ok { attempt?.element = .asked(earlier: nil) }
    return beat(now)
  }

  private mutating func heartbeat(_ reply: ControlReply, _ association: Association?, _ now: Duration) -> [JoinAction] {
    guard case .text(let bytes) = reply, let status = try? ControlStatus(bytes) else { return wait(now) }
    let hasLeft = association?.hasLeft ?? false
    switch status.state {
    case "INTERFACE_DISABLED": return fail(.interfaceDown, .certain, now)
    case "DISCONNECTED" where hasLeft, "INACTIVE" where hasLeft: return fail(.superseded, .likely, now)
    case _ where hasLeft && status.networkID.map { $0 != target?.id } ?? false: return fail(.superseded, .certain, now)
    case "COMPLETED":
      // The event may have been lost; the state is the truth.
      if let id = status.networkID, id != target?.id { return doubt(.wasJoined, now) }
      guard let association else { return linked(status.bssid, now) }
      return status.address.map { succeed(association.bssid, address: $0, now) } ?? wait(now)
    default: return wait(now)
    }
  }

  private mutating func timedOut(_ now: Duration) -> [JoinAction] {
    let probe: [JoinAction] = client.probe(now)
    // Both may fall on one moment: then neither is waited for.
    if case .joining(let attempt) = phase, attempt.hasBegun, now >= attempt.deadline {
      observer.note(JoinEvidence(.clock, at: now, "not joined within \((attempt.deadline - started).wholeMilliseconds) ms"))
      if let association = attempt.association {
        return probe + (association.hasLeft ? fail(.lost(.address), .likely, now) : fail(.noAddress, .certain, now))
      }
      let (reason, certainty) = observer.verdict
      return probe + fail(reason, certainty, now)
    }
    return probe.isEmpty ? beat(now) : probe + wait(now)
  }

  // MARK: The end

  private mutating func succeed(_ bssid: MACAddress?, address: String?, _ now: Duration) -> [JoinAction] {
    let isOwn = target?.isOwn ?? false
    let namesakes = networks.filter { $0.ssid == request.ssid && $0.bssid == request.bssid && $0.id != target?.id }
    let survey = SupplicantSurvey(of: isOwn && request.isKept ? namesakes : [], kind: request.security)
    return compare(survey, [], .init(bssid: bssid, address: address, isKept: !isOwn), now)
  }

  /// Asks what the next network of the same name is; with the last of them known, cleans up.
  private mutating func compare(
    _ survey: SupplicantSurvey, _ replaced: [ControlNetwork], _ joined: JoinOutcome.Joined, _ now: Duration
  ) -> [JoinAction] {
    phase = .comparing(survey, replaced: replaced, joined)
    // The answer to a heartbeat may be on its way; it comes first.
    if client.asked != nil { return wait(now) }
    return survey.question.map { ask($0, phase, now) } ?? clean(ending(joined, replacing: replaced), now)
  }

  /// The commands that undo the binding to one BSS.
  private var unbinding: [ControlCommand] {
    target.map { $0.isBound ? [.setNetwork($0.id, "bssid", Array("any".utf8))] : [] } ?? []
  }

  /// The end of a join, in which the network takes the place of others.
  private func ending(_ joined: JoinOutcome.Joined, replacing replaced: [ControlNetwork]) -> Ending {
    var commands = unbinding
    if let target, let old = replaced.first { commands += inheritedFields.map { .duplicateNetwork(old.id, target.id, $0) } }
    commands += replaced.map { .removeNetwork($0.id) }
    commands += enabling(networks.filter { !$0.isDisabled && !replaced.contains($0) }, but: target?.id)
    return Ending(result: .success(joined), commands: commands + (request.isKept ? [.saveConfiguration] : []))
  }

  /// What a network that is replaced hands on: all that its user may have set and that says nothing of how its keys are
  /// agreed on.
  ///
  /// A field that is not set is refused, which changes nothing.
  private var inheritedFields: [String] {
    ["priority", "id_str", "bgscan", "mac_addr", "freq_list", "scan_freq"] + (request.isHidden ? [] : ["scan_ssid"])
  }

  private mutating func refused(_ reply: ControlReply, _ command: String, _ now: Duration) -> [JoinAction] {
    let words = reply == .unknownCommand ? "it does not know \(command)" : "\(command) failed"
    observer.note(JoinEvidence(.supplicant, at: now, words))
    return fail(reply == .fail("BUSY") ? .busy : .daemonRefused(words), .certain, now)
  }

  private mutating func fail(_ reason: JoinFailure.Reason, _ certainty: Certainty, _ now: Duration) -> [JoinAction] {
    clean(ending(reason, certainty), now)
  }

  /// What has become of the network of before, as long as the daemon has not agreed to return to it.
  private var aftermath: JoinFailure.Aftermath {
    guard let id = earlier.id else { return .nothingBefore }
    guard let target, id == target.id ? target.hasDisconnected : target.isSelected else { return .stayed }
    return .notReturning
  }

  /// The commands that enable networks without joining one of them.
  private func enabling(_ networks: [ControlNetwork], but id: Int?) -> [ControlCommand] {
    networks.filter { $0.id != id }.map { .enableNetwork($0.id, connects: false) }
  }

  /// The end of an attempt that has failed.
  private func ending(_ reason: JoinFailure.Reason, _ certainty: Certainty) -> Ending {
    let failure = JoinFailure(reason, certainty, evidence: observer.evidence, aftermath: aftermath)
    let isOwn = target?.isOwn ?? false
    var commands = unbinding
    if isOwn, let target { commands.append(.removeNetwork(target.id)) }
    if case .asked(let value?) = attempt?.element { commands.append(.set(Self.elementSetting, value)) }
    let others = networks.filter { !$0.isDisabled && !(isOwn && $0.id == target?.id) }
    if let target, target.isSelected || target.hasDisconnected, reason != .superseded {
      if let id = earlier.id, id != target.id || !isOwn {
        commands.append(.selectNetwork(id))
        commands += enabling(others, but: id)
      } else {
        // Without a network to return to the daemon looks for one by itself, as it did. After a cancelled join it would
        // find the one that is not wants any more, unless that is disabled: then it is to join none until it is asked
        // to.
        let known = isOwn ? nil : networks.first { $0.id == target.id }
        let isLeaving = reason == .cancelled && known?.isDisabled == false
        if isLeaving { commands.append(.disconnect) }
        commands += others.map { .enableNetwork($0.id, connects: !isLeaving) }
        if let known, known.isDisabled { commands.append(.disableNetwork(known.id)) }
      }
    } else if let doubt = attempt?.doubt, doubt != .wasTried {
      // No other program selected a network, so those that this one disabled are not to stay so.
      commands += enabling(others, but: target?.id)
    }
    return Ending(result: .failure(failure), commands: commands)
  }

  /// Sends the next command of those that leave everything as it is to be.
  private mutating func clean(_ ending: Ending, _ now: Duration) -> [JoinAction] {
    var ending = ending
    phase = .cleaning(ending)
    // The answer to a heartbeat, or the number of a network that is being added, may be on its way; it comes first.
    if client.asked != nil { return wait(now) }
    guard let command = ending.commands.first else { return finish(ending.result, now) }
    ending.commands.removeFirst()
    ending.hasBegun = true
    return ask(command, .cleaning(ending), now)
  }

  /// The daemon is gone: there is no daemon to clean up with, and what it held in memory went with it, the association
  /// of a success included.
  private mutating func gone(_ reason: JoinFailure.Reason, _ now: Duration) -> [JoinAction] {
    if case .cleaning(let ending) = phase, case .failure = ending.result { return finish(ending.result, now) }
    return finish(.failure(JoinFailure(reason, evidence: observer.evidence, aftermath: aftermath)), now)
  }

  /// Sends what is left to do without looking for answers: the daemon does not answer, or the caller cannot wait.
  ///
  /// A daemon that hangs does what it was asked for as soon as it goes on, because the kernel keeps the datagrams.
  ///
  /// - Parameter reason: why the attempt fails, where its end was not decided.
  private mutating func handOver(_ reason: JoinFailure.Reason, _ now: Duration) -> [JoinAction] {
    var ending =
      switch phase {
      case .cleaning(let ending): ending
      case .comparing(_, let replaced, let joined): ending(joined, replacing: replaced)
      default: ending(reason, .certain)
      }
    if reason == .daemonSilent, case .success(var joined) = ending.result,
      client.asked == .saveConfiguration || ending.commands.contains(.saveConfiguration)
    {
      joined.savingFailure = reason
      ending.result = .success(joined)
    }
    return client.send(ending.commands) + finish(ending.result, now)
  }

  private mutating func finish(_ result: Result<JoinOutcome.Joined, JoinFailure>, _ now: Duration) -> [JoinAction] {
    client.finish(JoinOutcome(result, after: now - started))
  }

  /// Enters a phase that waits for the answer to a command.
  private mutating func ask(_ command: ControlCommand, _ next: Phase, _ now: Duration) -> [JoinAction] {
    phase = next
    return client.ask(command, now) + wait(now)
  }

  private func wait(_ now: Duration) -> [JoinAction] {
    guard let attempt, attempt.hasBegun else { return [.wait(until: client.deadline ?? now + request.limits.reply)] }
    return [.wait(until: min(client.deadline ?? attempt.nextHeartbeat, attempt.deadline))]
  }
}
