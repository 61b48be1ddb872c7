import Benchmark
import Harness

/// Stories of 60 simulated seconds, each told once.
func measureStories() {
  Benchmark(
    "one seed, told once",
    configuration: .init(warmupIterations: 0, scalingFactor: .one, maxDuration: .seconds(5), maxIterations: 20)
  ) { benchmark in
    // A hundred seeds, so that the lucky ones do not count alone.
    for _ in benchmark.scaledIterations {
      for seed in 0..<100 as Range<UInt64> { blackHole(await Story(StoryPlan(seed: seed)).tell().hash) }
    }
  }
}
