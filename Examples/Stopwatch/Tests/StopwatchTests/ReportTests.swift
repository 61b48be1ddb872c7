import Determinism
import Dispatch
import Foundation
import Stopwatch
import Testing

/// What leaves, what is left over in the end, limits and cancellation.
@Suite struct ReportTests {
  @Test func `this program has all of it`() {
    #expect(
      SimulationSupport.linked == [.mainActor, .globalPool, .clocks, .randomness, .escapes], "\(SimulationSupport.linked)")
  }

  @Test func `work that goes to a Dispatch queue is named`() async {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { simulation in
        await simulation.task("saves") {
          await withCheckedContinuation { next in DispatchQueue.global().async { next.resume() } }
        }.finished()
      }
    }
    guard case .escaped(let escapes)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(escapes.contains { $0.task == "saves" && $0.action.hasPrefix("called dispatch_async") })
  }

  @Test func `a stopwatch that is not stopped is named at the end`() async {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { @MainActor simulation in
        let model = StopwatchModel()
        model.startButtonTapped()
        await simulation.advance(by: .seconds(3))
      }
    }
    guard case .unfinished(let asleep, _)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(asleep.map(\.deadline.offset) == [.seconds(4)])
  }

  @Test(.simulated(seed: 7, limits: .allowing("ReportTests.swift"))) @MainActor
  func `what never matters is allowed by its name`() async throws {
    let interrupts = DispatchSource.makeSignalSource(signal: SIGINT)
    defer { interrupts.cancel() }
    interrupts.activate()
    let model = StopwatchModel()
    model.startButtonTapped()
    try await Task.sleep(for: .milliseconds(1500))
    #expect(model.seconds == 1)
    model.stopButtonTapped()
  }

  @Test func `a task may last as long as its run`() async throws {
    try await simulate(seed: 7) { @MainActor simulation in
      let model = StopwatchModel()
      simulation.task("a lap each minute", atEnd: .cancel) {
        while true {
          try await Task.sleep(for: .seconds(60))
          model.lapButtonTapped()
        }
      }
      await simulation.advance(by: .seconds(600))
      #expect(model.laps.count == 10)
    }
  }

  @Test func `or every task may`() async throws {
    try await simulate(seed: 7, limits: .allowing(.unfinishedTasks)) { @MainActor simulation in
      let model = StopwatchModel()
      model.startButtonTapped()
      await simulation.advance(by: .seconds(3))
      #expect(model.seconds == 3)
    }
  }

  @Test func `a run without end comes to the limit of virtual time`() async {
    var limits = SimulationLimits()
    limits.time = .seconds(24 * 3600)
    limits.realTime = .seconds(30)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { @MainActor simulation in
        let model = StopwatchModel()
        model.startButtonTapped()
        await simulation.run()
      }
    }
    guard case .timeLimit(.seconds(24 * 3600), _)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
  }

  @Test func `a run ends with the task that waits for it`() async {
    let run = Task {
      try await simulate(seed: 7) { @MainActor simulation in
        let model = StopwatchModel()
        model.startButtonTapped()
        while true { await simulation.advance(by: .seconds(1)) }
      }
    }
    run.cancel()
    let result = await run.result
    #expect(throws: CancellationError.self) { try result.get() }
  }
}
