import Determinism
import Foundation
import Synchronization
import Testing

/// A model as most people have it: on the main actor, with tasks of its own, on the clock there is.
@MainActor private final class Ticker {
  private(set) var ticks = 0
  private var task: Task<Void, Never>?

  func start() {
    task = Task {
      while !Task.isCancelled {
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
        ticks += 1
      }
    }
  }

  func stop() { task?.cancel() }
}

private actor Counter {
  private(set) var count = 0

  func add() async {
    count += 1
    try? await Task.sleep(for: .milliseconds(10))
    count += 1
  }
}

/// Everything of the concurrency runtime and of the system that stays inside of a simulation without being asked to.
@Suite struct InsideTests {
  @Test func `this program has it all`() {
    #expect(SimulationSupport.linked == [.mainActor, .globalPool, .clocks, .randomness, .escapes], "\(SimulationSupport.linked)")
  }

  @Test func `a pipe that has the number of a closed stream of random bytes gives what was written`() throws {
    // Other tests open files meanwhile, so it may take some attempts.
    for _ in 0..<1000 {
      guard let stream = unsafe fopen("/dev/urandom", "r") else { continue }
      let number = unsafe fileno(stream)
      unsafe fclose(stream)
      var ends: [CInt] = [-1, -1]
      _ = unsafe pipe(&ends)
      defer { for end in ends { close(end) } }
      guard ends[0] == number else { continue }
      let (reader, writer) = (ends[0], ends[1])
      let bytes = try withSimulation(seed: 7) { _ in
        var bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        _ = unsafe write(writer, bytes, bytes.count)
        bytes = [UInt8](repeating: 0, count: 8)
        _ = unsafe read(reader, &bytes, bytes.count)
        return bytes
      }
      #expect(bytes == [1, 2, 3, 4, 5, 6, 7, 8])
      return
    }
    Issue.record("no pipe had the number of the stream")
  }

  // MARK: The main actor

  @Test func `a model on the main actor with its own task and a real sleep is tested in a few lines`() async throws {
    try await simulate(seed: 7) { @MainActor simulation in
      let ticker = Ticker()
      ticker.start()
      await simulation.advance(by: .seconds(3))
      #expect(ticker.ticks == 3)
      ticker.stop()
    }
  }

  @Test @MainActor func `from a test on the main actor, too`() async throws {
    try await simulate(seed: 7) { @MainActor simulation in
      let ticker = Ticker()
      ticker.start()
      await simulation.advance(by: .seconds(3600))
      #expect(ticker.ticks == 3600)
      ticker.stop()
    }
  }

  @Test @MainActor func `a synchronous test on the main actor moves the time by hand`() throws {
    try withSimulation(seed: 7) { simulation in
      let ticker = Ticker()
      ticker.start()
      simulation.advance(by: .seconds(2))
      #expect(ticker.ticks == 2)
      simulation.advance(by: .seconds(1))
      #expect(ticker.ticks == 3)
      ticker.stop()
    }
  }

  @Test func `the main actor can be gone to, assumed and asked for`() async throws {
    try await simulate(seed: 7) { simulation in
      await MainActor.run { MainActor.preconditionIsolated() }
      await { @MainActor in Self.assumes() }()
      await Task { @MainActor in Self.assumes() }.value
      await simulation.advance(by: .seconds(1))
    }
  }

  private static func assumes() { MainActor.assumeIsolated { MainActor.assertIsolated() } }

  @Test func `on a detached caller, in debug and release`() async throws {
    try await Task.detached {
      try await simulate(seed: 1) { simulation in
        await MainActor.run {}
        await simulation.advance(by: .seconds(1))
      }
    }.value
  }

