import Determinism
import Foundation
import Synchronization
import Testing

private final class Ticker {
  var ticks: [Duration] = []
  let clock: any Clock<Duration>
  init(clock: any Clock<Duration>) { self.clock = clock }

  func run(every interval: Duration, in simulation: Simulation) async throws {
    while true {
      try await clock.sleep(for: interval)
      ticks.append(simulation.clock.now.offset)
    }
  }
}

private final class Order: Sendable {
  let numbers = Mutex<[Int]>([])
}

private func leak(_ clock: VirtualClock, isolation: isolated (any Actor)? = #isolation) {
  Task(name: "forgotten") {
    _ = isolation
    try await clock.sleep(for: .seconds(9))
  }
}

@Suite struct SimulateTests {
  @Test func `the body moves the time and sees everything come to rest`() async throws {
    try await simulate(seed: 7) { simulation in
      let ticker = Ticker(clock: simulation.clock)
      simulation.task("ticker", atEnd: .cancel) { try await ticker.run(every: .seconds(1), in: simulation) }
      await simulation.advance(by: .milliseconds(2500))
      #expect(ticker.ticks == [.seconds(1), .seconds(2)])
      #expect(simulation.clock.now.offset == .milliseconds(2500))
      await simulation.advance(by: .milliseconds(500))
      #expect(ticker.ticks.count == 3)
    }
  }

  @Test func `a body that sleeps lets time jump`() async throws {
    let hours = try await simulate(seed: 7) { simulation in
      try await simulation.clock.sleep(for: .seconds(3600))
      return simulation.clock.now.offset
    }
    #expect(hours == .seconds(3600))
  }

  @Test func `what the body throws is thrown`() async {
    struct Trouble: Error {}
    await #expect(throws: Trouble.self) { try await simulate(seed: 7) { _ in throw Trouble() } }
  }

