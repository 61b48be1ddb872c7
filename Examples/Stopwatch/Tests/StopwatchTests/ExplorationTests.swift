import Determinism
import Stopwatch
import Testing

/// Taps the buttons of a stopwatch in any order, at any time.
@MainActor final class StopwatchSubject: @MainActor Explorable {
  enum Step: Hashable, Sendable { case start, lap, stop }

  static var always: [Property<StopwatchSubject>] {
    [
      Property("a lap is no later than the stopwatch") { run in
        run.model.laps.allSatisfy { $0.seconds <= run.model.seconds }
      }
    ]
  }
  static var sometimes: [Property<StopwatchSubject>] { [Property("it runs") { $0.model.seconds > 0 }] }

  let model = StopwatchModel()

  init(in simulation: Simulation) {}

  func next(_ stream: inout RandomStream) -> Step? { stream.pick([.start, .lap, .stop]) }

  func perform(_ step: Step) {
    switch step {
    case .start: model.startButtonTapped()
    case .lap: model.lapButtonTapped()
    case .stop: model.stopButtonTapped()
    }
  }
}

@Test @MainActor func `whatever is tapped, laps are in order`() async throws {
  try await explore(StopwatchSubject.self, seeds: 0..<200).check()
}

@Test @MainActor func `another process runs the same seeds in the same way`() async throws {
  let here = await explore(StopwatchSubject.self, seeds: 0..<50, runsTwice: false)
  let there = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) { @MainActor in
    let exploration = await explore(StopwatchSubject.self, seeds: 0..<50, runsTwice: false)
    print("hash", exploration.hash)
  }
  let output = String(decoding: there?.standardOutputContent ?? [], as: UTF8.self)
  #expect(output.contains("hash \(here.hash)\n"), "\(output)")
}
