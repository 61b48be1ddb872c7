import LinkContract
import Simulator
import Testing
import WiFi

/// The store without a daemon.
@Suite struct SimulatedKnownNetworksTests {
  @Test func `it keeps the contract`() async throws {
    let draft = KnownNetworkDraft(ssid: try #require(SSID(Array("Home".utf8))), security: .psk, password: Secret("blob blob"))
    try await KnownNetworksContract.check(SimulatedKnownNetworks(clock: JumpingClock(), networks: [draft]))
  }

  @Test(arguments: [true, false])
  func `a copy gets the password where passwords are copied, and needs one where they are not`(copies: Bool) async throws {
    let home = KnownNetworkDraft(ssid: try #require(SSID(Array("Home".utf8))), security: .psk, password: Secret("blob blob"))
    let store = SimulatedKnownNetworks(clock: JumpingClock(), networks: [home])
    store.copiesPasswords = copies
    let id = try #require(store.networks.first?.id)
    if copies {
      let copy = try await store.perform(.duplicate(id, KnownNetworkEdit(ssid: SSID([65])))).changed
      #expect(store.password(of: try #require(copy)) == Secret("blob blob"))
    } else {
      await #expect(throws: KnownNetworkError.passwordMissing) { try await store.perform(.duplicate(id, KnownNetworkEdit())) }
    }
  }
}
