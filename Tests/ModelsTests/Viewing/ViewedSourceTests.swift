import Determinism
import Models
import Simulator
import Testing
import WiFi

@Suite struct ViewedSourceTests {
  /// A viewer over a scripted source in a simulation.
  struct Stage {
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
      let stage = Stage(simulation)
      await simulation.settle()
      #expect(stage.viewer.status.phase == .starting)
      stage.hear("A")
      stage.hear("B")
      await simulation.settle()
      #expect(stage.viewer.ids.count == 1)
      #expect(stage.viewer.status.phase == .waiting)
      #expect(stage.viewer.status.count == 1)
      await simulation.advance(by: .seconds(9))
      #expect(stage.source.takenCount == 1)
      await simulation.advance(by: .seconds(1))
      #expect(stage.source.takenCount == 2)
      #expect(stage.viewer.events.totalCount == 2)
    }
  }

  @Test func `a shorter interval counts at once, and so does a scan that is asked for`() async throws {
    try await simulate(seed: 1) { simulation in
      let stage = Stage(simulation)
      for name in ["A", "B", "C"] { stage.hear(name) }
      await simulation.advance(by: .seconds(2))
      stage.viewer.interval = .seconds(3)
      await simulation.advance(by: .seconds(1))
      #expect(stage.source.takenCount == 2)
      stage.viewed.scanNow()
      await simulation.advance(by: .milliseconds(200))
      #expect(stage.source.takenCount == 3)
    }
  }

  @Test func `while it is paused nothing is scanned and nothing changes`() async throws {
    try await simulate(seed: 1) { simulation in
      let stage = Stage(simulation)
      stage.hear("A")
      await simulation.settle()
      stage.viewer.isPaused = true
      stage.hear("B")
      await simulation.advance(by: .seconds(60))
      #expect(stage.source.takenCount == 1)
      stage.viewer.isPaused = false
      await simulation.advance(by: .seconds(1))
      #expect(stage.source.takenCount == 2)
      #expect(stage.viewer.ids.count == 2)
    }
  }

  @Test func `a scan that was under way when it was paused waits`() async throws {
    try await simulate(seed: 1) { simulation in
      let stage = Stage(simulation)
      await simulation.settle()
      stage.viewer.isPaused = true
      stage.hear("A")
      await simulation.advance(by: .seconds(5))
      #expect(stage.viewer.ids.isEmpty)
      stage.viewer.isPaused = false
      await simulation.advance(by: .seconds(1))
      #expect(stage.viewer.ids.count == 1)
    }
  }

  @Test func `the interval stays within its limits`() {
    let viewer = ViewerStage().viewer
    viewer.interval = .zero
    #expect(viewer.interval == .seconds(1))
    viewer.interval = .seconds(100_000)
    #expect(viewer.interval == .seconds(300))
  }
}
