import DaemonControl
import DaemonProtocols
import Testing
import WiFi

@testable import Simulator

/// Known networks over the simulated wpa_supplicant.
@Suite struct SimulatedSupplicantKnownTests {
  typealias Lab = SimulatedSupplicantTests.Lab

  private func store(_ lab: Lab) -> (DaemonKnownNetworks, RecordingControlLink) {
    let link = RecordingControlLink(lab.machine.link())
    return (DaemonKnownNetworks(DaemonAccess(over: .supplicant, interface: { "wlan0" }) { link }), link)
  }

  @Test func `the simulated daemon keeps the contract`() async throws {
    let lab = try Lab()
    lab.known("Lab WPA2")
    lab.known("Lab SAE")
    let (store, link) = store(lab)
    try await KnownNetworksContract.check(store)
    for password in [KnownNetworksContract.password, KnownNetworksContract.other, RecordedJoin.right] {
      #expect(!link.recording.text.contains(Hex.string(password.utf8)))
    }
    #expect(link.recording.text.contains(" secret "))
  }

  @Test func `a copy has the password, and an edited network the new one`() async throws {
    let lab = try Lab()
    // Not the network of the lab: nothing is joined before.
    let (store, _) = store(lab)
    let wrong = KnownNetworkDraft(
      ssid: try #require(SSID(Array("Elsewhere".utf8))), security: .psk, password: Secret(RecordedJoin.right), joinsAutomatically: false)
    let id = try #require(try await store.perform(.add(wrong)).changed)
    let copy = try await store.perform(.duplicate(id, KnownNetworkEdit(ssid: SSID(Array("Lab WPA2".utf8)))))
    let (joined, _) = try await lab.join("Lab WPA2", .psk)
    #expect(joined.joined != nil)
    _ = try await store.perform(.edit(try #require(copy.changed), KnownNetworkEdit(password: Secret(RecordedJoin.wrong))))
    lab.machine.restartSupplicant(interface: "wlan0", air: lab.air)
    let (again, _) = try await lab.join("Lab WPA2", .psk)
    #expect(again.failure?.reason == .wrongPassword)
  }

  @Test func `of two networks in range the one with the higher priority is joined by itself`() async throws {
    let lab = try Lab()
    let (store, _) = store(lab)
    for (name, priority) in [("Lab WPA2", 1), ("Lab Transition", 5), ("Lab SAE", 3)] {
      _ = try await store.perform(
        .add(
          KnownNetworkDraft(
            ssid: try #require(SSID(Array(name.utf8))), security: .pskOrSAE, password: Secret(RecordedJoin.right), priority: priority)))
    }
    #expect(lab.supplicant.joined == nil, "adding joins nothing")
    lab.machine.restartSupplicant(interface: "wlan0", air: lab.air)
    let supplicant = try #require(lab.machine.supplicant(of: "wlan0"))
    let link = lab.machine.link()
    try link.open(.supplicant(interface: "wlan0"))
    _ = try await link.receive(until: lab.kernel.bootTime + .seconds(8), isFinal: false)
    #expect(supplicant.joined?.ssid.description == "Lab Transition")
    #expect(try await store.knownNetworks().filter(\.isJoined).map(\.ssid.description) == ["Lab Transition"])
  }

  @Test func `a change that the configuration file does not take is told, and gone after a restart`() async throws {
    let lab = try Lab()
    lab.known("Lab WPA2")
    lab.supplicant.savesConfiguration = false
    let (store, _) = store(lab)
    let id = try #require(try await store.knownNetworks().first?.id)
    let answer = try await store.perform(.edit(id, KnownNetworkEdit(priority: 3)))
    #expect(!answer.isSaved)
    #expect(answer.networks.map(\.priority) == [3])
    lab.machine.restartSupplicant(interface: "wlan0", air: lab.air)
    #expect(try await store.knownNetworks().map(\.priority) == [0])
  }

  @Test(arguments: 0..<40)
  func `a change that is cancelled or whose daemon dies after some commands leaves all or nothing`(step: Int) async throws {
    for isKilled in [false, true] {
      let lab = try Lab()
      lab.known("Lab WPA2")
      lab.known("Lab SAE")
      let (store, _) = store(lab)
      let before = try await store.knownNetworks()
      let id = try #require(before.first?.id)
      let edit = KnownNetworkEdit(security: .sae, password: Secret(RecordedJoin.right), priority: 8, isHidden: true)
      for request in [KnownNetworkRequest.edit(id, edit), .duplicate(id, edit), .add(RecordedKnownNetworksTests.draft), .forget(id)] {
        let link = InterruptedLink(lab.machine.link(), after: step) {
          if isKilled {
            lab.machine.restartSupplicant(interface: "wlan0", air: lab.air)
          } else {
            unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
          }
        }
        // In a task of its own, as that is what is cancelled.
        nonisolated(unsafe) let joiner = Joiner(link: link)
        let outcome = await Task { unsafe await joiner.known(request, over: .supplicant, interface: "wlan0") }.value
        let after = try await store.knownNetworks()
        switch outcome {
        case .success(let answer): #expect(after.map(\.description) == answer.networks.map(\.description))
        case .failure(let error):
          switch error {
          case .daemonLost, .daemonSilent: #expect(isKilled && after == before, "step \(step): \(error)")
          // What was saved before the daemon died is there.
          case .notListed(isSaved: true, _): #expect(isKilled && after != before, "step \(step): \(error)")
          case .unconfirmed: #expect(isKilled, "step \(step): \(error)")
          default:
            #expect(!isKilled && error == .cancelled && after == before, "step \(step): \(error)")
            // What was never set is said to be 3, and cannot be set to that.
            let protection = lab.supplicant.perform(.getNetwork(0, "ieee80211w"))
            #expect(protection != .text(Array("2".utf8)), "step \(step)")
          }
        }
        if after != before { break }
      }
    }
  }

  @Test func `a machine without permission, and one without daemon, are told`() async throws {
    let lab = try Lab()
    let (store, _) = store(lab)
    lab.machine.isPermitted = false
    await #expect(throws: KnownNetworkError.noPermission) { try await store.knownNetworks() }
    lab.machine.isPermitted = true
    lab.machine.killSupplicant(interface: "wlan0")
    await #expect(throws: KnownNetworkError.noDaemon) { try await store.knownNetworks() }
  }
}

/// A link whose session is cancelled, or whose daemon is restarted, after so many commands.
final class InterruptedLink: RelayLink {
  private let limit: Int
  private let interrupt: () -> Void
  private var count = 0

  init(_ link: any ControlLink, after limit: Int, _ interrupt: @escaping () -> Void) {
    self.limit = limit
    self.interrupt = interrupt
    super.init(link)
  }

  override func send(_ payload: ControlPayload, on channel: ControlChannel) throws(LinkError) {
    try link.send(payload, on: channel)
    count += 1
    if count - 1 == limit { interrupt() }
  }
}
