import Harness
import Synchronization
import Testing

/// Which task's turn it is does not depend on the optimizer.
@Suite struct SchedulingTests {
  private final class Log: Sendable {
    private let stored = Mutex<[String]>([])
    var entries: [String] { stored.withLock { $0 } }
    func add(_ entry: String) { stored.withLock { $0.append(entry) } }
  }

  @concurrent private static func elsewhere(_ log: Log, _ entry: String) async { log.add(entry) }

  /// Two tasks that each do three things, with `between` after each.
  private func order(
    _ scheduling: Scheduling, between: @escaping @Sendable (Log, String) async -> Void
  ) async throws -> [String] {
    try await simulate(seed: 1, scheduling: scheduling) { simulation in
      let log = Log()
      for name in ["a", "b"] {
        simulation.task(name) {
          for number in 1...3 {
            log.add("\(name)\(number)")
            await between(log, name)
          }
        }
      }
      await simulation.settle()
      return log.entries
    }
  }

  @Test func `a hop is nobody else's turn`() async throws {
    let hops = try await order(.inOrder) { log, name in await Self.elsewhere(log, name + "'") }
    #expect(hops == ["a1", "a'", "a2", "a'", "a3", "a'", "b1", "b'", "b2", "b'", "b3", "b'"])
  }

  @Test func `a yield is somebody else's turn`() async throws {
    let yields = try await order(.inOrder) { _, _ in await Task.yield() }
    #expect(yields == ["a1", "b1", "a2", "b2", "a3", "b3"])
  }

  @Test func `how often somebody hops makes no difference to what a seed draws`() async throws {
    for seed in 0..<20 as Range<UInt64> {
      let plain = try await order(.random(seed: seed)) { _, _ in await Task.yield() }
      let hopping = try await order(.random(seed: seed)) { log, _ in
        await Self.elsewhere(log, "")
        await Task.yield()
        await Self.elsewhere(log, "")
      }
      #expect(hopping.filter { !$0.isEmpty } == plain)
    }
  }

  actor Counter {
    private(set) var count = 0
    func add() async {
      let before = count
      await Task.yield()
      count = before + 1
    }
  }

  @Test func `an actor that waits is somebody else's turn, so a lost update is found`() async throws {
    let count = try await simulate(seed: 1) { simulation in
      let counter = Counter()
      for name in ["a", "b"] { simulation.task(name) { await counter.add() } }
      await simulation.settle()
      return await counter.count
    }
    #expect(count == 1)
  }
}
