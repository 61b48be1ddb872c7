import Determinism
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
    _ order: JobOrder, seed: UInt64 = 1, between: @escaping @Sendable (Log, String) async -> Void
  ) async throws -> [String] {
    try await simulate(seed: seed, order: order) { simulation in
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
      let plain = try await order(.shuffled, seed: seed) { _, _ in await Task.yield() }
      let hopping = try await order(.shuffled, seed: seed) { log, _ in
        await Self.elsewhere(log, "")
        await Task.yield()
        await Self.elsewhere(log, "")
      }
      #expect(hopping.filter { !$0.isEmpty } == plain)
    }
  }

  actor Steps {
    private(set) var entries: [String] = []
    func take(_ name: String) async {
      for number in 1...4 {
        entries.append("\(name)\(number)")
        await Task.yield()
      }
    }
  }

  /// The work of an actor is a job that is gone while it runs, and what is made next may be where it was.
  @Test func `a yield in an actor is somebody else's turn, wherever its job is in memory`() async throws {
    for _ in 0..<20 {
      let entries = try await simulate(seed: 1, order: .inOrder) { simulation in
        let steps = Steps()
        for name in ["a", "b", "c"] { Task { await steps.take(name) } }
        await simulation.settle()
        return await steps.entries
      }
      #expect(entries == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3", "a4", "b4", "c4"])
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

/// Two tasks that read, wait for something, and write: one of two updates is lost.
@Suite struct LostUpdateTests {
  actor Store {
    private(set) var value = 0
    private(set) var reads = 0
    func read() -> Int {
      reads += 1
      return value
    }
    func write(_ new: Int) { value = new }
    func addAfterAView(_ view: View) async {
      let before = value
      await view.show(before)
      value = before + 1
    }
    func addAfterATask() async {
      let before = value
      value = await Task { before + 1 }.value
    }
  }

  @MainActor final class View {
    private var shown = 0
    func show(_ new: Int) { shown = new }
  }

  @MainActor final class Model {
    private(set) var value = 0
    nonisolated init() {}
    func add(_ wait: @Sendable () async -> Void) async {
      let before = value
      await wait()
      value = before + 1
    }
  }

  enum Update: CaseIterable, Sendable {
    case throughAnActor, inAnActorOverTheMainActor, inAnActorOverATask, inAModelOverAnActor, inAModelOverAYield, inAModelOverASleep

    /// The sum of two updates.
    func twice(_ start: Start) async -> Int {
      let (store, model) = (Store(), Model())
      switch self {
      case .throughAnActor: await start.twice { await store.write(store.read() + 1) }
      case .inAnActorOverTheMainActor:
        let view = View()
        await start.twice { await store.addAfterAView(view) }
      case .inAnActorOverATask: await start.twice { await store.addAfterATask() }
      case .inAModelOverAnActor: await start.twice { await model.add { _ = await store.read() } }
      case .inAModelOverAYield: await start.twice { await model.add { await Task.yield() } }
      case .inAModelOverASleep: await start.twice { await model.add { try? await Task.sleep(for: .milliseconds(5)) } }
      }
      return await max(store.value, model.value)
    }
  }

  enum Start: CaseIterable, Sendable {
    case tasks, detached, asyncLet, group

    func twice(_ update: @escaping @Sendable () async -> Void) async {
      switch self {
      case .tasks:
        let (one, other) = (Task { await update() }, Task { await update() })
        await one.value
        await other.value
      case .detached:
        let (one, other) = (Task.detached { await update() }, Task.detached { await update() })
        await one.value
        await other.value
      case .asyncLet:
        async let one: Void = update()
        async let other: Void = update()
        _ = await (one, other)
      case .group:
        await withTaskGroup { group in
          for _ in 0..<2 { group.addTask { await update() } }
        }
      }
    }
  }

  @Test(arguments: Update.allCases, Start.allCases)
  func `is found within ten seeds`(update: Update, start: Start) async throws {
    var sums: [Int] = []
    for seed in 0..<10 as Range<UInt64> { sums.append(try await simulate(seed: seed) { _ in await update.twice(start) }) }
    #expect(sums.contains(1), "\(sums)")
    #expect(sums.allSatisfy { $0 == 1 || $0 == 2 }, "\(sums)")
  }
}

/// Orders that are drawn by priority, and every order.
@Suite struct OrderTests {
  /// A counter that forgets an update where two tasks meet between its two halves.
  private final class Counter {
    var count = 0
    func add() async {
      let before = count
      await Task.yield()
      count = before + 1
    }
  }

  private func count(_ order: JobOrder, seed: UInt64 = 1) async throws -> Int {
    try await simulate(seed: seed, order: order) { simulation in
      let counter = Counter()
      for name in ["a", "b"] { simulation.task(name) { await counter.add() } }
      await simulation.settle()
      return counter.count
    }
  }

  /// Three tasks of three turns each, and what they did in which order.
  private func turns(_ seed: UInt64, _ order: JobOrder) async throws -> String {
    try await simulate(seed: seed, order: order) { simulation in
      let log = Log()
      for name in ["a", "b", "c"] {
        simulation.task(name) {
          for _ in 0..<3 {
            log.text += name
            await simulation.clock.tick()
          }
        }
      }
      await simulation.run()
      return log.text
    }
  }

  private final class Log { var text = "" }

  @Test func `priorities are of tasks, so one that is behind stays behind`() async throws {
    var seen: Set<String> = []
    for seed in 0..<64 as Range<UInt64> {
      let text = try await turns(seed, .prioritized(changes: 0))
      let order = text.prefix(3)
      #expect(text == String(repeating: String(order), count: 3))
      #expect(try await turns(seed, .prioritized(changes: 0)) == text)
      seen.insert(text)
    }
    #expect(seen.count == 6)
  }

  @Test func `a change makes a task fall behind all others, from then on`() async throws {
    var changed = 0
    for seed in 0..<64 as Range<UInt64> {
      let text = try await turns(seed, .prioritized(changes: 1))
      let rounds = stride(from: 0, to: 9, by: 3).map { String(text.dropFirst($0).prefix(3)) }
      if Set(rounds).count > 1 { changed += 1 }
      #expect(rounds.allSatisfy { $0.sorted() == ["a", "b", "c"] }, "\(text)")
      // One change, so at most one time another order than before.
      #expect(zip(rounds, rounds.dropFirst()).count { $0 != $1 } <= 1, "\(text)")
    }
    #expect(changed > 15)
  }

  @Test func `a task that yields until something happens does not starve the others`() async throws {
    for seed in 0..<20 as Range<UInt64> {
      let isDone = try await simulate(seed: seed, order: .prioritized(changes: 2)) { simulation in
        let log = Log()
        simulation.task("waits") { while log.text.isEmpty { await Task.yield() } }
        simulation.task("works") { log.text = "done" }
        await simulation.settle()
        return simulation.unfinishedTasks.map(\.name) == ["the body of simulate"]
      }
      #expect(isDone)
    }
  }

  @Test func `every order is run once, and the lost update is among them`() async throws {
    let turns = try await simulateEveryOrder(seed: 1) { simulation in
      let log = Log()
      for name in ["a", "b", "c"] { simulation.task(name) { log.text += name } }
      await simulation.settle()
      return log.text
    }
    #expect(turns.isComplete)
    #expect(turns.results.first == "abc")
    #expect(turns.results.sorted() == ["abc", "acb", "bac", "bca", "cab", "cba"])

    let counts = try await simulateEveryOrder(seed: 1) { simulation in
      let counter = Counter()
      for name in ["a", "b"] { simulation.task(name) { await counter.add() } }
      await simulation.settle()
      return counter.count
    }
    #expect(counts.isComplete)
    #expect(Set(counts.results) == [1, 2])
  }

  @Test func `deviations and runs bound the orders, and it is said whether there are more`() async throws {
    func orders(_ deviations: Int, _ runs: Int) async throws -> EveryOrder<String> {
      try await simulateEveryOrder(seed: 1, deviations: deviations, runs: runs) { simulation in
        let log = Log()
        for name in ["a", "b", "c"] { simulation.task(name) { log.text += name } }
        await simulation.settle()
        return log.text
      }
    }
    let one = try await orders(1, 100)
    #expect(one.results == ["abc", "bac", "cab", "acb"])
    #expect(one.isComplete)
    #expect(try await orders(0, 100).results == ["abc"])
    let few = try await orders(2, 3)
    #expect(few.results.count == 3)
    #expect(!few.isComplete)
  }

  private struct Forgotten: Error {}

  @Test func `the first order that fails is thrown, and repeats`() async throws {
    do {
      _ = try await simulateEveryOrder(seed: 1) { simulation in
        let counter = Counter()
        for name in ["a", "b"] { simulation.task(name) { await counter.add() } }
        await simulation.settle()
        if counter.count != 2 { throw Forgotten() }
      }
      Issue.record("no order loses an update")
    } catch let failure as OrderFailure {
      #expect(failure.underlying is Forgotten)
      #expect(try await count(.chosen(failure.choices)) == 1)
      #expect("\(failure)".contains("Forgotten"))
    }
  }
}

extension VirtualClock {
  /// Waits for a second.
  fileprivate func tick() async { try? await sleep(for: .seconds(1)) }

  @Test(arguments: [2, 2048, 2049, 10_000]) func `of many that are runnable each is taken as the seed draws it`(count: Int) async throws {
    let found = try await simulate(seed: 7) { simulation in
      let order = Mutex<[Int]>([])
      for number in 0..<count { simulation.task("\(number)") { order.withLock { $0.append(number) } } }
      await simulation.settle()
      return order.withLock { $0 }
    }
    var stream = RandomStream(seed: 7, name: "scheduling")
    var (waiting, expected) = (Array(0..<count), [Int]())
    while waiting.count > 1 { expected.append(waiting.remove(at: Int(stream.next(below: UInt64(waiting.count))))) }
    #expect(found == expected + waiting)
  }
}
