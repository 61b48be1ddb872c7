import Testing
import WiFi

/// What every ``KnownNetworkStore`` must do, as far as its features go.
///
/// It begins without a network named `contract` and leaves none.
enum KnownNetworksContract {
  static let password = "contract pass"
  static let other = "another pass"

  static func check(_ store: any KnownNetworkStore) async throws {
    let features = store.knownNetworkFeatures
    let before = try await store.knownNetworks()
    let ssid = try #require(SSID(Array("contract".utf8)))
    try await refusesWhatCannotWork(store, before)
    guard features.contains(.add) else { return }
    let draft = KnownNetworkDraft(ssid: ssid, security: .psk, password: Secret(password), priority: 4, joinsAutomatically: false)
    let added = try await store.perform(.add(draft))
    let id = try #require(added.changed)
    let network = try #require(added.networks.first { $0.id == id })
    #expect(network.description == "contract: WPA2-Personal, priority 4, joined by hand")
    #expect(added.networks.filter { $0.id != id } == before, "adding changes no other network")

    let edit = KnownNetworkEdit(security: .sae, password: Secret(other), priority: -3, joinsAutomatically: true, isHidden: true)
    let edited = try await store.perform(.edit(id, edit))
    #expect(edited.changed == id)
    #expect(
      edited.networks.first { $0.id == id }?.description == "contract: WPA3-Personal, priority -3, joined automatically, hidden")
    #expect(edited.networks.filter { $0.id != id } == before, "editing changes no other network")
    #expect(try await store.knownNetworks() == edited.networks)
    let nothing = try await store.perform(.edit(id, KnownNetworkEdit()))
    #expect(nothing.networks == edited.networks)

    let copyName = try #require(SSID(Array("contract 2".utf8)))
    let copied = try await store.perform(.duplicate(id, KnownNetworkEdit(ssid: copyName, password: Secret(password), priority: 1)))
    let copyID = try #require(copied.changed)
    #expect(copyID != id)
    #expect(
      copied.networks.first { $0.id == copyID }?.description == "contract 2: WPA3-Personal, priority 1, joined automatically, hidden")
    #expect(copied.networks.filter { $0.id != copyID } == edited.networks, "copying changes no other network")

    // Of one that has another name meanwhile nothing is known.
    let gone = KnownNetwork.ID(key: id.key, ssid: copyName)
    await #expect(throws: KnownNetworkError.unknownNetwork(copyName)) { try await store.perform(.forget(gone)) }
    for (forgotten, left) in [(id, copied.networks.filter { $0.id != id }), (copyID, before)] {
      let answer = try await store.perform(.forget(forgotten))
      #expect(answer.networks == left)
      #expect(answer.changed == forgotten)
      await #expect(throws: KnownNetworkError.unknownNetwork(forgotten.ssid)) { try await store.perform(.forget(forgotten)) }
      await #expect(throws: KnownNetworkError.unknownNetwork(forgotten.ssid)) {
        try await store.perform(.edit(forgotten, KnownNetworkEdit(joinsAutomatically: false)))
      }
    }
  }

  /// What is refused changes nothing.
  private static func refusesWhatCannotWork(_ store: any KnownNetworkStore, _ before: [KnownNetwork]) async throws {
    let ssid = try #require(SSID(Array("contract".utf8)))
    let unknown = KnownNetwork.ID(key: "no such key", ssid: ssid)
    var requests: [(KnownNetworkRequest, KnownNetworkFeature, KnownNetworkError)] = [
      (.add(KnownNetworkDraft(ssid: ssid, security: .psk)), .add, .passwordMissing),
      (
        .add(KnownNetworkDraft(ssid: ssid, security: .psk, password: Secret("short"))), .add,
        .impossiblePassword(.tooShort(count: 5, minimum: 8))
      ),
      (.add(KnownNetworkDraft(ssid: .wildcard, security: .open)), .add, .nameMissing),
      (.add(KnownNetworkDraft(ssid: ssid, security: .enterprise, password: Secret("x"))), .add, .notSupported(.enterprise)),
      (.add(KnownNetworkDraft(ssid: ssid, security: .open, priority: 1000)), .add, .priorityOutOfRange(1000)),
      (.edit(unknown, KnownNetworkEdit(priority: 1000)), .priority, .priorityOutOfRange(1000)),
      (.edit(unknown, KnownNetworkEdit(joinsAutomatically: true)), .autoconnect, .unknownNetwork(ssid)),
      (.duplicate(unknown, KnownNetworkEdit()), .duplicate, .unknownNetwork(ssid)), (.forget(unknown), .forget, .unknownNetwork(ssid)),
    ]
    if let network = before.first(where: { $0.security == .psk || $0.security == .pskOrSAE }) {
      requests += [
        (.edit(network.id, KnownNetworkEdit(security: .open)), .security, .securityFamily(network.security, .open)),
        (
          .edit(network.id, KnownNetworkEdit(password: Secret(""))), .password,
          .impossiblePassword(.tooShort(count: 0, minimum: 8))
        ),
      ]
    }
    for (request, feature, expected) in requests {
      do throws(KnownNetworkError) {
        _ = try await store.perform(request)
        Issue.record("\(request.features) was done")
      } catch {
        if case .cannot(let missing, _) = error {
          #expect(missing == feature && !store.knownNetworkFeatures.contains(feature))
        } else {
          #expect(error == expected)
        }
      }
    }
    #expect(try await store.knownNetworks() == before, "what is refused changes nothing")
  }
}
