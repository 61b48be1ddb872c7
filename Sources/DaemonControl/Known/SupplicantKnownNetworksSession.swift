import DaemonProtocols
public import WiFi

/// Lists and changes the networks of wpa_supplicant's configuration.
///
///     opening → status → listing → reading the fields of each ⟶ [changing → saving → status → …] → finished
///                                                               ↳ undoing → finished
///
/// A network is copied with `DUP_NETWORK`, so its password never leaves the daemon. `GET_NETWORK` answers `*` for a
/// secret; that is all that is read of one. `SAVE_CONFIG` writes the whole configuration as it is in memory, what
/// another program changed there and did not save among it.
public struct SupplicantKnownNetworksSession: KnownNetworksSession {
  private enum Phase {
    case status, saving
    case listing([ControlNetwork])
    case reading(SupplicantSurvey, [KnownNetwork])
    /// The fields of the network that is to be changed or copied, and the values of those that were read.
    case remembering([String], values: [String: [UInt8]])
    /// The values of the secrets that a copy must have.
    case adding(values: [String: [UInt8]])
    /// The changes that are left, the first of which was asked for, and what takes back those before, the last first.
    case changing([Change], undos: [ControlCommand])
    /// What is on its way is answered first, so that it can be taken back: a change, or the number of a new network.
    case cancelling(Change?, undos: [ControlCommand])
    case undoing([ControlCommand], KnownNetworkError)
  }

  /// A command that changes something, and the one that takes it back.
  private struct Change: Hashable, Sendable {
    var command: ControlCommand
    var undo: ControlCommand?
    var refusal = Refusal.failure
  }

  /// What it means that the daemon refuses a change.
  private enum Refusal {
    case failure, nothingToDo
    /// The network that is copied was removed meanwhile.
    case gone
  }

  private static let secretFields = ["psk", "sae_password", "password", "private_key_passwd"] + SupplicantFields.wepKeys
  private static let listedFields = ["key_mgmt", "priority", "scan_ssid"]
  /// The field that is set in each network.
  private static let certainField = "disabled"
  /// The fields that a copy takes over, as far as they are set; `bssid` and `disabled` come with them.
  private static let copiedFields =
    [
      "ssid", "scan_ssid", "bssid", "psk", "sae_password", "sae_password_id", "key_mgmt", "proto", "pairwise", "group",
      "group_mgmt", "auth_alg", "ieee80211w", "priority", "eap", "identity", "anonymous_identity", "password", "ca_cert", "ca_path",
      "client_cert", "private_key", "private_key_passwd", "subject_match", "altsubject_match", "domain_match", "domain_suffix_match",
      "phase1", "phase2", "wep_tx_keyidx", "freq_list", "scan_freq", "bgscan", "mac_addr", "id_str", "owe_group", "transition_disable",
      certainField,
    ] + SupplicantFields.wepKeys

  private let request: KnownNetworkRequest
  private var client: SupplicantClient
  private var phase = Phase.status
  private var joinedID: Int?
  /// The networks as they were listed last.
  private var networks: [KnownNetwork] = []
  /// The number of the network that the request is about or has made.
  private var subject: Int?
  /// Whether the daemon has saved what was changed; `nil` before it has answered that.
  private var isSaved: Bool?

  /// A conversation that begins with ``JoinInput/start``.
  public init(_ request: KnownNetworkRequest, interface: String, replyLimit: Duration = .seconds(5)) {
    self.request = request
    client = SupplicantClient(interface, replyLimit: replyLimit, limit: KnownNetworksLimit.time)
  }

