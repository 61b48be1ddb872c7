import Determinism
import Dispatch
import Harness
import Synchronization
import Testing

private final class Counter: Sendable {
  let count = Atomic(0)
}

/// What leaves a simulation, and what does not: the cases of the article on determinism.
@Suite struct DeterminismTests {
  private func failure(
    _ body: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> Void
  ) async -> SimulationFailure? {
    do {
      try await simulate(seed: 7, body)
      return nil
    } catch {
      return error as? SimulationFailure
    }
  }

  @Test func `children stay: async let, task groups, continuations`() async throws {
    try await simulate(seed: 7) { simulation in
      let clock = simulation.clock
      async let first: Void = clock.sleep(for: .seconds(1))
      async let second: Void = clock.sleep(for: .seconds(2))
      _ = try await (first, second)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask { try? await clock.sleep(for: .seconds(1)) } }
      }
      #expect(clock.now.offset == .seconds(3))
    }
  }

  @Test func `an inner task stays inside, detached or not`() async throws {
    try await simulate(seed: 7) { simulation in
      let clock = simulation.clock
      await Task(name: "inner") { try? await clock.sleep(for: .seconds(1)) }.value
      await Task.detached { try? await clock.sleep(for: .seconds(1)) }.value
      await simulation.task("of the simulation") { try await clock.sleep(for: .seconds(1)) }.finished()
      #expect(clock.now.offset == .seconds(3))
    }
  }

  @Test func `a sleep on a clock of the standard library is reported without SystemInterposing`() async {
    let failure = await failure { simulation in
      await simulation.task("loads") { try await Task.sleep(for: .seconds(60)) }.finished()
    }
    guard case .escaped(let escapes) = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(escapes.map(\.task) == ["loads"])
    #expect(escapes[0].action == "slept on a clock of the standard library, whose time is real in this program")
  }

  /// Work that a queue of Dispatch does, some time later.
  private static func load(after seconds: Double) async {
    await withCheckedContinuation { loaded in
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { loaded.resume() }
    }
  }

  @Test func `what a queue does is reported when it comes back`() async {
    let failure = await failure { simulation in
      await simulation.task("loads") { await Self.load(after: 0.1) }.finished()
    }
    guard case .escaped(let escapes) = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(escapes.map(\.description) == ["loads came back from another thread at 0 s"])
  }

  @Test func `what a queue does for longer than the grace ends the run, with who waits`() async {
    let failure = await failure { simulation in
      await simulation.task("loads") { await Self.load(after: 5) }.finished()
    }
    guard case .stalled(let waiting) = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    let isNamed = waiting.contains { $0.hasPrefix("loads waits for something that is neither the clock nor runnable") }
    #expect(isNamed, "\(waiting)")
  }

  @Test func `what leaves and never comes back is not seen without SystemInterposing`() async {
    let counter = Counter()
    let failure = await failure { simulation in
      DispatchQueue.global().async { counter.count.add(1, ordering: .relaxed) }
      await simulation.settle()
    }
    #expect(failure == nil)
    while counter.count.load(ordering: .relaxed) == 0 { await Task.yield() }
  }

  @Test func `the order is that of the jobs, a seed's, or chosen`() async throws {
    @Sendable func order(_ order: JobOrder) async throws -> [Int] {
      try await simulate(seed: 7, order: order) { simulation in
        var order: [Int] = []
        for number in 0..<5 {
          simulation.task("\(number)") {
            try await simulation.clock.sleep(for: .seconds(1))
            order.append(number)
          }
        }
        await simulation.run()
        return order
      }
    }
    #expect(try await order(.inOrder) == [0, 1, 2, 3, 4])
    let drawn = try await order(.shuffled)
    #expect(try await order(.shuffled) == drawn)
    #expect(drawn != [0, 1, 2, 3, 4] && drawn.sorted() == [0, 1, 2, 3, 4], "\(drawn)")
    let last = try await order(.chosen((4..<9).map { .init(number: $0, index: 4) }))
    #expect(last == [4, 3, 2, 1, 0])
  }

  /// Takes one where there is one, and waits between looking and taking.
  final class Stock {
    private(set) var count: Int
    init(_ count: Int) { self.count = count }

    nonisolated(nonsending) func take(on clock: VirtualClock) async {
      guard count > 0 else { return }
      try? await clock.sleep(for: .seconds(1))
      count -= 1
    }
  }

  @Test func `what is small can be run in every order`() async throws {
    let orders = try await simulateEveryOrder(seed: 7) { simulation in
      let stock = Stock(1)
      for name in ["a", "b"] { simulation.task(name) { await stock.take(on: simulation.clock) } }
      await simulation.run()
      return stock.count
    }
    #expect(orders.isComplete)
    #expect(Set(orders.results) == [-1], "it looks before it leaps, and two may leap")
  }

  @Test func `by hand, what comes back between two calls is let in without a report`() async throws {
    // A simulation by hand belongs to one thread, so the whole of it is in a synchronous function.
    func run() -> (isFinished: Bool, failure: SimulationFailure?) {
      let simulation = Simulation(seed: 7)
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let task = simulation.task("reads") { for await _ in stream {} }
      simulation.settle()
      continuation.finish()
      simulation.settle()
      return (task.isFinished, simulation.failure)
    }
    let (isFinished, failure) = run()
    #expect(isFinished)
    #expect(failure == nil)
  }
}
