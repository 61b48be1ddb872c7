import DaemonProtocols
public import WiFi

/// Lists and changes the networks of wpa_supplicant's configuration.
///
///     opening → status → listing → reading the fields of each ⟶ [changing → saving → status → …] → finished
///                                                               ↳ undoing → finished
///
/// A network is copied with `DUP_NETWORK`, so its password never leaves the daemon. `GET_NETWORK` answers `*` for a secret; that is all that is read of one.
/// `SAVE_CONFIG` writes the whole configuration as it is in memory, what another program changed there and did not save among it.
public struct SupplicantKnownNetworksSession: KnownNetworksSession {
  private enum State: Hashable {
    case idle, opening, status, listing, reading, adding, remembering, changing, undoing, saving, finished
  }

  /// What is read of a network while it is listed.
  private struct Entry: Hashable, Sendable {
    var network: ControlNetwork
    var fields: [String: [UInt8]] = [:]
    var isJoined = false
  }

  /// A command that changes something, and the one that takes it back.
  private struct Change: Hashable, Sendable {
    var command: ControlCommand
    var undo: ControlCommand?
    /// Whether a refusal means only that there is nothing to do.
    var mayFail = false
  }

  private static let wepKeys = SupplicantFields.wepKeys
  private static let secretFields = ["psk", "sae_password", "password", "private_key_passwd"] + wepKeys
  private static let listedFields = ["key_mgmt", "priority", "scan_ssid"]
  /// The fields that a copy takes over, as far as they are set; `bssid` and `disabled` come with them.
  private static let copiedFields =
    [
      "ssid", "scan_ssid", "bssid", "psk", "sae_password", "sae_password_id", "key_mgmt", "proto", "pairwise", "group",
      "group_mgmt", "auth_alg", "ieee80211w", "priority", "eap", "identity", "anonymous_identity", "password", "ca_cert", "ca_path",
      "client_cert", "private_key",
      "private_key_passwd", "subject_match", "altsubject_match", "domain_match", "domain_suffix_match", "phase1", "phase2", "wep_tx_keyidx",
      "freq_list", "scan_freq", "bgscan", "mac_addr", "id_str", "owe_group", "transition_disable", "disabled",
    ] + wepKeys

  private let request: KnownNetworkRequest
  private let channel: ControlChannel
  private let replyLimit: Duration
  private var state = State.idle
  private var deadline = Duration.zero
  /// When the conversation as a whole must have ended.
  private var end = Duration.zero
  /// Whether a command waits for its answer; only then a reply counts.
  private var isAsking = false
  private var joinedID: Int?
  private var entries: [Entry] = []
  /// The fields that are still to be read, of which entry.
  private var questions: [(entry: Int, field: String)] = []
  private var changes: [Change] = []
  private var undos: [ControlCommand] = []
  /// What the fields were that an edit changes.
  private var earlier: [String: [UInt8]] = [:]
  private var fieldsToRemember: [String] = []
  /// The number of the network that the request is about or has made.
  private var subject: Int?
  private var isSaved = true
  private var hasChanged = false
  private var failure: KnownNetworkError?
  private var changedID: KnownNetwork.ID?