  public mutating func handle(_ input: JoinInput, at now: Duration) -> [ControlAction<KnownNetworksOutcome>] {
    switch client.take(input, now) {
    case .start: return request.problem(for: .supplicant).map { client.finish(.failure($0)) } ?? client.open(now)
    case .opened: return ask(.status, .status, now)
    case .reply(let reply, _): return take(reply, now)
    case .silent: return abandon(finally(.daemonSilent))
    case .full: return client.finish(.failure(finally(.daemonSilent)))
    case .gone(let reason): return client.finish(.failure(finally(KnownNetworkError(reason))))
    case .cancelled: return cancel(now)
    case .abandoned: return abandon(.cancelled)
    case .event, .timedOut, .nothing: return wait(now)
    }
  }

  // MARK: Listing

  private mutating func take(_ reply: ControlReply, _ now: Duration) -> [KnownNetworksAction] {
    switch phase {
    case .status:
      guard case .text(let bytes) = reply, let status = try? ControlStatus(bytes) else { return refuse(reply, "STATUS", now) }
      joinedID = status.state == "COMPLETED" ? status.networkID : nil
      return ask(.listNetworks(after: nil), .listing([]), now)
    case .listing(let listed):
      guard case .text(let bytes) = reply else { return refuse(reply, "LIST_NETWORKS", now) }
      return list(bytes, behind: listed, now)
    case .reading(var survey, var known):
      if let answer = survey.take(reply) { known.append(network(answer)) }
      return read(survey, known, now)
    case .remembering(var fields, var values):
      let field = fields.removeFirst()
      if case .text(let value) = reply { values[field] = value }
      return remember(fields, values, now)
    case .adding(let values):
      guard let id = reply.number else { return refuse(reply, "ADD_NETWORK", now) }
      subject = id
      return change(additions(id, values), [.removeNetwork(id)], now)
    case .changing(var changes, var undos):
      let done = changes.removeFirst()
      if reply != .ok, done.refusal == .gone, let edited { return fail(.unknownNetwork(edited.id.ssid), now) }
      guard reply == .ok || done.refusal == .nothingToDo else { return refuse(reply, "\(done.command)", now) }
      if reply == .ok, let taken = done.undo { undos.insert(taken, at: 0) }
      return change(changes, undos, now)
    case .cancelling(let change, var undos):
      if change == nil, let id = reply.number { undos = [.removeNetwork(id)] }
      if reply == .ok, let taken = change?.undo { undos.insert(taken, at: 0) }
      return undo(undos, .cancelled, now)
    case .undoing(let undos, let failure): return undo(undos, failure, now)
    case .saving:
      isSaved = reply == .ok
      return ask(.status, .status, now)
    }
  }

  private mutating func list(_ bytes: [UInt8], behind listed: [ControlNetwork], _ now: Duration) -> [KnownNetworksAction] {
    do throws(WireError) {
      let listed = try listed + ControlNetwork.list(bytes)
      guard listed.count <= KnownNetworksLimit.networks else { return fail(KnownNetworksLimit.tooMany, now) }
      if let last = listed.last, bytes.count > 3500 { return ask(.listNetworks(after: last.id), .listing(listed), now) }
      return read(SupplicantSurvey(Self.listedFields, of: listed, kind: .open), [], now)
    } catch { return fail(.malformed(error), now) }
  }

  private mutating func read(_ survey: SupplicantSurvey, _ known: [KnownNetwork], _ now: Duration) -> [KnownNetworksAction] {
    if let question = survey.question { return ask(question, .reading(survey, known), now) }
    networks = known
    guard let isSaved else { return perform(now) }
    var changed = networks.first { Int($0.id.key) == subject }?.id
    if case .forget(let id) = request { changed = id }
    return client.finish(.success(KnownNetworkAnswer(networks: networks, changed: changed, isSaved: isSaved)))
  }

  private func network(_ answer: SupplicantSurvey.Answer) -> KnownNetwork {
    let (network, values) = (answer.network, answer.values)
    return KnownNetwork(
      id: .init(key: "\(network.id)", ssid: network.ssid), security: SupplicantFields.security(values),
      priority: values["priority"].flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0,
      joinsAutomatically: !network.isDisabled, isHidden: values["scan_ssid"] == Array("1".utf8), isJoined: network.id == joinedID)
  }

