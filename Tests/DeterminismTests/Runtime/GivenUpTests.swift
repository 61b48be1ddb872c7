import Testing

@testable import Determinism

/// Runs that end while no caller waits for them any more.
@Suite struct GivenUpTests {
  @Test(.timeLimit(.minutes(1)))
  func `a run that ends in the moment in which it is given up counts once`() async throws {
    let run = SimulationRun(seed: 7, JobOrder.inOrder.scheduling(seed: 7), SimulationLimits(), isExclusive: false) { simulation in
      try await simulation.clock.sleep(for: .seconds(1))
      return simulation.clock.now.offset
    }
    #expect(try await run.result() == .seconds(1))
    run.giveUp()
    // An exclusive run begins once no other goes on.
    #expect(try await simulate(seed: 7, exclusive: true) { _ in true })
  }
}
