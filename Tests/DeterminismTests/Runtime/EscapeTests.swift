import Determinism
import Dispatch
import Foundation
import Synchronization
import Testing

/// What leaves all the same is reported, by task, place and what it did, every time; and nothing traps or hangs.
@Suite(.serialized) struct EscapeTests {
  @Test func `a loop that waits for a time to come is reported, and ends`() async {
    @Sendable func waitInALoop() {
      let end = Date(timeIntervalSinceNow: 0.001)
      while Date() < end {}
    }
    let escapes = await escapes(.unhurried) { simulation in
      await simulation.task("waits") { waitInALoop() }.finished()
    }
    let escape = escapes.first { $0.action.hasPrefix("reads the clock again and again") }
    #expect(escape?.task == "waits" && escape?.function?.contains("EscapeTests") == true, "\(escapes)")
  }

  @Test func `a detached task on the main actor's model is reported by its own name`() async {
    let escapes = await escapes(.unhurried) { @MainActor simulation in
      await Task.detached(name: "reads a file") {
        await withCheckedContinuation { next in
          DispatchQueue.global().async {
            // Long enough that the task has gone when it comes back, on a busy machine, too.
            usleep(100_000)
            next.resume()
          }
        }
      }.value
    }
    #expect(escapes.map(\.task) == ["reads a file"] && escapes.map(\.action) == [WayOut.queue.action], "\(escapes)")
  }

