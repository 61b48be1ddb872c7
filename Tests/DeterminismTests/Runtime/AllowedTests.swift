import Determinism
import DeterminismTesting
import Dispatch
import Foundation
import Synchronization
import Testing

/// What leaves a run, or is left at its end, and is allowed by name.
@Suite struct AllowedTests {
  /// A passive source, as one that waits for a signal as long as a program runs.
  private final class Signals {
    private let source = DispatchSource.makeUserDataAddSource()

    init() async {
      await withCheckedContinuation { next in
        source.setRegistrationHandler { next.resume() }
        source.activate()
      }
    }
  }

  private static func block() { usleep(1) }

  @Test(.simulated(seed: 7, limits: .allowing("a source of Dispatch", "pthread_create")))
  func `what a test knows by its name may leave, and come back`() async {
    _ = await Signals()
  }

  @Test func `without a name it fails, also where something else is allowed`() async {
    for limits in [SimulationLimits(), .allowing("Timers"), .allowing(""), .allowing(.unfinishedTasks)] {
      let escapes = await escapes(limits) { _ in _ = await Signals() }
      #expect(escapes.contains { $0.action == "made a source of Dispatch, whose events come from elsewhere," }, "\(escapes)")
    }
  }

  @Test func `what the same task does beside it fails`() async {
    let escapes = await escapes(.allowing("a source of Dispatch", "pthread_create")) { _ in
      _ = await Signals()
      Self.block()
    }
    #expect(escapes.map(\.action) == ["called usleep, which blocks the thread of the simulation,"])
  }

  @Test(arguments: ["saves", "dispatch_async", "AllowedTests.swift", "AllowedTests"])
  func `the name is of the task, what it does, its function or its line`(name: String) async throws {
    @Sendable func save(_ simulation: Simulation) async {
      await simulation.task("saves") {
        await withCheckedContinuation { next in DispatchQueue.global().async { next.resume() } }
      }.finished()
    }
    try await simulate(seed: 7, limits: .allowing(.named(name)), save)
    #expect(await !escapes(SimulationLimits(), save).isEmpty)
  }

  @Test func `many that are allowed do not hide one that is not`() async {
    let escapes = await escapes(.allowing("logs")) { simulation in
      for number in 0..<300 {
        simulation.task("logs \(number)") { DispatchQueue.global().async {} }
      }
      await simulation.settle()
      simulation.task("saves") { DispatchQueue.global().async {} }
      await simulation.settle()
    }
    #expect(escapes.map(\.task) == ["saves"])
  }

  @Test func `a task that is left at the end may be allowed by its name, and is cancelled`() async throws {
    let ended = Mutex<Set<String>>([])
    @Sendable func leave(_ simulation: Simulation) async {
      for name in ["polls", "waits"] {
        simulation.task(name) {
          defer { ended.withLock { _ = $0.insert(name) } }
          if name == "polls" { try await simulation.clock.sleep(for: .seconds(9)) }
          for await _ in AsyncStream<Int>(unfolding: {
            try? await Task.sleep(for: .seconds(9)); return nil
          }) {}
        }
      }
      await simulation.settle()
    }
    try await simulate(seed: 7, limits: .allowing("polls", "waits"), leave)
    #expect(ended.withLock { $0 } == ["polls", "waits"])
    try await simulate(seed: 7, limits: .allowing(.unfinishedTasks), leave)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: .allowing("polls"), leave)
    }
    guard case .unfinished(let asleep, [])? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(asleep.map(\.task) == ["waits"])
    #expect(failure?.description.hasSuffix("or allow it (SimulationLimits.allowed).") == true)
  }

  @Test func `a task of the model that waits may be allowed by its name or function`() async throws {
    @Sendable func follow(_ simulation: Simulation) async {
      let (values, next) = AsyncStream.makeStream(of: Int.self)
      Task(name: "follows") { for await _ in values {} }
      await simulation.settle()
      Self.kept.withLock { $0.append(next) }
    }
    try await simulate(seed: 7, limits: .allowing("follows"), follow)
    try await simulate(seed: 7, limits: .allowing("AllowedTests"), follow)
    await #expect(throws: SimulationFailure.self) { try await simulate(seed: 7, limits: .allowing("polls"), follow) }
    Self.kept.withLock { $0 = [] }
  }

  private static let kept = Mutex<[AsyncStream<Int>.Continuation]>([])

  @Test func `a job that blocks in a way that is allowed and never returns is given up at the limit of real time`() async {
    var limits = SimulationLimits.allowing("usleep")
    limits.realTime = .milliseconds(200)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { _ in while true { usleep(100_000) } }
    }
    guard case .blocked? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
  }
}
