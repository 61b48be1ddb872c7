import Determinism
import Models
import Simulator
import Testing
import ViewFixture
import WiFi

@Suite struct ViewedSourceTests {
  /// A viewer over a scripted source in a simulation.
  struct Fixture {
    let source: ScriptedSource
    let viewed: ViewedSource
    let viewer: Viewer

    init(_ simulation: Simulation) {
      let source = ScriptedSource(clock: simulation.clock)
      let viewed = ViewedSource(source, clock: simulation.clock)
      let settings = WiFiSettingsModel(source: viewed, joiner: QuickJoiner(), onIssue: { _ in })
      viewer = Viewer(settings, interval: .seconds(10))
      viewed.attach(viewer)
      self.source = source
      self.viewed = viewed
      simulation.task("follows", atEnd: .cancel) { try await settings.followNetworks() }
    }

    func hear(_ name: String) { source.hear([AccessPoint(name, bssid: 1).bss(signalDBm: -50)]) }
  }

  @Test func `each scan reaches the viewer, and the interval lies between two`() async throws {
    try await simulate(seed: 1) { simulation in
      let fixture = Fixture(simulation)
      await simulation.settle()
      #expect(fixture.viewer.status.phase == .starting)
      fixture.hear("A")
      fixture.hear("B")
      await simulation.settle()
      #expect(fixture.viewer.ids.count == 1)
      #expect(fixture.viewer.status.phase == .waiting)
      #expect(fixture.viewer.status.count == 1)
      await simulation.advance(by: .seconds(9))
      #expect(fixture.source.takenCount == 1)
      await simulation.advance(by: .seconds(1))
      #expect(fixture.source.takenCount == 2)
      #expect(fixture.viewer.events.totalCount == 2)
    }
  }

  @Test func `a shorter interval counts at once, and so does a scan that is asked for`() async throws {
    try await simulate(seed: 1) { simulation in
      let fixture = Fixture(simulation)
      for name in ["A", "B", "C"] { fixture.hear(name) }
      await simulation.advance(by: .seconds(2))
      fixture.viewer.interval = .seconds(3)
      await simulation.advance(by: .seconds(1))
      #expect(fixture.source.takenCount == 2)
      fixture.viewed.scanNow()
      await simulation.advance(by: .milliseconds(200))
      #expect(fixture.source.takenCount == 3)
    }
  }

  @Test func `while it is paused nothing is scanned and nothing changes`() async throws {
    try await simulate(seed: 1) { simulation in
      let fixture = Fixture(simulation)
      fixture.hear("A")
      await simulation.settle()
      fixture.viewer.isPaused = true
      fixture.hear("B")
      await simulation.advance(by: .seconds(60))
      #expect(fixture.source.takenCount == 1)
      fixture.viewer.isPaused = false
      await simulation.advance(by: .seconds(1))
      #expect(fixture.source.takenCount == 2)
      #expect(fixture.viewer.ids.count == 2)
    }
  }

  @Test func `a scan that was under way when it was paused waits`() async throws {
    try await simulate(seed: 1) { simulation in
      let fixture = Fixture(simulation)
      await simulation.settle()
      fixture.viewer.isPaused = true
      fixture.hear("A")
      await simulation.advance(by: .seconds(5))
      #expect(fixture.viewer.ids.isEmpty)
      fixture.viewer.isPaused = false
      await simulation.advance(by: .seconds(1))
      #expect(fixture.viewer.ids.count == 1)
    }
  }

  @Test func `the interval stays within its limits`() {
    let viewer = ViewerFixture().viewer
    viewer.interval = .zero
    #expect(viewer.interval == .milliseconds(100))
    viewer.interval = .seconds(100_000)
    #expect(viewer.interval == .seconds(3600))
  }
}
