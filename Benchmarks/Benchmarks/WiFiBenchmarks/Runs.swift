import Benchmark
import Harness

/// What an exploration costs: a hundred seeds, so that the lucky ones do not count alone.
func measureRuns() {
  let rows: [(name: String, explorer: Explorer)] = [
    ("100 seeds of 75 s, a few access points, run once", Explorer(runsTwice: false)),
    (
      "100 seeds of 60 s, 50 access points, run twice",
      Explorer(length: .seconds(60), accessPoints: 50, runsTwice: true)
    ),
  ]
  for row in rows {
    Benchmark(
      row.name, configuration: .init(warmupIterations: 0, scalingFactor: .one, maxDuration: .seconds(10), maxIterations: 20)
    ) { benchmark in
      for _ in benchmark.scaledIterations { blackHole(await row.explorer.explore(0..<100).hash) }
    }
  }
}
