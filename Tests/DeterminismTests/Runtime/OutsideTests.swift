import Determinism
import Synchronization
import Testing

/// What was made before a run and waits for what the run does.
@Suite(.serialized) struct OutsideTests {
  private final class Lines: Sendable {
    private let lines = Mutex<[Int]>([])
    var all: [Int] { lines.withLock { $0 } }
    func add(_ line: Int) { lines.withLock { $0.append(line) } }
  }

  /// A logger as an application has one: a task that is there as long as the application is.
  private struct Logger {
    let written = Lines()
    let next: AsyncStream<Int>.Continuation
    let task: Task<Void, Never>

    init() {
      let (stream, next) = AsyncStream.makeStream(of: Int.self)
      self.next = next
      task = Task.detached(name: "logger") { [written] in for await line in stream { written.add(line) } }
    }

    /// Waits in real time until the logger has written so many lines and waits for the next.
    func wrote(_ count: Int) async throws {
      for _ in 0..<400 where written.all.count < count { try await Task.sleep(for: .milliseconds(5)) }
      try await Task.sleep(for: .milliseconds(50))
    }

    func ends(with lines: [Int]) async {
      next.finish()
      await task.value
      #expect(!task.isCancelled)
      #expect(written.all == lines)
    }
  }

  @Test func `a task made before the runs that wake it goes on outside of them, and is named`() async throws {
    let logger = Logger()
    logger.next.yield(0)
    for run in 1...3 {
      try await logger.wrote(run)
      let outside = try await simulate(seed: 7) { @MainActor [next = logger.next] simulation in
        next.yield(run)
        await simulation.advance(by: .seconds(1))
        return simulation.outsideTasks
      }
      #expect(outside.count == 1 && outside.allSatisfy { $0.hasPrefix("“logger” in ") }, "\(outside)")
    }
    await logger.ends(with: [0, 1, 2, 3])
  }

  @Test func `a run by hand leaves it outside, too`() async throws {
    let logger = Logger()
    try await logger.wrote(0)
    let outside = try withSimulation(seed: 7) { simulation in
      logger.next.yield(1)
      simulation.advance(by: .seconds(1))
      return simulation.outsideTasks
    }
    #expect(outside.count == 1 && outside.allSatisfy { $0.hasPrefix("“logger” in ") }, "\(outside)")
    await logger.ends(with: [1])
  }

