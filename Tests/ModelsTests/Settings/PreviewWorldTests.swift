import Determinism
import Harness
import Models
import Observing
import Simulator
import Testing
import WiFi

/// The models over the preview world, on virtual time, by the contract of their tables.
@Suite struct PreviewWorldTests {
  static let party = PreviewNetwork(name: "Blob Jr's LAN PARTY", isSecured: true, connectivityPercent: 80)

  @Test(arguments: 0..<5 as Range<UInt64>)
  func `a join takes a second of virtual time, with a wrong and then the right password`(seed: UInt64) async throws {
    let log = try await simulate(seed: seed) { simulation in
      let world = PreviewWorld(seed: simulation.seed, clock: simulation.clock, networks: [Self.party])
      let model = WiFiSettingsModel(
        foundNetworks: FoundNetworksModel(grouping: .bss, order: .found), source: world, joiner: world,
        onIssue: { Issue.record("\($0)") })
      var log: [String] = []
      let token = observe {
        let sheet = model.destination?.connect
        log.append(
          "\(simulation.clock.now.offset) \(sheet.map { $0.isConnecting ? "connecting" : "sheet" } ?? "list")"
            + (sheet?.incorrectPasswordAlertIsPresented == true ? ", alert" : "")
            + (model.selectedNetworkID == nil ? "" : ", selected"))
      }
      let selection = observe {
        model.selectedNetworkID
      } perform: {
        world.selected = $0
      }
      let follow = simulation.task("follow") { try await model.followNetworks() }
      await simulation.advance(by: .seconds(1))
      guard let id = model.foundNetworks.ids.first else { return log }
      world.selected = id
      model.networkTapped(id)
      await simulation.settle()
      guard let sheet = model.destination?.connect else { return log }
      for password in ["nope", "blob"] {
        sheet.password = password
        simulation.task("join") { await sheet.joinButtonTapped()?.run() }
        await simulation.advance(by: .seconds(1))
      }
      follow.cancel()
      await simulation.settle()
      token.cancel()
      selection.cancel()
      return log
    }
    #expect(
      log == [
        "0.0 seconds list", "1.0 seconds sheet", "1.0 seconds connecting", "2.0 seconds sheet, alert",
        "2.0 seconds connecting", "3.0 seconds list, selected",
      ])
  }

  /// The panel by its differences alone, over ten minutes of the preview, equals the panel, and no task escapes.
  @Test(arguments: 0..<5 as Range<UInt64>)
  func `over ten minutes the differences are the panel`(seed: UInt64) async throws {
    let runs = try await simulate(seed: seed) { simulation in
      let world = PreviewWorld(seed: simulation.seed, clock: simulation.clock)
      let model = WiFiSettingsModel(
        foundNetworks: FoundNetworksModel(grouping: .bss, order: .found), source: world, joiner: world,
        onIssue: { Issue.record("\($0)") })
      let tracker = PanelTracker(model)
      var panel = Panel()
      var runs = 0
      let token = observe {
        tracker.revision
      } perform: { _ in
        runs += 1
        for change in tracker.update() { panel.apply(change) }
      }
      let follow = simulation.task("follow") { try await model.followNetworks() }
      for _ in 0..<600 {
        await simulation.advance(by: .seconds(1))
        #expect(panel == Panel(model))
      }
      follow.cancel()
      await simulation.settle()
      token.cancel()
      return runs
    }
    // A quarter of the seconds finds one, at most a quarter loses one; nothing else is a reason to run.
    #expect((150...400).contains(runs))
  }
}