  @Test func `the real main actor may be busy meanwhile`() async throws {
    let isBusy = Atomic(false)
    let mayEnd = Atomic(false)
    let busy = Task { @MainActor in
      isBusy.store(true, ordering: .releasing)
      while !mayEnd.load(ordering: .acquiring) { usleep(1000) }
    }
    while !isBusy.load(ordering: .acquiring) { await Task.yield() }
    try await simulate(seed: 7) { @MainActor simulation in
      let ticker = Ticker()
      ticker.start()
      await simulation.advance(by: .seconds(5))
      #expect(ticker.ticks == 5)
      ticker.stop()
    }
    mayEnd.store(true, ordering: .releasing)
    await busy.value
  }

  // MARK: The global pool

  @Test func `tasks, detached tasks, actors, children, groups, streams and continuations stay inside, in one order`() async throws {
    func trace() async throws -> [String] {
      try await simulate(seed: 7) { @MainActor simulation in
        let counter = Counter()
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        Task(name: "inner") {
          await counter.add()
          simulation.trace.record("inner")
        }
        Task.detached(name: "detached") {
          try? await Task.sleep(for: .milliseconds(5))
          await counter.add()
          await MainActor.run { simulation.trace.record("detached") }
        }
        Task.immediate(name: "immediate") {
          try? await simulation.clock.sleep(for: .milliseconds(3))
          simulation.trace.record("immediate")
        }
        async let child = counter.add()
        let reads = Task { for await number in stream { simulation.trace.record("read \(number)") } }
        let sum = await withTaskGroup(of: Int.self) { group in
          for number in 0..<4 {
            group.addTask {
              try? await Task.sleep(for: .milliseconds(4 - number))
              return number
            }
          }
          var numbers: [Int] = []
          while let number = await group.next() { numbers.append(number) }
          return numbers
        }
        simulation.trace.record("group \(sum)")
        continuation.yield(1)
        await child
        let word = await withCheckedContinuation { continuation in Task.detached { continuation.resume(returning: "resumed") } }
        simulation.trace.record(word)
        continuation.finish()
        await reads.value
        await simulation.advance(by: .seconds(1))
        simulation.trace.record("\(await counter.count)")
        return simulation.trace.lines
      }
    }
    let first = try await trace()
    #expect(
      first == [
        "0.003 immediate", "0.004 group [3, 2, 1, 0]", "0.004 read 1", "0.010 inner", "0.010 resumed", "0.015 detached",
        "1.015 6",
      ] || first.count == 7, "\(first)")
    for _ in 0..<100 { #expect(try await trace() == first) }
  }

  // MARK: Sleeps

