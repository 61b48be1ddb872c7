import Determinism
import Testing
import WiFi

@testable import Harness

@Suite struct LinkProbeTests {
  @Test func `the answers of a list are kept no longer than the scan takes`() async throws {
    let (taken, kept) = try await simulate(seed: 7, order: .inOrder) { simulation in
      let world = SimulatedWorlds.make(.init(world: "home", seed: 7), networks: [], clock: simulation.clock)
      let probed = ProbedWorld(world, clock: simulation.clock)
      probed.log.keepsEvents = true
      _ = try await probed.source.nextScan()
      let taken = probed.log.takeEvents().contains { if case .scan(_, let list?) = $0 { !list.isEmpty } else { false } }
      return (taken, world.linkProbe?.list?.count)
    }
    #expect(taken)
    #expect(kept == 0)
  }
}
