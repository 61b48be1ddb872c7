import Determinism
import Observation
import Synchronization
import Testing

/// `Observations` of the standard library: each seed is one order of what observes a field, and of what it sees.
@Suite struct ObservationsTests {
  @MainActor @Observable final class Model {
    var count = 0
    var name = ""
  }

  /// What ten that observe one model saw, in the order in which they did.
  private static func seen(_ seed: UInt64) async throws -> [String] {
    try await simulate(seed: seed) { @MainActor simulation in
      let model = Model()
      let lines = Mutex<[String]>([])
      let tasks = (0..<10).map { number in
        Task {
          for await value in Observations({ "\(model.count)\(number % 2 == 0 ? model.name : "")" }) {
            lines.withLock { $0.append("\(simulation.clock.now.offset) \(number): \(value)") }
          }
        }
      }
      for second in 1...5 {
        await simulation.advance(by: .seconds(1))
        model.count = second
        if second % 2 == 0 { model.name += "x" }
      }
      await simulation.settle()
      for task in tasks { task.cancel() }
      return lines.withLock { $0 }
    }
  }

  @Test func `a seed is one order of all that observe, and sees each change`() async throws {
    var orders: Set<[String]> = []
    for seed: UInt64 in 0..<100 {
      let first = try await Self.seen(seed)
      #expect(try await Self.seen(seed) == first)
      #expect(first.count == 60 && Set(first).count == 60, "the first value and five changes, each once")
      orders.insert(first)
    }
    #expect(orders.count == 100, "another order for each seed")
  }
}
