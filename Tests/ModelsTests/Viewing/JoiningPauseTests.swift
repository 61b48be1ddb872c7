import Determinism
import Models
import Simulator
import Testing
import ViewFixture
import WiFi

@Suite struct JoiningPauseTests {
  /// A viewer whose scans wait for joins that take as long as a test wants.
  struct Fixture {
    let source: ScriptedSource
    let viewer: Viewer
    let sheet: ConnectToNetworkModel

    init(_ simulation: Simulation, joinTakes: Duration) {
      let source = ScriptedSource(clock: simulation.clock)
      let pause = JoiningPause(SlowJoiner(clock: simulation.clock, duration: joinTakes), source, clock: simulation.clock)
      let viewed = ViewedSource(pause, clock: simulation.clock)
      let settings = WiFiSettingsModel(source: viewed, joiner: pause, onIssue: { _ in })
      viewer = Viewer(settings, interval: .seconds(2))
      viewed.attach(viewer)
      pause.onWaiting = { [viewer] in viewer.scanWaits($0) }
      self.source = source
      let network = makeNetwork("Home")
      sheet = settings.connectModel(to: network, password: "blob")
      simulation.task("follows", atEnd: .cancel) { try await settings.followNetworks() }
      for _ in 0..<100 { source.hear([AccessPoint("Home", bssid: 1).bss(signalDBm: -50)]) }
    }

    func join(_ simulation: Simulation) -> SimulatedTask? {
      sheet.joinButtonTapped().map { attempt in simulation.task("joins", atEnd: .cancel) { await attempt.run() } }
    }
  }

  @Test func `no scan begins while a join runs, and the view says so`() async throws {
    try await simulate(seed: 1) { simulation in
      let fixture = Fixture(simulation, joinTakes: .seconds(9))
      await simulation.advance(by: .seconds(1))
      #expect(fixture.source.takenCount == 1)
      _ = fixture.join(simulation)
      await simulation.advance(by: .seconds(8))
      #expect(fixture.source.takenCount == 1)
      #expect(fixture.viewer.status.phase == .joining)
      await simulation.advance(by: .milliseconds(1200))
      #expect(fixture.source.takenCount == 2)
      #expect(fixture.viewer.status.phase == .waiting)
    }
  }

  @Test func `a join that is given up lets scans go on`() async throws {
    try await simulate(seed: 1) { simulation in
      let fixture = Fixture(simulation, joinTakes: .seconds(60))
      await simulation.advance(by: .seconds(1))
      let task = fixture.join(simulation)
      await simulation.advance(by: .seconds(8))
      #expect(fixture.source.takenCount == 1)
      task?.cancel()
      await simulation.advance(by: .milliseconds(200))
      #expect(fixture.source.takenCount == 2)
    }
  }

  @Test func `an attempt that never ends holds scans back no longer than the limit`() async throws {
    try await simulate(seed: 1) { simulation in
      let fixture = Fixture(simulation, joinTakes: .seconds(10_000))
      await simulation.advance(by: .seconds(1))
      _ = fixture.join(simulation)
      await simulation.advance(by: .seconds(89))
      #expect(fixture.source.takenCount == 1)
      await simulation.advance(by: .seconds(2))
      #expect(fixture.source.takenCount == 2)
    }
  }
}

/// Joins anything after a while.
private final class SlowJoiner: NetworkJoiner {
  private let clock: VirtualClock
  private let duration: Duration

  init(clock: VirtualClock, duration: Duration) { (self.clock, self.duration) = (clock, duration) }

  func join(_ network: Network, password: String?) async throws(JoinError) {
    do { try await clock.sleep(for: duration) } catch { throw .cancelled }
  }
}
