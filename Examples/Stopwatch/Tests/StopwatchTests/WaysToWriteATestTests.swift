import Determinism
import DeterminismTesting
import Stopwatch
import Synchronization
import Testing

@Suite struct WaysToWriteATestTests {
  @Test(.simulated(seed: 7)) @MainActor func `a minute has sixty seconds`() async throws {
    let model = StopwatchModel()
    model.startButtonTapped()
    try await Simulation.required.advance(by: .seconds(60))
    #expect(model.seconds == 60)
    model.stopButtonTapped()
  }

  @Test(.simulated(seeds: 0..<100)) @MainActor func `a lap at the moment of a tick shows the second before or after`() async throws {
    let model = StopwatchModel()
    model.startButtonTapped()
    try await Task.sleep(for: .seconds(3))
    model.lapButtonTapped()
    #expect([2, 3].contains(model.laps[0].seconds))
    model.stopButtonTapped()
  }

  @Test(.simulated(seeds: 0..<100)) @MainActor func `of two things at one time each is the first with some seed`() async throws {
    let model = StopwatchModel()
    model.startButtonTapped()
    try await Task.sleep(for: .seconds(3))
    model.lapButtonTapped()
    model.stopButtonTapped()
    Self.seen.withLock { _ = $0.insert(model.laps[0].seconds) }
    if Simulation.current?.seed == 99 { #expect(Self.seen.withLock { $0 } == [2, 3], "both orders were run") }
  }

  @Test(.simulated(seed: 7, order: .inOrder)) @MainActor func `three seconds as they were`() async throws {
    let trace = try Simulation.required.trace
    let model = StopwatchModel()
    model.startButtonTapped()
    for _ in 0..<3 {
      try await Task.sleep(for: .seconds(1))
      model.lapButtonTapped()
      trace.record("lap \(model.laps.count) at \(model.seconds) s")
    }
    model.stopButtonTapped()
    expectGolden(trace, "three seconds")
  }

  private static let seen = Mutex<Set<Int>>([])

  @Test(.simulated(seed: 7, limits: costing(.milliseconds(1)))) @MainActor func `a lap is waited for by yielding`() async throws {
    let model = StopwatchModel()
    Task {
      try await Task.sleep(for: .seconds(1))
      model.lapButtonTapped()
    }
    let deadline = ContinuousClock.now + .seconds(5)
    while model.laps.isEmpty, ContinuousClock.now < deadline { await Task.yield() }
    #expect(model.laps.count == 1)
  }

  private static func costing(_ cost: Duration) -> SimulationLimits {
    var limits = SimulationLimits()
    limits.jobCost = cost
    return limits
  }

  @Test @MainActor func `time moved by hand`() throws {
    try withSimulation(seed: 7) { simulation in
      let model = StopwatchModel()
      model.startButtonTapped()
      simulation.advance(by: .seconds(2))
      #expect(model.seconds == 2)
      model.stopButtonTapped()
      simulation.run()
      #expect(model.seconds == 2)
    }
  }

  @Test func `the identity and the date of a lap are functions of the seed`() async throws {
    func laps(seed: UInt64) async throws -> [Lap] {
      try await simulate(seed: seed) { @MainActor simulation in
        let model = StopwatchModel()
        model.startButtonTapped()
        await simulation.advance(by: .seconds(90))
        model.lapButtonTapped()
        model.stopButtonTapped()
        return model.laps
      }
    }
    let first = try await laps(seed: 7)
    #expect(try await laps(seed: 7) == first)
    #expect(try await laps(seed: 8) != first)
    #expect(first[0].date.timeIntervalSince1970 == 1_767_225_690)
  }
}