  /// A conversation that begins with ``JoinInput/start``.
  public init(_ request: KnownNetworkRequest, interface: String, replyLimit: Duration = .seconds(5)) {
    self.request = request
    self.replyLimit = replyLimit
    channel = .supplicant(interface: interface)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [ControlAction<KnownNetworksOutcome>] {
    switch (state, input) {
    case (.idle, .start):
      if let problem = request.problem(for: .supplicant) { return finish(.failure(problem)) }
      state = .opening
      end = now + KnownNetworksLimit.time
      deadline = now + replyLimit
      return [.open(channel), .wait(until: deadline)]
    case (.idle, _), (.finished, _): preconditionFailure("SupplicantKnownNetworksSession: \(input) in state \(state)")
    case (_, .start): preconditionFailure("SupplicantKnownNetworksSession: start in state \(state)")
    case (.opening, .opened): return send(.status, .status, now)
    case (_, .opened): return [.wait(until: deadline)]
    case (_, .refused(_, let error)):
      if state == .opening { return finish(.failure(KnownNetworkError(error.joinReason))) }
      return finish(.failure(finally(error.number == KernelError.Number.again ? .daemonSilent : .daemonLost)))
    case (_, .closed): return finish(.failure(finally(.daemonLost)))
    case (_, .abandoned): return abandon()
    case (.undoing, .cancelled), (.saving, .cancelled): return [.wait(until: deadline)]
    // What is done, or cannot be taken back, is brought to its end.
    case (_, .cancelled) where hasChanged || state == .changing && changedID != nil: return [.wait(until: deadline)]
    case (_, .cancelled):
      if failure == nil { failure = .cancelled }
      // What is on its way is answered first, so that it can be taken back.
      return isAsking && (state == .changing || state == .adding) ? [.wait(until: deadline)] : undo(now)
    case (_, .timedOut):
      guard now >= deadline else { return [.wait(until: deadline)] }
      failure = finally(.daemonSilent)
      return abandon()
    case (_, .received(_, let bytes)):
      guard case .reply(let reply) = ControlMessage(bytes), isAsking else { return [.wait(until: deadline)] }
      isAsking = false
      return handle(reply, now)
    }
  }

  // MARK: Listing

  private mutating func handle(_ reply: ControlReply, _ now: Duration) -> [KnownNetworksAction] {
    switch state {
    case .idle, .opening, .finished: return [.wait(until: deadline)]
    case .status:
      guard case .text(let bytes) = reply, let status = try? ControlStatus(bytes) else { return refuse(reply, "STATUS", now) }
      joinedID = status.state == "COMPLETED" ? status.networkID : nil
      entries = []
      return send(.listNetworks(after: nil), .listing, now)
    case .listing:
      guard case .text(let bytes) = reply else { return refuse(reply, "LIST_NETWORKS", now) }
      return listed(bytes, now)
    case .reading:
      let (entry, field) = questions.removeFirst()
      if case .text(let value) = reply { entries[entry].fields[field] = value }
      if field == "key_mgmt", keyManagement(of: entries[entry]).contains("NONE") {
        questions.insert(contentsOf: Self.wepKeys.map { (entry, $0) }, at: 0)
      }
      return read(now)
    case .remembering:
      let field = fieldsToRemember.removeFirst()
      if case .text(let value) = reply { earlier[field] = value }
      return remember(now)
    case .adding:
      guard let id = reply.number else { return refuse(reply, "ADD_NETWORK", now) }
      subject = id
      undos = [.removeNetwork(id)]
      if failure != nil { return undo(now) }
      changes = additions(id)
      return change(now)
    case .changing:
      let done = changes.removeFirst()
      guard reply == .ok || done.mayFail else { return refuse(reply, "\(done.command)", now) }
      if reply == .ok, let taken = done.undo { undos.insert(taken, at: 0) }
      if failure != nil { return undo(now) }
      return change(now)
    case .undoing: return undo(now)
    case .saving:
      isSaved = reply == .ok
      hasChanged = true
      return send(.status, .status, now)
    }
  }

  private mutating func listed(_ bytes: [UInt8], _ now: Duration) -> [KnownNetworksAction] {
    do throws(WireError) {
      let more = try ControlNetwork.list(bytes)
      entries += more.map { Entry(network: $0, isJoined: $0.id == joinedID) }
      guard entries.count <= KnownNetworksLimit.networks else { return fail(KnownNetworksLimit.tooMany, now) }
      if let last = more.last, bytes.count > 3500 { return send(.listNetworks(after: last.id), .listing, now) }
    } catch { return fail(.malformed(error), now) }
    questions = entries.indices.flatMap { entry in Self.listedFields.map { (entry, $0) } }
    return read(now)
  }

  private mutating func read(_ now: Duration) -> [KnownNetworksAction] {
    guard let (entry, field) = questions.first else { return known(now) }
    return send(.getNetwork(entries[entry].network.id, field), .reading, now)
  }

  private func keyManagement(of entry: Entry) -> [Substring] {
    SupplicantFields.names(entry.fields["key_mgmt"])
  }

  private func value(_ entry: Entry) -> KnownNetwork {
    let priority = entry.fields["priority"].flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    return KnownNetwork(
      id: .init(key: "\(entry.network.id)", ssid: entry.network.ssid),
      security: SupplicantFields.security(
        keyManagement: keyManagement(of: entry), hasWEPKey: Self.wepKeys.contains { entry.fields[$0] != nil }),
      priority: priority, joinsAutomatically: !entry.network.isDisabled, isHidden: entry.fields["scan_ssid"] == Array("1".utf8),
      isJoined: entry.isJoined)
  }

  /// All is read: the answer, or what the request changes.
  private mutating func known(_ now: Duration) -> [KnownNetworksAction] {
    let networks = entries.map(value)
    if hasChanged {
      if changedID == nil { changedID = networks.first { $0.id.key == subject.map { "\($0)" } }?.id }
      return finish(.success(KnownNetworkAnswer(networks: networks, changed: changedID, isSaved: isSaved)))
    }
    switch request {
    case .list: return finish(.success(KnownNetworkAnswer(networks: networks)))
    case .add: return send(.addNetwork, .adding, now)
    case .edit(let id, let edit):
      guard let network = networks.first(where: { $0.id == id }) else { return finish(.failure(.unknownNetwork(id.ssid))) }
      if let problem = edit.problem(with: network) { return finish(.failure(problem)) }
      guard !edit.isEmpty else { return finish(.success(KnownNetworkAnswer(networks: networks, changed: id))) }
      subject = Int(id.key)
      fieldsToRemember = ["sae_password"] + fields(edit).map(\.name).filter { $0 != "psk" && $0 != "sae_password" }
      return remember(now)
    case .duplicate(let id, let edit):
      guard let network = networks.first(where: { $0.id == id }) else { return finish(.failure(.unknownNetwork(id.ssid))) }
      if let problem = edit.problem(with: network) { return finish(.failure(problem)) }
      subject = Int(id.key)
      fieldsToRemember = Self.secretFields
      return remember(now)
    case .forget(let id):
      guard networks.contains(where: { $0.id == id }), let number = Int(id.key) else {
        return finish(.failure(.unknownNetwork(id.ssid)))
      }
      changedID = id
      changes = [Change(command: .removeNetwork(number))]
      return change(now)
    }
  }

  // MARK: Changing

  /// Reads what an edit is going to change, so that it can be taken back, and which secrets a copy must have.
  private mutating func remember(_ now: Duration) -> [KnownNetworksAction] {
    guard let subject else { preconditionFailure("SupplicantKnownNetworksSession: nothing to remember") }
    if let field = fieldsToRemember.first { return send(.getNetwork(subject, field), .remembering, now) }
    guard case .edit(_, let edit) = request else { return send(.addNetwork, .adding, now) }
    changes = fields(edit).map { field in
      Change(command: field.command(subject), undo: earlier[field.name].map { .setNetwork(subject, field.name, $0) })
    }
    // The password before WPA3 had one of its own would win over the new one.
    if edit.password != nil, earlier["sae_password"] != nil, changes.contains(where: { $0.command.field == "psk" }) {
      changes.append(Change(command: .setNetwork(subject, "sae_password", Array("NULL".utf8))))
    }
    if let joins = edit.joinsAutomatically {
      let wasDisabled = entries.first { $0.network.id == subject }?.network.isDisabled == true
      changes.insert(Change(command: automatic(subject, joins), undo: automatic(subject, !wasDisabled)), at: 0)
    }
    return change(now)
  }

  /// The fields that an edit changes; the password is the last, as it cannot be taken back.
  private func fields(_ edit: KnownNetworkEdit) -> [SupplicantFields.Field] {
    var fields: [SupplicantFields.Field] = []
    if let ssid = edit.ssid { fields.append(SupplicantFields.ssid(ssid)) }
    if let isHidden = edit.isHidden { fields.append(SupplicantFields.hidden(isHidden)) }
    if let priority = edit.priority { fields.append(.init("priority", "\(priority)")) }
    if let security = edit.security { fields += SupplicantFields.security(security) }
    if let password = edit.password {
      fields.append(password.withBytes { SupplicantFields.password($0, for: edit.security ?? editedSecurity ?? .psk) })
    }
    return fields
  }

  /// The security of the network that is edited or copied, as it is.
  private var editedSecurity: JoinSecurity? {
    switch request {
    case .edit(let id, _), .duplicate(let id, _): entries.first { "\($0.network.id)" == id.key }.map { value($0).security }
    default: nil
    }
  }

  /// Whether the network is joined by itself; neither way joins or leaves it now.
  private func automatic(_ id: Int, _ joins: Bool) -> ControlCommand {
    joins ? .enableNetwork(id, connects: false) : .setNetwork(id, "disabled", Array("1".utf8))
  }

  /// The commands that fill a network that was just added.
  private func additions(_ id: Int) -> [Change] {
    switch request {
    case .add(let draft):
      var fields = [SupplicantFields.ssid(draft.ssid), SupplicantFields.hidden(draft.isHidden)]
      fields += SupplicantFields.security(draft.security)
      if draft.priority != 0 { fields.append(.init("priority", "\(draft.priority)")) }
      if let password = draft.password { fields.append(password.withBytes { SupplicantFields.password($0, for: draft.security) }) }
      return fields.map { Change(command: $0.command(id)) } + [Change(command: automatic(id, draft.joinsAutomatically))]
    case .duplicate(let source, let edit):
      let number = Int(source.key) ?? -1
      // A field that is not set is refused. A secret that is set must come, or the copy would be of no use.
      var changes = Self.copiedFields.map {
        Change(command: .duplicateNetwork(number, id, $0), mayFail: !Self.secretFields.contains($0) || earlier[$0] == nil)
      }
      changes += fields(edit).map { Change(command: $0.command(id)) }
      if let password = edit.password?.withBytes({ SupplicantFields.password($0, for: edit.security ?? editedSecurity ?? .psk) }),
        password.name == "psk"
      {
        changes.append(Change(command: .setNetwork(id, "sae_password", Array("NULL".utf8)), mayFail: true))
      }
      if let joins = edit.joinsAutomatically { changes.append(Change(command: automatic(id, joins))) }
      return changes
    case .list, .edit, .forget: return []
    }
  }

  private mutating func change(_ now: Duration) -> [KnownNetworksAction] {
    guard let next = changes.first else { return send(.saveConfiguration, .saving, now) }
    return send(next.command, .changing, now)
  }

  // MARK: The end

  private mutating func refuse(_ reply: ControlReply, _ command: String, _ now: Duration) -> [KnownNetworksAction] {
    if case .fail("BUSY"?) = reply { return fail(.busy, now) }
    return fail(.refused(reply == .unknownCommand ? "it does not know \(command)" : "\(command) failed"), now)
  }

  private mutating func fail(_ error: KnownNetworkError, _ now: Duration) -> [KnownNetworksAction] {
    if failure == nil { failure = finally(error) }
    return undo(now)
  }

  /// What went wrong, told as what it is once the change was made: only what there is now cannot be said any more.
  private func finally(_ error: KnownNetworkError) -> KnownNetworkError {
    switch state {
    case _ where hasChanged: .notListed(isSaved: isSaved, "\(error)")
    case .saving where error == .daemonSilent || error == .daemonLost: .unconfirmed("\(error)")
    default: error
    }
  }

  /// Takes back what was changed, the last first, as long as the daemon was not asked to save it.
  private mutating func undo(_ now: Duration) -> [KnownNetworksAction] {
    guard !undos.isEmpty, !hasChanged else { return finish(.failure(failure ?? .cancelled)) }
    return send(undos.removeFirst(), .undoing, now)
  }

  /// Nobody can wait any more: what is left to take back is sent without looking for answers.
  private mutating func abandon() -> [KnownNetworksAction] {
    let rest: [KnownNetworksAction] =
      state == .saving || hasChanged ? [] : undos.map { .send(ControlPayload($0.encoded, isSecret: $0.isSecret), channel) }
    return rest + finish(.failure(failure ?? .cancelled))
  }

  private mutating func send(_ command: ControlCommand, _ next: State, _ now: Duration) -> [KnownNetworksAction] {
    state = next
    isAsking = true
    deadline = min(now + replyLimit, end)
    return [.send(ControlPayload(command.encoded, isSecret: command.isSecret), channel), .wait(until: deadline)]
  }

  private mutating func finish(_ outcome: KnownNetworksOutcome) -> [KnownNetworksAction] {
    let wasOpen = state != .idle
    state = .finished
    return (wasOpen ? [.close(channel)] : []) + [.finish(outcome)]
  }
}

extension ControlCommand {
  /// The field that `SET_NETWORK` sets.
  fileprivate var field: String? { if case .setNetwork(_, let field, _) = self { field } else { nil } }
}
