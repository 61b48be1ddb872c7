import Determinism
import Harness
import Models
import Observing
import Provisioning
import Simulator
import Testing
import WiFi

@Suite struct ProvisioningTests {
  @Test func `the clock alone: the second attempt comes 2 s after the first failed`() async throws {
    try await simulate(seed: 7) { simulation in
      let clock = simulation.clock
      let model = ProvisioningModel(
        name: "Home", password: "blob", source: SameNetworks(["Home"], clock: clock),
        joiner: SlowToAnswer(failures: 1, clock: clock), clock: clock)
      simulation.task("provision") { await model.provision() }
      await simulation.advance(by: .seconds(1))
      #expect(model.banner == "Joining Home")
      await simulation.advance(by: .seconds(1))
      #expect(model.banner == "Home does not answer, 2 more to try")
      await simulation.advance(by: .milliseconds(1999))
      #expect(model.status == .waiting(attempt: 1))
      await simulation.advance(by: .milliseconds(1))
      #expect(model.status == .joining(attempt: 2))
      await simulation.run()
      #expect(model.status == .online)
      #expect(clock.now.offset == .seconds(5))
    }
  }

  @Test func `the preview world: networks that come and go by a seed`() async throws {
    try await simulate(seed: 7) { simulation in
      let clock = simulation.clock
      let world = PreviewWorld(seed: simulation.seed, clock: clock, networks: PreviewNetwork.mocks)
      let model = ProvisioningModel(name: "Nacho Wi-Fi", password: "nope", source: world, joiner: world, clock: clock)
      simulation.task("provision") { await model.provision() }
      await simulation.advance(by: .seconds(2))
      #expect(model.status == .failed(.wrongPassword))
    }
  }

  @Test func `a radio world: the scanner that reads real adapters, over a simulated kernel`() async throws {
    try await simulate(seed: 7) { simulation in
      let clock = simulation.clock
      let ssid = try #require(SSID(Array("Kiosk".utf8)))
      let channel = try #require(Channel(band: .ghz5, number: 36, megahertz: 80))
      let kiosk = AccessPoint(
        bssid: MACAddress(0x0200_0000_0001), ssid: ssid, channel: channel, generation: .wifi6, security: .wpa3Personal)
      let air = RadioWorld(
        seed: simulation.seed, profile: .home, placed: [PlacedAccessPoint(kiosk, at: Position(x: 300, y: 0))])
      let world = KernelScenarioWorld(air: air, seed: simulation.seed, clock: clock)
      let model = ProvisioningModel(
        name: "Kiosk", password: "blob", source: world.source, joiner: world.joiner, clock: clock)
      await simulation.task("provision") { await model.provision() }.finished()
      #expect(model.status == .online)
      #expect(clock.now.offset < .seconds(10))
    }
  }

  @Test func `the Wi-Fi settings and a user: what is joined there is what the device finds`() async throws {
    try await simulate(seed: 7) { simulation in
      let preview = PreviewWorld(seed: simulation.seed, clock: simulation.clock, networks: PreviewNetwork.mocks)
      let world = PreviewScenarioWorld(preview)
      let fixture = SettingsFixture(simulation, world: world) { found, onIssue in
        WiFiSettingsModel(foundNetworks: found, source: world.source, joiner: world.joiner, onIssue: onIssue)
      }
      fixture.open()
      let user = SettingsUser(fixture)
      try user.tap(NetworkReference(name: "Nacho Wi-Fi"))
      await simulation.settle()
      try user.type(password: "blob")
      try user.tap(.join)
      await simulation.advance(by: .seconds(1))
      #expect(fixture.model.selectedNetwork?.ssid.description == "Nacho Wi-Fi")
      fixture.close()
    }
  }

  private func run(seed: UInt64) async throws -> (lines: [String], hash: UInt64) {
    try await simulate(seed: seed) { simulation in
      let clock = simulation.clock
      let world = PreviewWorld(seed: seed, clock: clock, networks: PreviewNetwork.mocks)
      world.joinRule.failure = .timedOut
      let model = ProvisioningModel(name: "Blob's World", password: "", source: world, joiner: world, clock: clock)
      let token = observe { simulation.trace.record(model.banner) }
      await simulation.task("provision") { await model.provision() }.finished()
      await simulation.settle()
      token.cancel()
      return (simulation.trace.lines, simulation.trace.hash)
    }
  }

  @Test func `the trace: what a user would have read, and the same hash for the same seed`() async throws {
    let first = try await run(seed: 7)
    #expect(
      first.lines == [
        "0.000 Ready",
        "0.000 Looking for Blob's World",
        "1.000 Joining Blob's World",
        "2.000 Blob's World does not answer, 2 more to try",
        "4.000 Joining Blob's World, attempt 2",
        "5.000 Blob's World does not answer, 1 more to try",
        "9.000 Joining Blob's World, attempt 3",
        "10.000 Blob's World does not let us in",
      ])
    #expect(try await run(seed: 7).hash == first.hash)
  }

  @Test func `by hand: a synchronous test that moves the time itself`() {
    let simulation = Simulation(seed: 7)
    let clock = simulation.clock
    let model = ProvisioningModel(
      name: "Elsewhere", password: "", source: SameNetworks(["Home"], clock: clock),
      joiner: SlowToAnswer(failures: 0, clock: clock), clock: clock)
    simulation.task("provision") { await model.provision() }
    simulation.advance(by: .seconds(29))
    #expect(model.banner == "Looking for Elsewhere")
    simulation.advance(by: .seconds(1))
    #expect(model.banner == "There is no Elsewhere here")
    #expect(simulation.unfinishedTasks.isEmpty)
    #expect(simulation.failure == nil)
  }

  @Test func `a task that leaves the simulation fails it, by name`() async throws {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { simulation in
        let clock = simulation.clock
        let model = ProvisioningModel(
          name: "Home", password: "blob", source: SameNetworks(["Home"], clock: clock),
          // Not the clock of the simulation: the first sleep here is a real one.
          joiner: SlowToAnswer(failures: 1, after: .milliseconds(100), clock: ContinuousClock()), clock: clock)
        await simulation.task("provision") { await model.provision() }.finished()
      }
    }
    #expect(failure?.seed == 7)
    #expect(
      failure?.description.contains("provision slept on a clock of the standard library") == true, "\(failure as Any)")
  }
}
