import Determinism
import Stopwatch
import XCTest

final class StopwatchXCTests: XCTestCase {
  func testCountsSeconds() async throws {
    try await simulate(seed: 7) { @MainActor simulation in
      let model = StopwatchModel()
      model.startButtonTapped()
      await simulation.advance(by: .seconds(5))
      XCTAssertEqual(model.seconds, 5)
      model.stopButtonTapped()
    }
  }

  func testCountsSecondsByHand() throws {
    try withSimulation(seed: 7) { simulation in
      MainActor.assumeIsolated {
        let model = StopwatchModel()
        model.startButtonTapped()
        simulation.advance(by: .seconds(5))
        XCTAssertEqual(model.seconds, 5)
        model.stopButtonTapped()
      }
    }
  }

  func testCountsSecondsInEachOrder() async throws {
    try await explore(seeds: 0..<100) { @MainActor simulation in
      let model = StopwatchModel()
      model.startButtonTapped()
      await simulation.advance(by: .seconds(5))
      model.stopButtonTapped()
      if model.seconds != 5 { throw WrongCount(seconds: model.seconds) }
    }.check()
  }
}

private struct WrongCount: Error { let seconds: Int }
