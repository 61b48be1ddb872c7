import Determinism
import DeterminismTesting
import Observation
import Stopwatch
import Testing

/// A model that loads something, and shows that it does.
@MainActor @Observable final class NewsModel {
  private(set) var isLoading = false
  private(set) var headline = ""
  private let load: @Sendable () async -> String

  init(load: @escaping @Sendable () async -> String) { self.load = load }

  func refreshButtonTapped() {
    isLoading = true
    Task {
      headline = await load()
      isLoading = false
    }
  }
}

/// What the article that compares shows of this library.
@Suite struct ComparedTests {
  @Test(.simulated(seed: 7)) @MainActor func `a minute of ticks`() async throws {
    let model = StopwatchModel()
    model.startButtonTapped()
    try await Simulation.required.advance(by: .seconds(60))
    #expect(model.seconds == 60)
    model.stopButtonTapped()
  }

  @Test(.simulated(seeds: 0..<100)) @MainActor func `a spinner shows while something loads`() async throws {
    let model = NewsModel {
      try? await Task.sleep(for: .seconds(2))
      return "Swift on virtual time"
    }
    model.refreshButtonTapped()
    try await Simulation.required.settle()
    #expect(model.isLoading)
    try await Simulation.required.advance(by: .seconds(2))
    #expect(!model.isLoading)
    #expect(model.headline == "Swift on virtual time")
  }

  struct Shown: Equatable {
    var seconds: Int
    var laps: [Int]
  }

  @Test(.simulated(seed: 7)) @MainActor func `each change of what the stopwatch shows is asserted`() async throws {
    let simulation = try Simulation.required
    let model = StopwatchModel()
    await assertingChanges(of: { Shown(seconds: model.seconds, laps: model.laps.map(\.seconds)) }) { shown in
      model.startButtonTapped()
      await simulation.advance(by: .seconds(2))
      shown.expect { $0.seconds = 2 }
      model.lapButtonTapped()
      shown.expect { $0.laps = [2] }
      model.stopButtonTapped()
      await simulation.advance(by: .seconds(3600))
    }
  }

  @Test func `all that the stopwatch shows, and when`() async throws {
    let lines = try await simulate(seed: 7) { @MainActor simulation in
      let model = StopwatchModel()
      var shown = ""
      simulation.onRest {
        let shows = "\(model.seconds) s, \(model.laps.count) laps"
        if shows != shown { simulation.trace.record(shows) }
        shown = shows
      }
      model.startButtonTapped()
      await simulation.advance(by: .milliseconds(2500))
      model.lapButtonTapped()
      await simulation.advance(by: .milliseconds(500))
      model.stopButtonTapped()
      await simulation.advance(by: .seconds(3600))
      return simulation.trace.lines
    }
    #expect(lines == ["0.000 0 s, 0 laps", "1.000 1 s, 0 laps", "2.000 2 s, 0 laps", "2.500 2 s, 1 laps", "3.000 3 s, 1 laps"])
  }
}
