import Benchmark
import Determinism
import Harness
import Models
import Simulator
import WiFi

/// A radio world that is scanned again and again: frames, the kernel's messages, the scanner, the list of networks.
func measureRadio() {
  for count in [10, 50, 500, 5000] {
    Benchmark(
      "60 s of a radio world of \(count) access points",
      configuration: .init(warmupIterations: 1, scalingFactor: .one, maxDuration: .seconds(3), maxIterations: 1000)
    ) { (benchmark: Benchmark, watch: RadioWatch) in
      watch.advance(by: .seconds(60))
      precondition(watch.networks > count / 20, "only \(watch.networks) networks of \(count) were heard")
    } setup: {
      RadioWatch(accessPoints: count)
    }
  }
}

/// An observer of the networks of a radio world.
final class RadioWatch {
  private let simulation = Simulation(seed: 7, limits: .endless)
  private let model: FoundNetworksModel

  /// As many access points as said, two to a device, all near enough to be heard.
  init(accessPoints count: Int) {
    let profile = RadioProfile(
      name: "benchmark", propagation: .indoorMixed,
      populations: [
        Population(
          count: .fixed(count / 2), placement: .heardAtOrigin(signalMBm: -8500 ... -4500), kinds: [Weighted(.dualBandRouter, 1)])
      ])
    let world = KernelScenarioWorld(
      air: RadioWorld(seed: 7, profile: profile), seed: 7, clock: simulation.clock)
    let model = FoundNetworksModel(grouping: .bss, order: world.order)
    self.model = model
    simulation.task("watches") {
      while let scan = try await world.source.nextScan() { model.apply(scan) }
    }
  }

  /// How many BSSs are listed.
  var networks: Int { model.count }

  func advance(by duration: Duration) { simulation.advance(by: duration) }
}
