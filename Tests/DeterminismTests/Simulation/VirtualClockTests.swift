import Determinism
import Testing

/// A plain model without isolation, as somebody else would write it.
private final class Log {
  var lines: [String] = []
}

@Suite struct VirtualClockTests {
  @Test func `deadlines are reached in order, equal ones in the order of registration, and now is set at each`() {
    let simulation = Simulation(seed: 1)
    let log = Log()
    for (name, seconds) in [("c", 3), ("a", 1), ("b1", 2), ("b2", 2)] {
      simulation.task(name) {
        try await simulation.clock.sleep(for: .seconds(seconds))
        log.lines.append("\(name) \(simulation.clock.now.offset)")
      }
    }
    simulation.advance(by: .seconds(2))
    #expect(log.lines == ["a 1.0 seconds", "b1 2.0 seconds", "b2 2.0 seconds"])
    #expect(simulation.clock.sleepers.map(\.description) == ["c sleeps until 3 s"])
    simulation.run()
    #expect(log.lines.last == "c 3.0 seconds")
    #expect(simulation.clock.now == .init(offset: .seconds(3)))
    #expect(simulation.clock.sleeperCount == 0)
  }

  @Test func `a deadline is inclusive, and a nanosecond before it nothing happens`() {
    let simulation = Simulation(seed: 1)
    let log = Log()
    simulation.task("sleeper") {
      try await simulation.clock.sleep(for: .seconds(1))
      log.lines.append("awake")
    }
    simulation.advance(by: .nanoseconds(999_999_999))
    #expect(log.lines.isEmpty)
    simulation.advance(by: .nanoseconds(1))
    #expect(log.lines == ["awake"])
  }

  @Test func `a past deadline returns at once`() {
    let simulation = Simulation(seed: 1)
    let log = Log()
    simulation.advance(by: .seconds(5))
    simulation.task("late") {
      try await simulation.clock.sleep(until: .init(offset: .seconds(5)))
      try await simulation.clock.sleep(until: .init(offset: .seconds(1)))
      log.lines.append("\(simulation.clock.now.offset)")
    }
    simulation.settle()
    #expect(log.lines == ["5.0 seconds"])
  }

  @Test func `a cancelled sleep throws and leaves nothing behind`() {
    let simulation = Simulation(seed: 1)
    let log = Log()
    let task = simulation.task("sleeper") {
      do { try await simulation.clock.sleep(for: .seconds(1)) } catch { log.lines.append("\(type(of: error))") }
    }
    simulation.settle()
    #expect(simulation.clock.sleeperCount == 1)
    task.cancel()
    #expect(simulation.clock.sleeperCount == 0)
    simulation.settle()
    #expect(log.lines == ["CancellationError"])
    #expect(task.isFinished)
    #expect(simulation.clock.now.offset == .zero)
  }

  @Test func `a sleep of a task that is cancelled already throws at once`() {
    let simulation = Simulation(seed: 1)
    let log = Log()
    let task = simulation.task("sleeper") {
      do { try await simulation.clock.sleep(for: .seconds(1)) } catch { log.lines.append("threw") }
    }
    task.cancel()
    simulation.settle()
    #expect(log.lines == ["threw"])
  }

  @Test func `a thousand sleepers, half of them cancelled, wake in order`() {
    let simulation = Simulation(seed: 1, order: .inOrder)
    var stream = simulation.stream("deadlines")
    let log = Log()
    var expected: [(Int, Int)] = []
    for index in 0..<1000 {
      let milliseconds = Int(stream.next(below: 200)) + 1
      let task = simulation.task("\(index)") {
        try await simulation.clock.sleep(for: .milliseconds(milliseconds))
        log.lines.append("\(index)")
      }
      simulation.settle()
      if stream.bool(1, in: 2) { task.cancel() } else { expected.append((milliseconds, index)) }
    }
    #expect(simulation.clock.sleeperCount == expected.count)
    simulation.run()
    #expect(log.lines == expected.sorted { $0.0 < $1.0 || $0.0 == $1.0 && $0.1 < $1.1 }.map { "\($0.1)" })
    #expect(simulation.failure == nil)
  }

  @Test func `a clock of its own is moved by hand, and says when somebody sleeps`() async throws {
    let clock = VirtualClock()
    let task = Task {
      try await clock.sleep(for: .seconds(1))
      try await clock.sleep(for: .seconds(1))
      return clock.now.offset
    }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    await clock.waitForSleepers(1)
    clock.run()
    #expect(try await task.value == .seconds(2))
    #expect(clock.sleeperCount == 0)
  }

  @MainActor @Test func `a model of the main actor sleeps on a clock of its own`() async {
    @MainActor final class Counter {
      var count = 0
      func run(_ clock: any Clock<Duration>) async throws {
        while count < 3 {
          try await clock.sleep(for: .seconds(1))
          count += 1
        }
      }
    }
    let clock = VirtualClock()
    let counter = Counter()
    let task = Task { try await counter.run(clock) }
    for expected in 0..<3 {
      await clock.waitForSleepers(1)
      #expect(counter.count == expected)
      clock.advance(by: .seconds(1))
    }
    _ = await task.result
    #expect(counter.count == 3)
  }
}
