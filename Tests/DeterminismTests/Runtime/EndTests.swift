import Determinism
import Dispatch
import Foundation
import Synchronization
import Testing

/// What is left when a run ends: tasks that go on though they are cancelled, and what those that wait are called.
@Suite struct EndTests {
  /// A loop that does not look whether it is cancelled.
  enum Loop: String, CaseIterable, Sendable {
    case sleeps, sleepsOnTheClock, yields

    func run(_ clock: VirtualClock, _ turns: borrowing Atomic<Int>) async {
      while true {
        turns.add(1, ordering: .relaxed)
        switch self {
        case .sleeps: try? await Task.sleep(for: .seconds(1))
        case .sleepsOnTheClock: try? await clock.sleep(for: .seconds(1))
        case .yields: await Task.yield()
        }
      }
    }
  }

  private final class Turns: Sendable {
    let count = Atomic(0)
    var isFew: Bool { count.load(ordering: .relaxed) < 500_000 }
  }

  private static let allowing: SimulationLimits = {
    var limits = SimulationLimits()
    limits.allowed.insert(.unfinishedTasks)
    return limits
  }()

  @Test(arguments: Loop.allCases) func `a task that goes on though it is cancelled is named, and soon left`(loop: Loop) async {
    let turns = Turns()
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { simulation in
        Task(name: "polls") { await loop.run(simulation.clock, turns.count) }
        if loop != .yields { await simulation.advance(by: .seconds(3)) }
      }
    }
    guard case .unfinished(let asleep, let waiting)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(asleep.map(\.task) == (loop == .yields ? [] : ["polls"]))
    #expect(waiting.count == (loop == .yields ? 1 : 0) && waiting.allSatisfy { $0.hasPrefix("“polls” in ") }, "\(waiting)")
    let ignored = failure?.ignoredCancellation ?? []
    #expect(ignored.count == 1 && ignored[0].hasPrefix("“polls” in ") && ignored[0].contains("EndTests"), "\(ignored)")
    #expect(failure?.description.hasSuffix("was left there: end the loop where Task.isCancelled.") == true)
    #expect(turns.isFew)
  }

  @Test func `where tasks may be left, one that goes on all the same fails the run`() async {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: Self.allowing) { simulation in
        let clock = simulation.clock
        Task { await Loop.sleeps.run(clock, Turns().count) }
        await simulation.advance(by: .seconds(3))
      }
    }
    guard case .ignoredCancellation(let tasks)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(tasks.count == 1 && tasks[0].hasPrefix("a task without a name in ") && tasks[0].contains("EndTests"), "\(tasks)")
  }

  @Test func `tasks that start the next one for ever are left`() async {
    @Sendable func next(_ turns: Turns) {
      Task(name: "next") {
        turns.count.add(1, ordering: .relaxed)
        next(turns)
      }
    }
    let turns = Turns()
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: Self.allowing) { _ in next(turns) }
    }
    #expect("\(failure as Any)".contains("“next”"), "\(failure as Any)")
    #expect(turns.isFew)
  }

  @Test func `what takes a while to end, and many tasks, do end`() async throws {
    let ended = Turns()
    try await simulate(seed: 7, limits: Self.allowing) { simulation in
      let clock = simulation.clock
      Task {
        try? await clock.sleep(for: .seconds(1))
        for _ in 0..<5000 { await Task.yield() }
        ended.count.add(1, ordering: .relaxed)
      }
      for _ in 0..<20_000 {
        Task {
          for _ in 0..<3 { try? await Task.sleep(for: .seconds(1)) }
          ended.count.add(1, ordering: .relaxed)
        }
      }
      await simulation.settle()
    }
    #expect(ended.count.load(ordering: .relaxed) == 20_001)
  }

  @Test func `a body that goes on after its limit fails with both`() async {
    var limits = SimulationLimits()
    limits.time = .seconds(60)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { simulation in await Loop.sleeps.run(simulation.clock, Turns().count) }
    }
    guard case .timeLimit? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(failure?.ignoredCancellation.first?.hasPrefix("“the body of simulate” in ") == true, "\(failure as Any)")
  }

  @Test func `a circle that ends with its cancellation leaves nothing`() async {
    var limits = SimulationLimits()
    limits.jobsPerInstant = 10_000
    let ended = Turns()
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { simulation in
        Task(name: "waits for a flag") {
          while !Task.isCancelled { await Task.yield() }
          ended.count.add(1, ordering: .relaxed)
        }
        await simulation.settle()
      }
    }
    guard case .neverSettles(_, let awake)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(awake.count == 1 && awake[0].hasPrefix("“waits for a flag” in "), "\(awake)")
    #expect(ended.count.load(ordering: .relaxed) == 1)
    #expect(failure?.ignoredCancellation == [])
  }

  /// A loop between the main actor and elsewhere, which takes its own cancellation for a failure.
  @MainActor private final class Download {
    func run() async {
      while true {
        do { return try await fetch() } catch {}
      }
    }
    private nonisolated func fetch() async throws { try await Task.sleep(for: .seconds(1)) }
  }

  @Test func `a circle of waits that end at once, as its task is cancelled, ends soon`() async {
    var limits = SimulationLimits()
    limits.jobsPerInstant = 100_000
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { @MainActor simulation in
        let task = Task(name: "downloads") { await Download().run() }
        await simulation.settle()
        task.cancel()
        await simulation.settle()
      }
    }
    guard case .neverSettles(..<20_000, let awake)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(awake.contains { $0.hasPrefix("“downloads” in DeterminismTests.EndTests.Download.") }, "\(awake)")
    // The body has returned, and what goes on is left where it is.
    #expect(failure?.ignoredCancellation.first?.hasPrefix("“downloads” in ") == true, "\(failure as Any)")
  }

  // MARK: Names

  private static let isEndless = Atomic(true)
  private static func computeForEver() { while isEndless.load(ordering: .relaxed) {} }
  private static func waitForEver() async { await unsafe withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }

  @Test func `a model's own task has its name in every report`() async {
    let unfinished = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { simulation in
        Task(name: "follows") { await Self.waitForEver() }
        await simulation.settle()
      }
    }
    #expect(unfinished?.description.contains("the body ended while “follows” in ") == true, "\(unfinished as Any)")
    let stalled = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { _ in await Task(name: "follows") { await Self.waitForEver() }.value }
    }
    #expect(stalled?.description.contains("“follows” waits in ") == true, "\(stalled as Any)")
    var limits = SimulationLimits()
    limits.realTime = .milliseconds(50)
    let blocked = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { _ in
        await Task(name: "computes") { Self.computeForEver() }.value
      }
    }
    Self.isEndless.store(false, ordering: .relaxed)
    // The function is what that calls, or what it was inlined into.
    let place = /“computes” in .*EndTests.* \(EndTests\.swift:\d+\) did not return from its job/
    #expect(blocked?.description.contains(place) == true, "\(blocked as Any)")
    // Long enough for both tasks to begin on a machine with much else to do.
    limits.realTime = .seconds(1)
    limits.time = .seconds(1 << 40)
    let late = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { _ in
        Task(name: "waits") { await Self.waitForEver() }
        _ = await Task(name: "frames") { while true { try await Task.sleep(for: .milliseconds(16)) } }.result
      }
    }
    let words = late?.description ?? ""
    #expect(words.contains("frames sleeps until ") || words.contains("“frames” ran or waited"), "\(late as Any)")
    #expect(late?.description.contains("“waits” ran or waited in ") == true, "\(late as Any)")
  }

  @Test func `a task without a name is not called the body`() async {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { simulation in
        Task { try await Task.sleep(for: .seconds(60)) }
        await simulation.settle()
      }
    }
    #expect(failure?.description.contains("while a task without a name sleeps until 60 s, in ") == true, "\(failure as Any)")
    #expect(failure?.description.contains("the body of simulate") == false, "\(failure as Any)")
  }

  @Test func `what blocks for ever is named by its call`() async {
    var limits = SimulationLimits()
    limits.realTime = .milliseconds(50)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { _ in
        await Task(name: "waits") { Self.block() }.value
      }
    }
    guard case .escaped(let escapes)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(escapes.map(\.task) == ["waits"] && escapes[0].place?.hasPrefix("EndTests.swift:") == true, "\(escapes)")
    #expect(escapes[0].action == "called dispatch_semaphore_wait, which blocks the thread of the simulation,")
  }

  private static func block() { DispatchSemaphore(value: 0).wait() }

  // MARK: The limit of virtual time

  @Test func `time that is moved by hand beyond its limit is said so`() {
    let failure = #expect(throws: SimulationFailure.self) {
      try withSimulation(seed: 7) { simulation in
        simulation.advance(by: .seconds(7 * 24 * 3600))
        simulation.advance(by: .seconds(1))
      }
    }
    #expect(failure?.reason == .timeLimit(.seconds(604_800), waiting: ["the time was to move on to 604801 s"]))
    #expect(failure?.time == .seconds(604_800))
    let simulation = Simulation(seed: 7)
    simulation.task("frames", atEnd: .cancel) { while true { try await simulation.clock.sleep(for: .seconds(3600)) } }
    simulation.advance(by: .seconds(8 * 24 * 3600))
    guard case .timeLimit? = simulation.failure?.reason else {
      Issue.record("\(simulation.failure as Any)")
      return
    }
    #expect(simulation.clock.now.offset == .seconds(604_800))
  }

  @Test func `time that would be moved beyond its limit is said so`() async {
    let inside = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { simulation in await simulation.advance(by: .seconds(8 * 24 * 3600)) }
    }
    #expect(
      inside?.description
        == "seed 7, virtual time 0 s: it did not end within 604800 s of virtual time (SimulationLimits.time): "
        + "the body of simulate moves the time on to 691200 s.")
  }

  @Test(.timeLimit(.minutes(2))) func `while the process is stopped the real time of a run stands still`() async {
    await #expect(processExitsWith: .success) {
      let other = Process()
      other.executableURL = URL(filePath: "/bin/sh")
      other.arguments = ["-c", "sleep 0.3; kill -STOP $0; sleep 4; kill -CONT $0", "\(getpid())"]
      try other.run()
      var limits = SimulationLimits()
      limits.realTime = .seconds(2)
      limits.time = .seconds(1 << 40)
      try await simulate(seed: 7, limits: limits) { simulation in
        let stopwatch = Stopwatch()
        while stopwatch.elapsed < .milliseconds(4800) { try await simulation.clock.sleep(for: .milliseconds(1)) }
      }
      other.waitUntilExit()
    }
  }

  @Test func `a trap is preceded by its seed`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await VirtualExecutor.$repetition.withValue("Repeat it so.") {
        try await simulate(seed: 12) { _ in
          if Simulation.current != nil { fatalError("the model is broken") }
        }
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("In the simulation of seed 12. Repeat it so.\n"), "\(text)")
  }

  @Test func `an aborted run is preceded by its seed`() async throws {
    let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
      try await simulate(seed: 13) { _ in
        if Simulation.current != nil { abort() }
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("In the simulation of seed 13.\n"), "\(text)")
  }
}
