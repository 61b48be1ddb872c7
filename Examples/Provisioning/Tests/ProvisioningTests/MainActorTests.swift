import Determinism
import Harness
import Observation
import Testing

/// A model as many applications have them: bound to the main actor.
@MainActor @Observable
final class Countdown {
  private(set) var seconds: Int
  private let clock: any Clock<Duration>

  init(seconds: Int, clock: any Clock<Duration>) {
    self.seconds = seconds
    self.clock = clock
  }

  func run() async throws {
    while seconds > 0 {
      try await clock.sleep(for: .seconds(1))
      seconds -= 1
    }
  }
}

@MainActor @Suite struct MainActorTests {
  @Test func `a model of the main actor sleeps on a clock alone`() async throws {
    let clock = VirtualClock()
    let countdown = Countdown(seconds: 3, clock: clock)
    let task = Task { try await countdown.run() }
    for left in [3, 2, 1] {
      // Outside of a simulation nothing can prove that the main actor rests; that a task sleeps can be known.
      await clock.waitForSleepers(1)
      #expect(countdown.seconds == left)
      clock.advance(by: .seconds(1))
    }
    try await task.value
    #expect(countdown.seconds == 0)
  }

  @Test func `a model of the main actor is tested inside of a simulation`() async throws {
    try await simulate(seed: 7) { @MainActor simulation in
      let countdown = Countdown(seconds: 3, clock: simulation.clock)
      simulation.task("counts down") { try await countdown.run() }
      await simulation.advance(by: .seconds(2))
      #expect(countdown.seconds == 1)
      await simulation.run()
      #expect(countdown.seconds == 0)
    }
  }

  @Test func `and by hand`() throws {
    try withSimulation(seed: 7) { simulation in
      let countdown = Countdown(seconds: 3, clock: simulation.clock)
      let task = simulation.task("counts down") { try await countdown.run() }
      simulation.advance(by: .seconds(3))
      #expect(countdown.seconds == 0)
      #expect(task.isFinished)
    }
  }
}