  @Test func `a run that fails says what it woke`() async throws {
    let logger = Logger()
    try await logger.wrote(0)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { [next = logger.next] simulation in
        next.yield(1)
        simulation.task("polls") { try await simulation.clock.sleep(for: .seconds(5)) }
        await simulation.settle()
      }
    }
    guard case .unfinished(let asleep, let waiting)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(asleep.map(\.task) == ["polls"] && waiting.isEmpty, "\(waiting)")
    let sentence = failure?.description ?? ""
    #expect(sentence.contains(" The run woke what was made outside of it and goes on there: “logger” in "), "\(sentence)")
    await logger.ends(with: [1])
  }

  @Test func `a task of a run goes on there when a run inside of it wakes it`() async throws {
    let lines = Lines()
    try await simulate(seed: 1) { simulation in
      let (stream, next) = AsyncStream.makeStream(of: Int.self)
      let reader = Task(name: "reader") { for await line in stream { lines.add(line) } }
      await simulation.settle()
      let outside = try await simulate(seed: 2) { inner in
        next.yield(1)
        await inner.settle()
        #expect(lines.all.isEmpty)
        return inner.outsideTasks
      }
      #expect(outside.count == 1 && outside.allSatisfy { $0.hasPrefix("“reader” in ") }, "\(outside)")
      await simulation.settle()
      #expect(lines.all == [1])
      next.finish()
      await reader.value
    }
  }

  /// Lets the thread of a run and another one take turns, in real time.
  private final class Turns: Sendable {
    private let turn = Atomic(0)
    func take(_ number: Int) { turn.store(number, ordering: .releasing) }
    /// Waits inside of a run, whose thread may block.
    func block(until number: Int) { while turn.load(ordering: .acquiring) < number {} }
    func wait(for number: Int) async throws {
      while turn.load(ordering: .acquiring) < number { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  @Test func `a task made outside while a run goes on stays outside`() async throws {
    let turns = Turns()
    let shared = Mutex<Logger?>(nil)
    async let woken = simulate(seed: 7) { simulation in
      turns.take(1)
      turns.block(until: 2)
      shared.withLock { $0 }?.next.yield(1)
      await simulation.advance(by: .seconds(1))
      return simulation.outsideTasks
    }
    try await turns.wait(for: 1)
    let logger = Logger()
    shared.withLock { $0 = logger }
    try await logger.wrote(0)
    turns.take(2)
    let outside = try await woken
    #expect(outside.count == 1 && outside.allSatisfy { $0.hasPrefix("“logger” in ") }, "\(outside)")
    await logger.ends(with: [1])
  }

  @Test func `a task of a run goes on there when another run wakes it`() async throws {
    let turns = Turns()
    let (stream, next) = AsyncStream.makeStream(of: Int.self)
    let seeds = Lines()
    let reading = Task {
      try await simulate(seed: 1) { simulation in
        turns.block(until: 1)
        let reader = Task(name: "reader") { for await _ in stream { seeds.add(Int(Simulation.current?.seed ?? 0)) } }
        await simulation.settle()
        turns.take(2)
        turns.block(until: 3)
        await reader.value
      }
    }
    async let writing = simulate(seed: 2) { simulation in
      turns.take(1)
      turns.block(until: 2)
      next.yield(1)
      next.finish()
      await simulation.settle()
      turns.take(3)
      return simulation.outsideTasks
    }
    let outside = try await writing
    #expect(outside.count == 1 && outside.allSatisfy { $0.hasPrefix("“reader” in ") }, "\(outside)")
    let failure = await #expect(throws: SimulationFailure.self) { try await reading.value }
    #expect(failure?.description.contains("reader was woken by another simulation") == true, "\(failure as Any)")
    #expect(seeds.all == [1])
  }

  @Test func `a task of the main actor outside goes on there`() async throws {
    let lines = Lines()
    let (stream, next) = AsyncStream.makeStream(of: Int.self)
    let task = Task(name: "main") { @MainActor in for await line in stream { lines.add(Simulation.current == nil ? line : -1) } }
    try await Task.sleep(for: .milliseconds(50))
    let outside = try await simulate(seed: 7) { @MainActor simulation in
      next.yield(1)
      await simulation.advance(by: .seconds(1))
      return simulation.outsideTasks
    }
    next.finish()
    await task.value
    #expect(outside.count == 1 && outside.allSatisfy { $0.hasPrefix("“main” in ") }, "\(outside)")
    #expect(lines.all == [1])
  }

  private actor Gate {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    func open() { for next in waiting { next.resume() } }
    func pass() async { await withCheckedContinuation { waiting.append($0) } }
  }

  @Test func `what waits in an actor that a run uses is outside from its next wait on`() async throws {
    let gate = Gate()
    let task = Task.detached(name: "waits") {
      await gate.pass()
      // The thread of the run may have taken it here, in the turn of the actor.
      await Task.yield()
      return Simulation.current == nil
    }
    try await Task.sleep(for: .milliseconds(50))
    let outside = try await simulate(seed: 7) { simulation in
      await gate.open()
      await simulation.advance(by: .seconds(1))
      return simulation.outsideTasks
    }
    #expect(outside.count == 1, "\(outside)")
    #expect(await task.value)
  }

  @Test func `a task outside that the run cancels ends outside`() async throws {
    let task = Task.detached(name: "sleeper") {
      do { try await Task.sleep(for: .seconds(30)) } catch { return Simulation.current == nil }
      return false
    }
    try await Task.sleep(for: .milliseconds(50))
    let outside = try await simulate(seed: 7) { simulation in
      task.cancel()
      await simulation.advance(by: .seconds(60))
      return simulation.outsideTasks
    }
    #expect(outside.count == 1, "\(outside)")
    #expect(await task.value)
  }

  @Test func `runs side by side share a logger outside`() async throws {
    let logger = Logger()
    try await logger.wrote(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for run in 0..<50 {
        group.addTask { [next = logger.next] in
          try await simulate(seed: UInt64(run)) { @MainActor simulation in
            for line in 0..<20 {
              next.yield(run * 20 + line)
              try await simulation.clock.sleep(for: .seconds(1))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    logger.next.finish()
    await logger.task.value
    #expect(logger.written.all.sorted() == Array(0..<1000))
    #expect(!logger.task.isCancelled)
  }
}