  /// Answers what was asked, or begins to change it.
  private mutating func perform(_ now: Duration) -> [KnownNetworksAction] {
    switch request {
    case .list: return client.finish(.success(KnownNetworkAnswer(networks: networks)))
    case .add: return ask(.addNetwork, .adding(values: [:]), now)
    case .edit(let id, let edit), .duplicate(let id, let edit):
      guard let edited else { return client.finish(.failure(.unknownNetwork(id.ssid))) }
      if let problem = edit.problem(with: edited) { return client.finish(.failure(problem)) }
      subject = Int(id.key)
      if case .duplicate = request { return remember(Self.secretFields, [:], now) }
      guard !edit.isEmpty else { return client.finish(.success(KnownNetworkAnswer(networks: networks, changed: id))) }
      return remember(["sae_password"] + fields(edit).map(\.name).filter { $0 != "psk" && $0 != "sae_password" }, [:], now)
    case .forget(let id):
      guard edited != nil, let number = Int(id.key) else { return client.finish(.failure(.unknownNetwork(id.ssid))) }
      return change([Change(command: .removeNetwork(number))], [], now)
    }
  }

  // MARK: Changing

  /// Reads what an edit is going to change, so that it can be taken back, and which secrets a copy must have.
  private mutating func remember(_ rest: [String], _ values: [String: [UInt8]], _ now: Duration) -> [KnownNetworksAction] {
    guard let subject else { preconditionFailure("SupplicantKnownNetworksSession: nothing to remember") }
    if let field = rest.first { return ask(.getNetwork(subject, field), .remembering(rest, values: values), now) }
    guard case .edit(_, let edit) = request else { return ask(.addNetwork, .adding(values: values), now) }
    let fields = fields(edit)
    var changes = fields.map { field in
      let command = field.command(subject)
      // Of a secret the daemon says only that it is set.
      let earlier = command.isSecret ? nil : values[field.name].map { SupplicantFields.settable($0, field.name) }
      return Change(command: command, undo: earlier.map { .setNetwork(subject, field.name, $0) })
    }
    // The password before WPA3 had one of its own would win over the new one.
    if values["sae_password"] != nil, fields.contains(where: { $0.name == "psk" }) {
      changes.append(Change(command: .setNetwork(subject, "sae_password", Array("NULL".utf8))))
    }
    if let joins = edit.joinsAutomatically {
      let joined = edited?.joinsAutomatically ?? true
      changes.insert(Change(command: automatic(subject, joins), undo: automatic(subject, joined)), at: 0)
    }
    return change(changes, [], now)
  }

  /// The fields that an edit changes; the password is the last, as it cannot be taken back.
  private func fields(_ edit: KnownNetworkEdit) -> [SupplicantFields.Field] {
    var fields: [SupplicantFields.Field] = []
    if let ssid = edit.ssid { fields.append(SupplicantFields.ssid(ssid)) }
    if let isHidden = edit.isHidden { fields.append(SupplicantFields.hidden(isHidden)) }
    if let priority = edit.priority { fields.append(.init("priority", "\(priority)")) }
    if let security = edit.security { fields += SupplicantFields.security(security) }
    if let password = edit.password {
      fields.append(password.withBytes { SupplicantFields.password($0, for: edit.security ?? edited?.security ?? .psk) })
    }
    return fields
  }

  /// The network that is edited, copied or forgotten, as it is.
  private var edited: KnownNetwork? { request.subject.flatMap { id in networks.first { $0.id == id } } }

  /// Whether the network is joined by itself; neither way joins or leaves it now.
  private func automatic(_ id: Int, _ joins: Bool) -> ControlCommand {
    joins ? .enableNetwork(id, connects: false) : .setNetwork(id, "disabled", Array("1".utf8))
  }