  @Test func `the words of a report are the same in each run`() async {
    var reports: Set<String> = []
    for _ in 0..<20 {
      let escapes = await escapes(.unhurried) { @MainActor _ in
        // How many of them come back before the end is another number each time.
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 {
            group.addTask { await withCheckedContinuation { next in DispatchQueue.global().async { next.resume() } } }
          }
        }
      }
      reports.insert(escapes.map(\.description).joined(separator: "; "))
    }
    #expect(reports.count == 1 && reports.first?.contains("called dispatch_async") == true, "\(reports)")
  }

  @Test func `what leaves again and again from one place costs little`() async {
    let used = Mutex(Duration.zero)
    let escapes = await escapes(.unhurried) { simulation in
      await simulation.task("leaves") {
        used.withLock { used in
          let begin = Self.timeOfThread
          for _ in 0..<10_000 { DispatchQueue.global().async {} }
          used = Self.timeOfThread - begin
        }
      }.finished()
    }
    #expect(escapes.map(\.action) == [WayOut.queue.action])
    let time = used.withLock { $0 }
    #expect(time < .seconds(1), "\(time)")
  }

  /// How much time of the processor this thread has used.
  private static var timeOfThread: Duration {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test func `a storm of sleeps from outside neither traps nor hangs`() async {
    final class Shared: Sendable {
      let isOver = Atomic(false)
      let clock = Mutex<VirtualClock?>(nil)
    }
    let shared = Shared()
    let storm = (0..<4).map { _ in
      Task.detached {
        while !shared.isOver.load(ordering: .acquiring) {
          guard let clock = shared.clock.withLock({ $0 }) else {
            await Task.yield()
            continue
          }
          let sleep = Task.detached { try? await clock.sleep(for: .milliseconds(1)) }
          await Task.yield()
          sleep.cancel()
        }
      }
    }
    var limits = SimulationLimits()
    limits.escapeGrace = .milliseconds(1)
    for seed in 0..<2500 as Range<UInt64> {
      _ = try? await simulate(seed: seed, limits: limits) { simulation in
        shared.clock.withLock { $0 = simulation.clock }
        for _ in 0..<20 { try await simulation.clock.sleep(for: .seconds(1)) }
      }
    }
    shared.isOver.store(true, ordering: .releasing)
    for task in storm { await task.value }
  }

  // MARK: Waits end

  @Test func `a run ends when its caller is cancelled`() async {
    let task = Task {
      try await simulate(seed: 7) { simulation in
        simulation.task("frames") { while true { try await simulation.clock.sleep(for: .milliseconds(16)) } }
        await simulation.run()
      }
    }
    try? await Task.sleep(for: .milliseconds(50))
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test func `a body that ignores its cancellation is ended all the same`() async {
    let task = Task {
      try await simulate(seed: 7) { simulation in
        while true { await simulation.advance(by: .seconds(1)) }
      }
    }
    try? await Task.sleep(for: .milliseconds(20))
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test func `each wait ends with its task`() async throws {
    try await simulate(seed: 7) { simulation in
      let waits: [(String, nonisolated(nonsending) @Sendable (Simulation) async -> Void)] = [
        ("advance", { await $0.advance(by: .seconds(100)) }), ("run", { await $0.run() }),
        ("waitForSleepers", { await $0.clock.waitForSleepers(1000) }),
        (
          "finished",
          { simulation in
            let never = simulation.task("never", atEnd: .cancel) { try await simulation.clock.sleep(for: .seconds(1_000_000)) }
            await never.finished()
          }
        ),
      ]
      for (name, wait) in waits {
        let task = simulation.task(name) { await wait(simulation) }
        try await simulation.clock.sleep(for: .seconds(1))
        #expect(!task.isFinished, "\(name)")
        task.cancel()
        await task.finished()
        #expect(task.isFinished, "\(name)")
      }
      #expect(simulation.clock.now.offset == .seconds(4))
    }
    let clock = VirtualClock()
    let wait = Task { await clock.waitForSleepers(1) }
    wait.cancel()
    await wait.value
  }

  @Test func `an endless timer ends with the limit of real time, and says who slept`() async {
    var limits = SimulationLimits()
    limits.realTime = .milliseconds(100)
    limits.time = .seconds(1 << 40)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { simulation in
        await simulation.task("frames") { while true { try await simulation.clock.sleep(for: .milliseconds(16)) } }.finished()
      }
    }
    guard case .realTimeLimit(.milliseconds(100), let waiting)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(waiting.contains { $0.contains("frames") }, "\(waiting)")
  }

  @Test func `a job that never returns is given up by name`() async {
    let mayEnd = Atomic(false)
    var limits = SimulationLimits()
    limits.realTime = .milliseconds(100)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { simulation in
        await simulation.task("spins") { while !mayEnd.load(ordering: .acquiring) {} }.finished()
      }
    }
    guard case .blocked(let task, _)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(task.hasPrefix("“spins” (started at DeterminismTests/EscapeTests.swift"), "\(task)")
    mayEnd.store(true, ordering: .releasing)
  }

  @Test(.timeLimit(.minutes(5))) func `a run that blocks for ever is ended soon, whatever its limit of real time`() async {
    var limits = SimulationLimits()
    limits.realTime = .seconds(24 * 3600)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { simulation in
        await simulation.task("reads") { WayOut.readForEver() }.finished()
      }
    }
    guard case .escaped(let escapes)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(escapes.map(\.action) == [WayOut.pipe.action], "\(escapes)")
  }

  @Test(.timeLimit(.minutes(5))) func `a lock that the run itself has is named at once`() async {
    var limits = SimulationLimits()
    limits.realTime = .seconds(24 * 3600)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { simulation in
        let lock = NSLock()
        simulation.task("keeps") {
          WayOut.take(lock)
          try await simulation.clock.sleep(for: .seconds(1))
          WayOut.give(lock)
        }
        await simulation.settle()
        await simulation.task("takes") { WayOut.take(lock) }.finished()
      }
    }
    guard case .escaped(let escapes)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    let action = "called pthread_mutex_lock for a lock that this run has already, which blocks the thread of the simulation,"
    #expect(escapes.map(\.action) == [action], "\(escapes)")
    #expect(escapes.map(\.task) == ["takes"], "\(escapes)")
  }

  // MARK: The end

  @MainActor final class FollowsAStream {
    let (values, next) = AsyncStream.makeStream(of: Int.self)
    var last = 0
    var task: Task<Void, Never>?

    func begin() { task = Task { await follow() } }

    private func follow() async { for await value in values { last = value } }
  }

  @Test func `a task of the model's own that still waits at the end is named by its function`() async throws {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { @MainActor simulation in
        let model = FollowsAStream()
        model.begin()
        model.next.yield(3)
        await simulation.settle()
        #expect(model.last == 3)
      }
    }
    guard case .unfinished(let asleep, let waiting)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(asleep.isEmpty)
    #expect(waiting.count == 1 && waiting[0].contains(" in DeterminismTests.EscapeTests.FollowsAStream."), "\(waiting)")
  }

  @Test func `a task of the model's own passes where it ends with the model, is cancelled or allowed`() async throws {
    try await simulate(seed: 7) { @MainActor simulation in
      let model = FollowsAStream()
      model.begin()
      await simulation.settle()
      model.task?.cancel()
    }
    try await simulate(seed: 7) { @MainActor simulation in
      let model = FollowsAStream()
      model.begin()
      await simulation.settle()
      model.next.finish()
    }
    var limits = SimulationLimits()
    limits.allowed.insert(.unfinishedTasks)
    let hasEnded = Atomic(false)
    try await simulate(seed: 7, limits: limits) { @MainActor _ in
      let (values, next) = AsyncStream.makeStream(of: Int.self)
      Task {
        for await _ in values {}
        hasEnded.store(true, ordering: .releasing)
      }
      await Task.yield()
      _ = next
    }
    // It was cancelled with the run.
    let ended = hasEnded.load(ordering: .acquiring)
    #expect(ended)
    try withSimulation(seed: 7, limits: limits) { _ in }
  }

  @Test func `of a run that cannot go on each task that waits is named by its function`() async throws {
    @Sendable func waitForNothing() async { await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } }
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { _ in await waitForNothing() }
    }
    guard case .stalled(let waiting)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(waiting.contains { $0.contains(" in DeterminismTests.EscapeTests.") }, "\(waiting)")
  }

  @Test func `a forgotten timer, a reader and an effect are named at the end, unless allowed`() async throws {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { @MainActor simulation in
        simulation.task("timer") { while true { try await simulation.clock.sleep(for: .seconds(1)) } }
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        simulation.task("reader") { for await _ in stream {} }
        Task(name: "effect") { try await Task.sleep(for: .seconds(60)) }
        await simulation.advance(by: .seconds(2))
        _ = continuation
      }
    }
    let words = "\(failure as Any)"
    #expect(words.contains("timer sleeps until 3 s (started at DeterminismTests/EscapeTests.swift:"), "\(words)")
    #expect(words.contains("effect sleeps until 60 s"), "\(words)")
    #expect(words.contains("“reader” (started at DeterminismTests/EscapeTests.swift:"), "\(words)")
    var limits = SimulationLimits()
    limits.allowed.insert(.unfinishedTasks)
    try await simulate(seed: 7, limits: limits) { simulation in
      simulation.task("timer") { while true { try await simulation.clock.sleep(for: .seconds(1)) } }
      await simulation.advance(by: .seconds(2))
    }
  }

  @Test func `time that would move back, or is moved twice, is a sentence`() async {
    let back = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { simulation in await simulation.advance(by: .seconds(-1)) }
    }
    #expect(back?.description.contains("the time cannot move back, from 0 s to -1 s") == true, "\(back as Any)")
    let inside = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { simulation in Self.advance(simulation) }
    }
    #expect(inside?.description.contains("without await inside of the simulation") == true, "\(inside as Any)")
  }

  private static func advance(_ simulation: Simulation) { simulation.advance(by: .seconds(1)) }
}
