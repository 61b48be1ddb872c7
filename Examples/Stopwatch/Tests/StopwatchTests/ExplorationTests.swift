import Determinism
import Stopwatch
import Testing

/// Taps the buttons of a stopwatch in any order, at any time.
@MainActor final class StopwatchSubject: MainActorExplorable {
  enum Step: Hashable, Sendable { case start, lap, stop }

  static let always = [
    MainActorProperty<StopwatchSubject>("a lap is no later than the stopwatch") {
      $0.model.laps.allSatisfy { [seconds = $0.model.seconds] in $0.seconds <= seconds }
    }
  ]
  static let sometimes = [MainActorProperty<StopwatchSubject>("it runs") { $0.model.seconds > 0 }]

  let model = StopwatchModel()

  init(in simulation: Simulation) async {}

  func next(_ stream: inout RandomStream) -> Step? {
    [.start, .lap, .stop][Int(stream.next(below: 3))]
  }

  func perform(_ step: Step) async throws {
    switch step {
    case .start: model.startButtonTapped()
    case .lap: model.lapButtonTapped()
    case .stop: model.stopButtonTapped()
    }
  }
}

@Test func `whatever is tapped, laps are in order`() async throws {
  try await explore(StopwatchSubject.self, seeds: 0..<200).check()
}

@Test func `another process runs the same seeds in the same way`() async throws {
  let here = await explore(StopwatchSubject.self, seeds: 0..<50, runsTwice: false)
  let there = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
    let exploration = await explore(StopwatchSubject.self, seeds: 0..<50, runsTwice: false)
    print("hash", exploration.hash)
  }
  let output = String(decoding: there?.standardOutputContent ?? [], as: UTF8.self)
  #expect(output.contains("hash \(here.hash)\n"), "\(output)")
}