  @Test func `children and nonisolated functions stay on the executor`() async throws {
    @Sendable @concurrent func elsewhere(_ clock: any Clock<Duration>) async throws -> Int {
      try await clock.sleep(for: .seconds(1))
      await Task.yield()
      return 1
    }
    let sum = try await simulate(seed: 7) { simulation in
      let clock = simulation.clock
      async let first = elsewhere(clock)
      async let second = elsewhere(clock)
      let third = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<10 { group.addTask { try await elsewhere(clock) } }
        return try await group.reduce(0, +)
      }
      let total = try await first + second + third
      #expect(clock.now.offset == .seconds(1))
      return total
    }
    #expect(sum == 12)
  }

  // MARK: What leaves

  private func failure(
    limits: SimulationLimits = SimulationLimits(),
    _ body: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> Void
  ) async -> SimulationFailure? {
    do {
      try await simulate(seed: 7, limits: limits, body)
      return nil
    } catch {
      return error as? SimulationFailure
    }
  }

  /// What a program without the hooks has, such as one on another platform.
  private static let withoutSupport: SimulationLimits = {
    var limits = SimulationLimits()
    limits.support = []
    // The pool may be busy with other tests.
    limits.escapeGrace = .seconds(30)
    limits.realTime = nil
    return limits
  }()

  @Test func `without the hooks a real sleep is reported by the name of its task`() async throws {
    let failure = await failure(limits: Self.withoutSupport) { simulation in
      await simulation.task("loads the list") { try await Task.sleep(for: .milliseconds(5)) }.finished()
    }
    guard case .escaped(let escapes) = failure?.reason else {
      Issue.record("no escape: \(String(describing: failure))")
      return
    }
    #expect(escapes.first?.task == "loads the list")
    #expect(escapes.first?.action == "slept on a clock of the standard library, whose time is real in this program")
  }

  @Test func `without the hooks waiting for a detached task is reported by the name of who waits`() async {
    let failure = await failure(limits: Self.withoutSupport) { simulation in
      let task = simulation.task("asks elsewhere") {
        await Task.detached { try? await Task.sleep(for: .milliseconds(5)) }.value
      }
      await task.finished()
    }
    #expect(failure?.description.contains("asks elsewhere came back from another thread") == true, "\(failure as Any)")
  }

  @Test func `without the hooks a detached task that uses the clock is reported by its name`() async {
    let failure = await failure(limits: Self.withoutSupport) { simulation in
      let clock = simulation.clock
      let detached = Task.detached(name: "sneaks away") { try await clock.sleep(for: .seconds(1)) }
      _ = await detached.result
    }
    #expect(failure?.description.contains("sneaks away slept on the virtual clock") == true, "\(failure as Any)")
  }

  @Test func `a thread that resumes a task is reported`() async {
    let failure = await failure(limits: Self.withoutSupport) { simulation in
      await simulation.task("waits for a thread") {
        await withCheckedContinuation { continuation in
          Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.2)
            continuation.resume()
          }
        }
      }.finished()
    }
    #expect(failure?.description.contains("waits for a thread came back") == true, "\(failure as Any)")
  }

  @Test func `waiting for what never comes ends with who waits`() async {
    let failure = await failure { simulation in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let task = simulation.task("reads an empty stream") { for await _ in stream {} }
      await task.finished()
      continuation.finish()
    }
    guard case .stalled(let waiting) = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(waiting.contains { $0.hasPrefix("reads an empty stream waits") }, "\(waiting)")
  }

  @Test(.enabled(if: SimulationSupport.linked.contains(.escapes)))
  func `where nothing has left the run is not waited for as long`() async {
    var limits = SimulationLimits()
    limits.escapeGrace = .seconds(120)
    let begin = ContinuousClock.now
    let failure = await failure(limits: limits) { _ in
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    guard case .stalled? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    let time = ContinuousClock.now - begin
    #expect(time < .seconds(60), "\(time)")
  }

  @Test func `a run that never ends reaches the time limit and says who sleeps`() async {
    var limits = SimulationLimits()
    limits.time = .seconds(60)
    let failure = await failure(limits: limits) { simulation in
      let ticker = Ticker(clock: simulation.clock)
      await simulation.task("ticker", atEnd: .cancel) { try await ticker.run(every: .seconds(7), in: simulation) }.finished()
    }
    #expect(failure?.time == .seconds(56))
    #expect(failure?.description.contains("ticker sleeps until 63 s") == true, "\(failure as Any)")
  }

  @Test func `a circle at one time ends with the task that runs in it`() async {
    var limits = SimulationLimits()
    limits.jobsPerInstant = 10_000
    let failure = await failure(limits: limits) { simulation in
      await simulation.task("circles") { while true { await Task.yield() } }.finished()
    }
    guard case .neverSettles(10_001..., let awake)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    // The body waits for it, and is not awake.
    #expect(awake.count == 1 && awake[0].hasPrefix("“circles” (started at DeterminismTests/SimulateTests.swift:"), "\(awake)")
    #expect(awake[0].contains(" in a closure in DeterminismTests.SimulateTests."), "\(awake)")
  }

  @Test func `who still sleeps at the end is reported`() async {
    let failure = await failure { simulation in
      leak(simulation.clock)
      await simulation.advance(by: .seconds(1))
    }
    #expect(failure?.description.contains("forgotten sleeps until 9 s") == true, "\(failure as Any)")
  }

  @Test func `an error of a task fails the run`() async {
    struct Trouble: Error {}
    let failure = await failure { simulation in
      simulation.task("breaks") { throw Trouble() }
      await simulation.settle()
    }
    #expect(failure?.reason == .threw(task: "breaks", error: "Trouble()"))
  }

  /// The real time of a run of so many tasks that sleep at once, the shortest of three.
  private static func timeOfSleepers(_ count: Int) async throws -> Duration {
    var least = Duration.seconds(1000)
    for _ in 0..<3 {
      let clock = ContinuousClock()
      let start = clock.now
      try await simulate(seed: 7) { simulation in
        for _ in 0..<count { simulation.task("sleeps") { try await simulation.clock.sleep(for: .seconds(1)) } }
        await simulation.advance(by: .seconds(1))
        #expect(simulation.unfinishedTasks.count == 1)
      }
      least = min(least, start.duration(to: clock.now))
    }
    return least
  }

  @Test func `a task costs the same however many there are`() async throws {
    let (few, many) = (try await Self.timeOfSleepers(1000), try await Self.timeOfSleepers(16_000))
    // Sixteen times as many; were each compared with all, 256 times as long.
    #expect(many < few * 128, "\(few), \(many)")
  }

  // MARK: Order

  private static func order(seed: UInt64, _ order: JobOrder) async throws -> [Int] {
    try await simulate(seed: seed, order: order) { simulation in
      let order = Order()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<8 {
          let clock = simulation.clock
          group.addTask {
            try await clock.sleep(for: .seconds(1))
            order.numbers.withLock { $0.append(index) }
          }
        }
        try await group.waitForAll()
      }
      return order.numbers.withLock { $0 }
    }
  }

  @Test func `jobs run in order, or in any order that a seed gives`() async throws {
    #expect(try await Self.order(seed: 1, .inOrder) == Array(0..<8))
    var seen: [[Int]] = []
    for seed in 0..<20 as Range<UInt64> {
      let order = try await Self.order(seed: seed, .shuffled)
      #expect(order.sorted() == Array(0..<8))
      #expect(try await Self.order(seed: seed, .shuffled) == order)
      if !seen.contains(order) { seen.append(order) }
    }
    #expect(seen.count > 10)
    let last = try await Self.order(seed: 1, .chosen([.init(number: 3, index: 7), .init(number: 6, index: 7)]))
    #expect(last != Array(0..<8), "\(last)")
  }

  @Test func `a trace has the time of each event, and its hash is that of its text`() async throws {
    let (text, hash) = try await simulate(seed: 7) { simulation in
      simulation.trace.record("begin")
      await simulation.advance(by: .milliseconds(1500))
      simulation.trace.record("end")
      return (simulation.trace.text, simulation.trace.hash)
    }
    #expect(text == "0.000 begin\n1.500 end\n")
    #expect(hash == text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }
}