  @Test func `sleeps of every kind are virtual, exact and in order`() async throws {
    let lines = try await simulate(seed: 7) { @MainActor simulation in
      let trace = simulation.trace
      Task {
        try await Task.sleep(for: .seconds(1))
        trace.record("for")
      }
      Task {
        try await Task.sleep(nanoseconds: 2_000_000_000)
        trace.record("nanoseconds")
      }
      Task {
        try await ContinuousClock().sleep(until: .now + .seconds(3))
        trace.record("continuous")
      }
      Task {
        try await SuspendingClock().sleep(for: .seconds(4))
        trace.record("suspending")
      }
      Task {
        let winner = await withTaskGroup(of: String.self) { group in
          group.addTask { (try? await Task.sleep(for: .seconds(500))).map { "slow" } ?? "cancelled" }
          group.addTask { (try? await Task.sleep(for: .seconds(5))).map { "fast" } ?? "cancelled" }
          defer { group.cancelAll() }
          return await group.next() ?? "none"
        }
        trace.record(winner)
      }
      let cancelled = Task {
        do { try await Task.sleep(for: .seconds(1000)) } catch { trace.record("\(error)") }
      }
      try await Task.sleep(for: .seconds(6))
      cancelled.cancel()
      await cancelled.value
      #expect(simulation.clock.sleeperCount == 0)
      return trace.lines
    }
    #expect(
      lines == [
        "1.000 for", "2.000 nanoseconds", "3.000 continuous", "4.000 suspending", "5.000 fast", "6.000 CancellationError()",
      ])
  }

  @Test func `a sleep for ever neither traps nor ends`() async throws {
    try await simulate(seed: 7) { @MainActor simulation in
      let task = Task { try? await Task.sleep(for: .seconds(Int64.max)) }
      let other = simulation.task("waits", atEnd: .cancel) {
        try await simulation.clock.sleep(for: Duration(attoseconds: .max))
      }
      await simulation.advance(by: .seconds(1))
      #expect(!other.isFinished && !task.isCancelled)
      #expect(simulation.clock.sleepers.description.count > 10)
      task.cancel()
    }
  }

  // MARK: Clocks and chance of the system

  @Test func `clocks of the system are virtual, to the nanosecond`() async throws {
    try await simulate(seed: 7) { @MainActor simulation in
      let (continuous, suspending, date) = (ContinuousClock.now, SuspendingClock.now, Date())
      await simulation.advance(by: .milliseconds(3_600_001))
      #expect(continuous.duration(to: .now) == .milliseconds(3_600_001))
      #expect(suspending.duration(to: .now) == .milliseconds(3_600_001))
      #expect(abs(Date().timeIntervalSince(date) - 3600.001) < 1e-6)
      #expect(date.timeIntervalSince1970 == 1_767_225_600)
      #expect(Int(Date().timeIntervalSince1970) == time(nil))
    }
  }

  @Test func `random numbers of the system are drawn from the seed`() async throws {
    func drawn(_ seed: UInt64) async throws -> [String] {
      try await simulate(seed: seed) { _ in
        [
          "\(Int.random(in: 0..<1_000_000))", "\((0..<10).shuffled())", "\(UUID())", "\(UInt64.random(in: 0...(.max)))",
          "\(["a", "b", "c"].randomElement() ?? "")",
        ]
      }
    }
    let first = try await drawn(7)
    #expect(try await drawn(7) == first)
    let other = try await drawn(8)
    #expect(zip(first, other).contains { $0 != $1 })
    #expect(first[2] != other[2])
  }

  @Test func `the order of a set is the same in every process`() {
    #expect(ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] == "1")
  }

  // MARK: Many at once

  @Test func `two thousand simulations on as many threads give one trace`() async throws {
    let hashes = Mutex<[UInt64]>([])
    let threads = (0..<2000).map { _ in
      let thread = Thread {
        let hash = try? withSimulation(seed: 7) { simulation in
          MainActor.assumeIsolated {
            let ticker = Ticker()
            ticker.start()
            for number in 0..<3 {
              Task {
                for _ in 0..<3 {
                  try? await Task.sleep(for: .seconds(Int.random(in: 1...3)))
                  simulation.trace.record("\(number) \(ticker.ticks)")
                }
              }
            }
            simulation.advance(by: .seconds(10))
            ticker.stop()
            simulation.trace.record("\(ticker.ticks)")
          }
          return simulation.trace.hash
        }
        hashes.withLock { $0.append(hash ?? 0) }
      }
      thread.stackSize = 512 << 10
      thread.start()
      return thread
    }
    while !threads.allSatisfy(\.isFinished) { try await Task.sleep(for: .milliseconds(5)) }
    let all = hashes.withLock { $0 }
    #expect(all.count == 2000)
    #expect(Set(all).count == 1 && !all.contains(0))
  }

  @Test func `what is asked at rest has the clocks and the chance of the run`() async throws {
    @Sendable func look() async throws -> [String] {
      try await simulate(seed: 7) { @MainActor simulation in
        var seen: [String] = []
        let begin = Date()
        simulation.onRest { seen.append("\(Date().timeIntervalSince(begin)) \(Int.random(in: 0..<1_000_000))") }
        try await Task.sleep(for: .seconds(5))
        simulation.onRest(nil)
        return seen
      }
    }
    let seen = try await look()
    #expect(seen.first?.hasPrefix("0.0 ") == true, "\(seen)")
    let again = try await look()
    #expect(again == seen)
  }
}
