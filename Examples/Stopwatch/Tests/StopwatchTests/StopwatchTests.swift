import Determinism
import Stopwatch
import Testing

@Suite struct StopwatchTests {
  @Test func `a stopwatch counts seconds until it is stopped`() async throws {
    try await simulate(seed: 7) { @MainActor simulation in
      let model = StopwatchModel()
      model.startButtonTapped()
      await simulation.advance(by: .seconds(3600))
      #expect(model.seconds == 3600)
      model.stopButtonTapped()
      await simulation.advance(by: .seconds(60))
      #expect(model.seconds == 3600)
    }
  }
}
