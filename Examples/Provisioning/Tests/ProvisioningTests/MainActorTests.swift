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
      // The main actor cannot be taken over, so nobody can prove that it rests; that somebody sleeps can be known.
      await clock.waitForSleepers(1)
      #expect(countdown.seconds == left)
      clock.advance(by: .seconds(1))
    }
    try await task.value
    #expect(countdown.seconds == 0)
  }

  @Test func `by hand, a task that is made in code of the main actor belongs to it and does not run`() {
    let simulation = Simulation(seed: 7)
    let countdown = Countdown(seconds: 3, clock: simulation.clock)
    simulation.task("counts down") { try await countdown.run() }
    simulation.advance(by: .seconds(5))
    #expect(countdown.seconds == 3)
    #expect(simulation.unfinishedTasks.map(\.name) == ["counts down"])
  }
}
