import Benchmark
import Harness

/// Virtual sleeps of one second: by the clock of a simulation, and by a clock that guesses when everything rests.
func measureSleeps() {
  for sleepers in [1, 1000] {
    Benchmark("1000 virtual sleeps, \(sleepers) at once", configuration: .init(scalingFactor: .one)) { benchmark in
      let simulation = Simulation(seed: 1, limits: .endless)
      let clock = simulation.clock
      let rounds = 1000 / sleepers
      for _ in 0..<sleepers {
        simulation.task("sleeper") { while true { try await clock.sleep(for: .seconds(1)) } }
      }
      simulation.settle()
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations { simulation.advance(by: .seconds(rounds)) }
      benchmark.stopMeasurement()
    }
  }

  // What a test clock without an executor of its own does: it lets others run and hopes that it was long enough.
  Benchmark("10 virtual sleeps, by yielding", configuration: .init(scalingFactor: .one, maxDuration: .seconds(3))) { benchmark in
    let clock = VirtualClock()
    let task = Task { while !Task.isCancelled { try? await clock.sleep(for: .seconds(1)) } }
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      for _ in 0..<10 {
        for _ in 0..<20 { await Task.detached(priority: .background) { await Task.yield() }.value }
        clock.advance(by: .seconds(1))
      }
    }
    benchmark.stopMeasurement()
    task.cancel()
  }
}

extension SimulationLimits {
  /// As long as a benchmark goes on.
  static var endless: SimulationLimits {
    var limits = SimulationLimits()
    limits.time = .seconds(1_000_000_000)
    return limits
  }
}
