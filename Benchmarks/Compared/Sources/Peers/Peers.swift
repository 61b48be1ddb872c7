import Clocks
import ConcurrencyExtras
import Foundation

/// The work of `Ours` by TestClock, withMainSerialExecutor and the way in which TestStore asserts; a line each, with
/// the milliseconds of the processor that the fastest of three exact runs took.
@main enum Peers {
  @MainActor static func main() async {
    await figure("sleeps of one task") { await sleeps() }
    await figure("sleeps of one task, with a main serial executor") { await serially { await sleeps() } }
    await figure("tasks that sleep") { await sleepingTasks() }
    await figure("tasks that yield") { await serially { await yieldingTasks() } }
    await figure("steps that are asserted whole") { await assertedSteps() }
  }

  @MainActor private static func figure(_ name: String, _ body: @MainActor () async -> Int) async {
    if let part = CommandLine.arguments.dropFirst().first, !name.contains(part) { return }
    var (best, exact) = (Int.max, 0)
    for _ in 0..<3 {
      let start = clock()
      if await body() != count { continue }
      exact += 1
      best = min(best, (clock() - start) * 1000 / CLOCKS_PER_SEC)
    }
    print("\(name)\t\(exact > 0 ? best : 0)\t\(exact) of 3 exact")
  }

  @MainActor private static func serially(_ body: @MainActor () async -> Int) async -> Int {
    var result = 0
    await withMainSerialExecutor { result = await body() }
    return result
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

  @MainActor private static func sleeps() async -> Int {
    let (clock, ticker) = (TestClock(), Ticker())
    let task = Task { await ticker.run(clock, count) }
    await clock.advance(by: .seconds(count))
    defer { task.cancel() }
    return ticker.count
  }

  @MainActor private static func sleepingTasks() async -> Int {
    let (clock, ticker) = (TestClock(), Ticker())
    let tasks = (1...count).map { number in
      Task {
        try? await clock.sleep(for: .seconds(number))
        ticker.count += 1
      }
    }
    await clock.advance(by: .seconds(count))
    for task in tasks { task.cancel() }
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

  /// As `receive` of TestStore does with each action: a copy that the test changes, a comparison, and a yield of 20 tasks.
  @MainActor private static func assertedSteps() async -> Int {
    let (clock, ticker) = (TestClock(), Ticker())
    let task = Task { await ticker.run(clock, count) }
    var (asserted, last) = (0, Shown())
    for _ in 0..<count {
      await clock.advance(by: .seconds(1))
      var expected = last
      expected.seconds += 1
      last = Shown(seconds: ticker.count)
      if last == expected { asserted += 1 }
      await Task.megaYield()
    }
    task.cancel()
    return asserted
  }
}
