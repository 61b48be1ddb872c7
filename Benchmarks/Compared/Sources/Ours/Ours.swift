import Determinism
import DeterminismTesting
import Foundation
import Testing

/// The work of `Peers` in a simulation; a line each, with the milliseconds of the processor that the
/// fastest of three exact runs took.
@main enum Ours {
  @MainActor static func main() async throws {
    try await figure("sleeps of one task") { await sleeps($0) }
    try await figure("sleeps of one task, with a main serial executor") { await sleeps($0) }
    try await figure("tasks that sleep") { await sleepingTasks($0) }
    try await figure("tasks that yield") { _ in await yieldingTasks() }
    try await figure("steps that are asserted whole") { await assertedSteps($0) }
  }

  @MainActor private static func figure(
    _ name: String, _ body: @escaping @Sendable @MainActor (Simulation) async -> Int
  ) async throws {
    if let part = CommandLine.arguments.dropFirst().first, !name.contains(part) { return }
    var (best, exact) = (Int.max, 0)
    for seed: UInt64 in 0..<3 {
      let start = clock()
      let found = try await simulate(seed: seed) { @MainActor simulation in await body(simulation) }
      if found != count { continue }
      exact += 1
      best = min(best, (clock() - start) * 1000 / CLOCKS_PER_SEC)
    }
    print("\(name)\t\(exact > 0 ? best : 0)\t\(exact) of 3 exact")
  }

  private static let count = 10_000

  @MainActor private final class Ticker {
    var count = 0
    func run(_ clock: any Clock<Duration>, _ times: Int) async {
      for _ in 0..<times {
        try? await clock.sleep(for: .seconds(1))
        count += 1
      }
    }
  }

  @MainActor private static func sleeps(_ simulation: Simulation) async -> Int {
    let ticker = Ticker()
    Task { await ticker.run(ContinuousClock(), count) }
    await simulation.advance(by: .seconds(count))
    return ticker.count
  }

  @MainActor private static func sleepingTasks(_ simulation: Simulation) async -> Int {
    let ticker = Ticker()
    for number in 1...count {
      Task {
        try? await Task.sleep(for: .seconds(number))
        ticker.count += 1
      }
    }
    await simulation.advance(by: .seconds(count))
    return ticker.count
  }

  @MainActor private static func yieldingTasks() async -> Int {
    let ticker = Ticker()
    let tasks = (0..<count).map { _ in
      Task {
        for _ in 0..<10 { await Task.yield() }
        ticker.count += 1
      }
    }
    for task in tasks { await task.value }
    return ticker.count
  }

  private struct Shown: Equatable {
    var seconds = 0
    var name = "stopwatch"
    var laps: [Int] = []
  }

  @MainActor private static func assertedSteps(_ simulation: Simulation) async -> Int {
    let ticker = Ticker()
    Task { await ticker.run(ContinuousClock(), count) }
    return await assertingChanges(of: { Shown(seconds: ticker.count) }) { shown in
      for _ in 0..<count {
        await simulation.advance(by: .seconds(1))
        shown.expect { $0.seconds += 1 }
      }
      return ticker.count
    }
  }
}
