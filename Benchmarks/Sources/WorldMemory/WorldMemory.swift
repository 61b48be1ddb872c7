import Determinism
import Harness
import Models
import Simulator

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Makes a world of as many access points as said, scans it once, and prints the most memory that it ever had, in MiB.
@main
enum WorldMemory {
  static func main() { measure() }

  /// Apart from `main`, which belongs to the main actor: a task of a simulation that is made there would, too.
  private nonisolated static func measure() {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
    var profile = RadioProfile.apartmentBlock
    profile.populations = [
      // As far apart as in a town: cells of 30 m, five storeys.
      Population(
        count: .fixed(count / 2),
        placement: .cells(columns: 100, rows: max(count / 1000, 1), floors: 0...4, cellCm: 3000),
        kinds: [Weighted(.dualBandRouter, 1)])
    ]
    let before = peakMiB
    let world = RadioWorld(seed: 7, profile: profile)
    let made = peakMiB
    let simulation = Simulation(seed: 7)
    let scenario = KernelScenarioWorld(air: world, seed: 7, clock: simulation.clock)
    let model = FoundNetworksModel()
    simulation.task("scans once") {
      if let scan = try await scenario.source.nextScan() { model.apply(scan) }
    }
    simulation.run()
    print(world.radioCount, model.count, before, made, peakMiB)
  }

  /// The most memory that this process ever had.
  private nonisolated static var peakMiB: Int {
    var usage = rusage()
    guard unsafe getrusage(RUSAGE_SELF.number, &usage) == 0 else { return 0 }
    #if canImport(Darwin)
      return usage.ru_maxrss / 1_048_576
    #else
      return usage.ru_maxrss / 1024
    #endif
  }
}

#if canImport(Glibc)
  extension __rusage_who {
    fileprivate var number: __rusage_who_t { __rusage_who_t(rawValue) }
  }
#else
  extension Int32 {
    fileprivate var number: Int32 { self }
  }
#endif