  /// The commands that fill a network that was just added.
  ///
  /// - Parameter values: those of the secrets that are set in the network that is copied.
  private func additions(_ id: Int, _ values: [String: [UInt8]]) -> [Change] {
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
      var changes = Self.copiedFields.map { field in
        let isSetSecret = Self.secretFields.contains(field) && values[field] != nil
        let refusal: Refusal = field == Self.certainField ? .gone : isSetSecret ? .failure : .nothingToDo
        return Change(command: .duplicateNetwork(number, id, field), refusal: refusal)
      }
      let fields = fields(edit)
      changes += fields.map { Change(command: $0.command(id)) }
      if fields.contains(where: { $0.name == "psk" }) {
        changes.append(Change(command: .setNetwork(id, "sae_password", Array("NULL".utf8)), refusal: .nothingToDo))
      }
      if let joins = edit.joinsAutomatically { changes.append(Change(command: automatic(id, joins))) }
      return changes
    case .list, .edit, .forget: return []
    }
  }

  private mutating func change(_ changes: [Change], _ undos: [ControlCommand], _ now: Duration) -> [KnownNetworksAction] {
    guard let next = changes.first else { return ask(.saveConfiguration, .saving, now) }
    return ask(next.command, .changing(changes, undos: undos), now)
  }

  // MARK: The end

  private mutating func cancel(_ now: Duration) -> [KnownNetworksAction] {
    switch (phase, request) {
    // What is done, or cannot be taken back, is brought to its end.
    case (.undoing, _), (.cancelling, _), (.saving, _), (.changing, .forget): break
    case _ where isSaved != nil: break
    case (.changing(let changes, _), .edit) where changes.first?.undo == nil: break
    case (.adding, _): phase = .cancelling(nil, undos: [])
    case (.changing(let changes, let undos), _): phase = .cancelling(changes.first, undos: undos)
    default: return client.finish(.failure(.cancelled))
    }
    return wait(now)
  }

  private mutating func refuse(_ reply: ControlReply, _ command: String, _ now: Duration) -> [KnownNetworksAction] {
    let words = reply == .unknownCommand ? "it does not know \(command)" : "\(command) failed"
    return fail(reply == .fail("BUSY") ? .busy : .refused(words), now)
  }

  private mutating func fail(_ error: KnownNetworkError, _ now: Duration) -> [KnownNetworksAction] {
    if case .changing(_, let undos) = phase { return undo(undos, error, now) }
    return client.finish(.failure(finally(error)))
  }

  /// What went wrong, reported as what it is once the change was made: only what there is now cannot be said any more.
  private func finally(_ error: KnownNetworkError) -> KnownNetworkError {
    if let isSaved { return .notListed(isSaved: isSaved, "\(error)") }
    guard case .saving = phase, error == .daemonSilent || error == .daemonLost else { return error }
    return .unconfirmed("\(error)")
  }

  /// Takes back what was changed.
  private mutating func undo(_ undos: [ControlCommand], _ failure: KnownNetworkError, _ now: Duration) -> [KnownNetworksAction] {
    guard let next = undos.first else { return client.finish(.failure(failure)) }
    return ask(next, .undoing(Array(undos.dropFirst()), failure), now)
  }

  /// No caller can wait any more: what is left to take back is sent without looking for answers.
  private mutating func abandon(_ failure: KnownNetworkError) -> [KnownNetworksAction] {
    switch phase {
    case .changing(_, let undos), .cancelling(_, let undos): client.send(undos) + client.finish(.failure(failure))
    case .undoing(let undos, let earlier): client.send(undos) + client.finish(.failure(failure == .cancelled ? earlier : failure))
    default: client.finish(.failure(failure))
    }
  }

  /// Enters a phase that waits for the answer to a command.
  private mutating func ask(_ command: ControlCommand, _ next: Phase, _ now: Duration) -> [KnownNetworksAction] {
    phase = next
    return client.ask(command, now) + wait(now)
  }

  private func wait(_ now: Duration) -> [KnownNetworksAction] { [.wait(until: client.deadline ?? now)] }
}
