import Benchmark
import Determinism
import Harness

/// Virtual sleeps of one second: by the clock of a simulation, and by a clock that guesses when everything rests.
func measureSleeps() {
  for sleepers in [1, 1000] {
    Benchmark(
      "1000 virtual sleeps, \(sleepers) at once",
      configuration: .init(scalingFactor: .one, maxDuration: .seconds(2), maxIterations: 2000)
    ) { (_: Benchmark, sleeping: Sleepers) in
      sleeping.simulation.advance(by: .seconds(1000 / sleepers))
    } setup: {
      Sleepers(count: sleepers)
    }
  }

  // What a test clock without an executor of its own does: it lets others run and hopes that it was long enough.
  Benchmark(
    "10 virtual sleeps, by yielding", configuration: .init(scalingFactor: .one, maxDuration: .seconds(2), maxIterations: 100)
  ) { benchmark in
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

/// Tasks of a simulation that sleep for a second, again and again.
private final class Sleepers {
  let simulation = Simulation(seed: 1, limits: .endless)

  init(count: Int) {
    let clock = simulation.clock
    for _ in 0..<count {
      simulation.task("sleeper") { while true { try await clock.sleep(for: .seconds(1)) } }
    }
    simulation.settle()
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
