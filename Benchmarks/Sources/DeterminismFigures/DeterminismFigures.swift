import Determinism
import Foundation
import Synchronization

/// What a foreign model costs on virtual time, a line each: name, figure, unit.
///
/// And what must be the same in every process: the hash of the traces of many seeds.
///
///     DeterminismFigures               the figures
///     DeterminismFigures sleeps        a million sleeps on the main actor, for a profiler
///     DeterminismFigures ticks         a million ticks of a main-actor model, the same
///     DeterminismFigures hash SEEDS    the hash of the traces of so many seeds, each also run on a thread beside others
@main enum DeterminismFigures {
  static func main() async throws {
    if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "hash", let seeds = UInt64(CommandLine.arguments[2]) {
      print(try await hash(of: seeds))
      return
    }
    if CommandLine.arguments.contains("ticks") {
      return try await ticks(1_000_000) { simulation in Ticker(clock: simulation.clock) }
    }
    if CommandLine.arguments.contains("sleeps") { return try await sleep(1_000_000) }
    let own = try await fastest { try await ticks(100_000) { simulation in Ticker(clock: simulation.clock) } }
    print("ticks\t\(own)\ts for 100,000 ticks of a main-actor model on the clock of the simulation")
    let real = try await fastest { try await ticks(100_000) { _ in Ticker(clock: ContinuousClock()) } }
    print("ticks-real\t\(real)\ts for the same on ContinuousClock, which is virtual there")
    let sleeps = try await fastest { try await sleep(100_000) }
    print("sleeps\t\(Int(100_000 / sleeps))\t/s Task.sleep(for:) on the main actor")
    let good = try await exact(10_000)
    print("debounce\t\(good)\tof 10,000 debounces, single ticks and five ticks in one advance, exact without waiting")
    if good < 10_000 { exit(1) }
  }

  /// The fastest of seven, in seconds of the processor: the others were disturbed.
  private static func fastest(_ body: @Sendable () async throws -> Void) async throws -> Double {
    var best = Double.infinity
    for _ in 0..<7 {
      let begin = clock()
      try await body()
      best = min(best, Double(clock() - begin) / Double(CLOCKS_PER_SEC))
    }
    return best
  }

  @MainActor final class Ticker<C: Clock> where C.Duration == Duration {
    var count = 0
    private let clock: C
    private var task: Task<Void, Never>?

    init(clock: C) { self.clock = clock }

    func start() {
      task = Task {
        while true {
          do { try await clock.sleep(for: .seconds(1)) } catch { return }
          count += 1
        }
      }
    }

    func stop() { task?.cancel() }
  }

  private static func ticks<C: Clock>(
    _ count: Int, _ make: @escaping @Sendable @MainActor (Simulation) -> Ticker<C>
  ) async throws where C.Duration == Duration {
    try await simulate(seed: 1, limits: .long) { @MainActor simulation in
      let ticker = make(simulation)
      ticker.start()
      await simulation.advance(by: .seconds(count))
      precondition(ticker.count == count)
      ticker.stop()
    }
  }

  private static func sleep(_ count: Int) async throws {
    try await simulate(seed: 1, limits: .long) { @MainActor _ in
      for _ in 0..<count { try await Task.sleep(for: .seconds(1)) }
    }
  }

  /// Searches a moment after the last letter; the search is a task of the model's own.
  @MainActor final class SearchField {
    private(set) var searches: [String] = []
    private var pending: Task<Void, Never>?
    var text = "" {
      didSet {
        pending?.cancel()
        pending = Task {
          guard (try? await Task.sleep(for: .milliseconds(300))) != nil else { return }
          await search()
        }
      }
    }

    private func search() async {
      let text = text
      let answer = Task.detached {
        try? await Task.sleep(for: .milliseconds(50))
        return text.uppercased()
      }
      searches.append(await answer.value)
    }
  }

  private static func exact(_ count: Int) async throws -> Int {
    var good = 0
    for seed in 0..<UInt64(count) {
      let isExact = try await simulate(seed: seed) { @MainActor simulation in
        let (ticker, field) = (Ticker(clock: ContinuousClock()), SearchField())
        ticker.start()
        await simulation.advance(by: .seconds(1))
        let one = ticker.count == 1
        await simulation.advance(by: .seconds(5))
        let five = ticker.count == 6
        field.text = "w"
        await simulation.advance(by: .milliseconds(299))
        field.text = "wi"
        await simulation.advance(by: .milliseconds(349))
        let none = field.searches.isEmpty
        await simulation.advance(by: .milliseconds(1))
        ticker.stop()
        return one && five && none && field.searches == ["WI"]
      }
      if isExact { good += 1 }
    }
    return good
  }

  // MARK: One trace for one seed

  /// What a run of mixed code does, in the order in which it does it.
  private static func trace(of seed: UInt64) async throws -> String {
    try await simulate(seed: seed) { @MainActor simulation in
      var lines: [String] = []
      let ticker = Ticker(clock: ContinuousClock())
      ticker.start()
      await withTaskGroup(of: String.self) { group in
        for number in 0..<8 {
          group.addTask {
            try? await Task.sleep(for: .milliseconds(Int.random(in: 1...3) * 100))
            return "\(number) \(Int.random(in: 0..<1000)) \(UUID()) \(Date().timeIntervalSince1970)"
          }
        }
        for await line in group { lines.append(line) }
      }
      await simulation.advance(by: .seconds(10))
      lines.append("\(ticker.count) \((0..<10).shuffled()) \(Set(0..<10).map { $0 })")
      ticker.stop()
      return lines.joined(separator: "\n")
    }
  }

  private static func hash(of seeds: UInt64) async throws -> String {
    let traces = try await withThrowingTaskGroup(of: (UInt64, UInt64).self) { group in
      for seed in 0..<seeds {
        group.addTask { (seed, fnv(try await trace(of: seed).utf8)) }
        // The same seed at another time, beside others.
        group.addTask { (seed, fnv(try await trace(of: seed).utf8)) }
      }
      var traces: [UInt64: UInt64] = [:]
      for try await (seed, hash) in group {
        if let other = traces[seed], other != hash { fatalError("seed \(seed): two traces in one process") }
        traces[seed] = hash
      }
      return traces
    }
    let words = (0..<seeds).map { "\(traces[$0] ?? 0)" }.joined(separator: " ")
    return "\(seeds) seeds, \(Set(traces.values).count) different traces, hash \(String(fnv(words.utf8), radix: 16))"
  }

  /// FNV-1a.
  private static func fnv(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

extension SimulationLimits {
  /// As long as a measurement takes, in virtual time, too.
  fileprivate static var long: SimulationLimits {
    var limits = SimulationLimits.endless
    limits.time = .seconds(1 << 40)
    return limits
  }
}
