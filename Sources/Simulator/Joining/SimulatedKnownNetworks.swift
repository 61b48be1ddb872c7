public import WiFi

/// Keeps known networks as a daemon does, without one: what a scenario or a test of models uses.
///
/// A request takes its time and is then done at once, so that one that is cancelled before has changed nothing.
public final class SimulatedKnownNetworks: KnownNetworkStore {
  /// What can be done.
  public var knownNetworkFeatures = Set(KnownNetworkFeature.allCases)
  /// How long a request takes.
  public var duration: Duration
  /// Why every request fails; `nil` where none does.
  public var failure: KnownNetworkError?
  /// Whether a change outlives the daemon.
  public var isSaved = true
  /// Whether a copy gets the password of its original, as wpa_supplicant's do and NetworkManager's do not.
  package var copiesPasswords = true
  /// The known networks now, in the order they were added.
  public private(set) var networks: [KnownNetwork]

  private let clock: any Clock<Duration>
  private var passwords: [String: Secret] = [:]
  private var nextKey: Int

  /// Keeps networks on the time of `clock`; their keys are numbers from 0 on.
  public init(clock: any Clock<Duration>, networks: [KnownNetworkDraft] = [], duration: Duration = .milliseconds(100)) {
    self.clock = clock
    self.duration = duration
    self.networks = []
    nextKey = 0
    for draft in networks { _ = add(draft) }
  }

  /// The password of a known network, which no answer holds: what a test asks.
  public func password(of id: KnownNetwork.ID) -> Secret? { passwords[id.key] }

  /// Says which network is joined now.
  public func setJoined(_ ssid: SSID?) {
    for index in networks.indices { networks[index].isJoined = networks[index].ssid == ssid }
  }

  /// Another program forgets the networks of a name.
  public func forget(_ ssid: SSID) { networks.removeAll { $0.ssid == ssid } }

  public func perform(_ request: KnownNetworkRequest) async throws(KnownNetworkError) -> KnownNetworkAnswer {
    do { try await clock.sleep(for: duration) } catch { throw .cancelled }
    if Task.isCancelled { throw .cancelled }
    if let failure = failure ?? request.problem { throw failure }
    switch request {
    case .list: return KnownNetworkAnswer(networks: networks)
    case .add(let draft):
      return answer(add(draft))
    case .edit(let id, let edit):
      let index = try place(of: id)
      if let problem = edit.problem(with: networks[index]) { throw problem }
      apply(edit, at: index)
      return answer(networks[index].id)
    case .duplicate(let id, let edit):
      let original = networks[try place(of: id)]
      if let problem = edit.problem(with: original) { throw problem }
      let password = edit.password ?? (copiesPasswords ? passwords[id.key] : nil)
      if (edit.security ?? original.security).needsPassword, password == nil { throw .passwordMissing }
      var copy = original
      copy.id.key = key()
      copy.isJoined = false
      networks.append(copy)
      passwords[copy.id.key] = password
      apply(edit, at: networks.count - 1)
      return answer(networks[networks.count - 1].id)
    case .forget(let id):
      networks.remove(at: try place(of: id))
      passwords[id.key] = nil
      return answer(id)
    }
  }

  private func answer(_ changed: KnownNetwork.ID) -> KnownNetworkAnswer {
    KnownNetworkAnswer(networks: networks, changed: changed, isSaved: isSaved)
  }

  private func key() -> String {
    nextKey += 1
    return "\(nextKey - 1)"
  }

  private func place(of id: KnownNetwork.ID) throws(KnownNetworkError) -> Int {
    guard let index = networks.firstIndex(where: { $0.id == id }) else { throw .unknownNetwork(id.ssid) }
    return index
  }

  private func add(_ draft: KnownNetworkDraft) -> KnownNetwork.ID {
    let network = KnownNetwork(
      id: .init(key: key(), ssid: draft.ssid), security: draft.security, priority: draft.priority,
      joinsAutomatically: draft.joinsAutomatically, isHidden: draft.isHidden)
    networks.append(network)
    passwords[network.id.key] = draft.password
    return network.id
  }

  private func apply(_ edit: KnownNetworkEdit, at index: Int) {
    if let ssid = edit.ssid { networks[index].id.ssid = ssid }
    if let security = edit.security { networks[index].security = security }
    if let priority = edit.priority { networks[index].priority = priority }
    if let joins = edit.joinsAutomatically { networks[index].joinsAutomatically = joins }
    if let isHidden = edit.isHidden { networks[index].isHidden = isHidden }
    if let password = edit.password { passwords[networks[index].id.key] = password }
  }
}
