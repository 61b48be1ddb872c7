import Determinism
import Foundation
import Observation
import Observing
import Testing

/// Runs that go side by side, end late or are cancelled.
@Suite(.serialized) struct SideBySideTests {
  @Observable final class Counter { var count = 0 }

  @Test func `observers of many main actors side by side give one trace`() async throws {
    let traces = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<300 {
        group.addTask {
          try await simulate(seed: 1) { @MainActor simulation in
            let counter = Counter()
            let token = observe { simulation.trace.record("count \(counter.count)") }
            for _ in 0..<5 {
              counter.count += 1
              await simulation.advance(by: .seconds(1))
            }
            return withExtendedLifetime(token) { simulation.trace.lines }
          }
        }
      }
      return try await group.reduce(into: [[String]: Int]()) { $0[$1, default: 0] += 1 }
    }
    #expect(traces.count == 1, "\(traces)")
    #expect(traces.keys.first?.count == 6, "\(traces)")
  }

  actor Yielding {
    private(set) var count = 0
    func bump() async {
      let before = count
      await Task.yield()
      count = before + 1
    }
  }

  @Test func `a yield on an actor of a task of one's own stays inside`() async throws {
    let count = try await simulate(seed: 1) { simulation in
      let actor = Yielding()
      let task = Task { await actor.bump() }
      await simulation.settle()
      await task.value
      return await actor.count
    }
    #expect(count == 1)
  }

  @MainActor final class Legacy {
    func load() async -> Int {
      await withCheckedContinuation { next in Thread.detachNewThread { next.resume(returning: 1) } }
    }
  }

  @Test func `a task that comes back when its run has ended does no harm`() async {
    var failures = 0
    for _ in 0..<300 {
      do {
        try await simulate(seed: 7) { @MainActor simulation in
          let model = Legacy()
          _ = Task { _ = await model.load() }
          await simulation.settle()
        }
      } catch { failures += 1 }
    }
    #expect(failures == 300)
  }

  @Test func `the real time of a run begins with its turn`() async throws {
    let hasBegun = AsyncStream.makeStream(of: Void.self)
    Thread.detachNewThread {
      // It is alone for longer than the other may take.
      _ = try? withSimulation(seed: 1, exclusive: true) { _ in
        hasBegun.continuation.finish()
        usleep(3_000_000)
      }
    }
    for await _ in hasBegun.stream {}
    var limits = SimulationLimits()
    limits.realTime = .seconds(2)
    try await simulate(seed: 2, limits: limits) { _ in }
  }

  @Test func `a loop that only advances ends with its cancellation`() async {
    let task = Task {
      try await simulate(seed: 1, limits: .endless) { simulation in
        while true { await simulation.advance(by: .seconds(1)) }
      }
    }
    try? await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test @MainActor func `a cancelled search ends`() async {
    let task = Task {
      await explore(seeds: 0..<1_000_000) { simulation in await simulation.advance(by: .seconds(1)) }
    }
    let other = Task { await explore(MainActorExplorationTests.PatientSearch.self, seeds: 0..<1_000_000) }
    try? await Task.sleep(for: .milliseconds(50))
    task.cancel()
    other.cancel()
    let exploration = await task.value
    #expect(exploration.failures.isEmpty)
    #expect(exploration.isCancelled && exploration.seeds.count < 1_000_000 && exploration.plannedSeeds == 0..<1_000_000)
    #expect(exploration.description.contains("cancelled after \(exploration.seeds.count) of 1000000 seeds"))
    #expect(throws: ExplorationFailure.self) { try exploration.check() }
    let patient = await other.value
    #expect(patient.isCancelled && patient.description.contains("cancelled after"))
    #expect(throws: ExplorationFailure.self) { try patient.check() }
  }

  @Test func `a search of orders that is cancelled blames none`() async {
    let task = Task {
      try await simulateEveryOrder(seed: 1, runs: 1_000_000) { simulation in
        for name in 0..<40 { simulation.task("\(name)") { await simulation.advance(by: .seconds(1)) } }
        await simulation.advance(by: .seconds(2))
      }
    }
    try? await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a limit of virtual time is said, though the body ends with its cancellation`() async {
    var limits = SimulationLimits()
    limits.time = .seconds(60)
    do {
      try await simulate(seed: 1, limits: limits) { (_: Simulation) in
        while true { try await Task.sleep(for: .seconds(1)) }
      }
      Issue.record("it ended well")
    } catch {
      #expect("\(error)".contains("60 s"), "\(error)")
    }
  }
}
