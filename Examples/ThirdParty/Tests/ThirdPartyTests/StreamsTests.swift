import AsyncAlgorithms
import Determinism
import DeterminismTesting
import Testing

/// Streams of swift-async-algorithms on `ContinuousClock`, which knows nothing of a simulation.
@Suite struct StreamsTests {
  /// Values, each so many milliseconds after the one before.
  private static func typed(_ values: KeyValuePairs<String, Int>) -> AsyncStream<String> {
    AsyncStream { continuation in
      let task = Task {
        for (value, pause) in values {
          try? await Task.sleep(for: .milliseconds(pause))
          continuation.yield(value)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private static let wifi: KeyValuePairs = ["w": 0, "wi": 100, "wif": 100, "wifi": 1000]

  @Test func `debounce lets pass what is followed by a pause`() async throws {
    let lines = try await simulate(seed: 7) { simulation in
      for await text in Self.typed(Self.wifi).debounce(for: .milliseconds(300)) { simulation.trace.record(text) }
      return simulation.trace.lines
    }
    #expect(lines == ["0.500 wif", "1.200 wifi"])
  }

  @Test func `throttle lets one pass in each interval`() async throws {
    let lines = try await simulate(seed: 7) { simulation in
      for await text in Self.typed(Self.wifi)._throttle(for: .milliseconds(150)) { simulation.trace.record(text) }
      return simulation.trace.lines
    }
    #expect(lines == ["0.000 w", "0.200 wif", "1.200 wifi"])
  }

  @Test func `sixty ticks of a timer of a minute are an hour, exactly`() async throws {
    let elapsed = try await simulate(seed: 7) { simulation in
      let start = ContinuousClock.now
      var ticks = 0
      for await tick in AsyncTimerSequence(interval: .seconds(60), clock: .continuous).prefix(60) {
        ticks += 1
        #expect(start.duration(to: tick) == .seconds(60 * ticks))
      }
      return start.duration(to: .now)
    }
    #expect(elapsed == .seconds(3600))
  }

  @Test func `chunks end with each second`() async throws {
    let lines = try await simulate(seed: 7) { simulation in
      let values = Self.typed(["a": 300, "b": 300, "c": 300, "d": 300, "e": 300])
      for await chunk in values.chunked(by: .repeating(every: .seconds(1))) { simulation.trace.record(chunk.joined()) }
      return simulation.trace.lines
    }
    #expect(lines == ["1.000 abc", "1.500 de"])
  }

  @Test func `merge has the order of the times`() async throws {
    let lines = try await simulate(seed: 7) { simulation in
      let merged = merge(Self.typed(["a": 2000, "b": 2000, "c": 2000]), Self.typed(["x": 3000, "y": 4000]))
      for await value in merged { simulation.trace.record(value) }
      return simulation.trace.lines
    }
    #expect(lines == ["2.000 a", "3.000 x", "4.000 b", "6.000 c", "7.000 y"])
  }

  /// All of them at once on a main-actor model's side of things, in any order of tasks.
  private static func search(seed: UInt64) async throws -> [String] {
    try await simulate(seed: seed) { @MainActor simulation in
      let keys = typed(["w": 500, "wi": 500, "wif": 500, "wifi": 500])
      let other = typed(["h": 500, "ho": 500, "hom": 500, "home": 500])
      let timer = AsyncTimerSequence(interval: .milliseconds(500), clock: .continuous).prefix(4).map { _ in "tick" }
      for await texts in merge(keys, other, timer).chunked(by: .repeating(every: .seconds(1))) {
        simulation.trace.record(texts.joined(separator: " "))
      }
      return simulation.trace.lines
    }
  }

  @Test func `a seed is one order, and seeds are many`() async throws {
    var orders: Set<[String]> = []
    for seed in 0..<100 as Range<UInt64> {
      let first = try await Self.search(seed: seed)
      #expect(try await Self.search(seed: seed) == first)
      orders.insert(first)
    }
    #expect(orders.count > 10)
  }

  @Test(.simulated(seeds: 0..<100)) @MainActor func `a search field asks once for what was typed`() async throws {
    var asked: [String] = []
    for await text in Self.typed(Self.wifi).debounce(for: .milliseconds(300)) { asked.append(text) }
    #expect(asked == ["wif", "wifi"])
    #expect(Simulation.current?.clock.now.offset == .milliseconds(1200))
  }
}
