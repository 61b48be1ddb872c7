import Determinism
import Synchronization

/// Writes down how far a run has come, so that it is known even where the run breaks off; and, for who compares two
/// records, all that happens.
final class RunRecorder: Sendable {
  private struct State {
    var steps: [ScenarioAction] = []
    var end: Duration?
    var stepTime = Duration.zero
    var events: [RunRecord.Event] = []
    /// The tasks that ran since the last step began or the time moved, in order.
    var ran: [String] = []
    var ranTime = Duration.zero

    var step: String {
      if let end { return "the end, from \(VirtualTime.text(end)) on" }
      return steps.last.map { "“\($0.words)” at \(VirtualTime.text(stepTime))" } ?? "the beginning"
    }
  }

  private let state = Mutex(State())
  /// Whether events are kept, and not only steps.
  let keepsEvents: Bool

  init(keepsEvents: Bool = false) { self.keepsEvents = keepsEvents }

  /// The steps so far.
  var steps: [ScenarioAction] { state.withLock { $0.steps } }

  /// A sentence: the step that began last.
  var lastStep: String { "The last step was \(state.withLock { $0.step })." }

  /// What was kept.
  var record: RunRecord { RunRecord(events: state.withLock { $0.events }) }

  /// Keeps the events of a run from now on.
  func watch(_ simulation: Simulation) {
    guard keepsEvents else { return }
    let clock = simulation.clock
    simulation.trace.onEvent = { [self] event in
      add(event.text, event.lane.place, number: event.line.map { $0 + 1 }, at: event.time)
    }
    simulation.onSleep { [self] deadline in
      add("sleeps until \(VirtualTime.text(deadline))", "on the clock", at: clock.now.offset)
    }
    simulation.onTask { [self] task in
      guard task.name != SimulatedTask.bodyName else { return }
      let now = clock.now.offset
      state.withLock { state in
        if state.ranTime != now { state.ran = [] }
        state.ranTime = now
        if !state.ran.contains(task.title) { state.ran.append(task.title) }
      }
    }
  }

  /// A step is about to be performed.
  func begin(_ action: ScenarioAction, at time: Duration) {
    state.withLock { state in
      state.steps.append(action)
      state.stepTime = time
      state.ran = []
    }
  }

  /// Nobody will do anything any more.
  func beginEnd(at time: Duration) { state.withLock { $0.end = time } }

  /// The run broke off.
  func fail(_ sentence: String, at time: Duration) {
    if keepsEvents { add("the run breaks off: \(sentence)", "in the run", at: time) }
  }

  private func add(_ text: String, _ place: String, number: Int? = nil, at time: Duration) {
    // What is written down at a moment of rest no task does; those that ran just before did what it tells of.
    var task = SimulatedTask.current?.title
    if SimulatedTask.current?.name == SimulatedTask.bodyName { task = nil }
    state.withLock { state in
      let tasks = task.map { [$0] } ?? (state.ranTime == time ? state.ran : [])
      state.events.append(
        RunRecord.Event(time: time, place: place, number: number, text: text, tasks: tasks, step: state.step))
    }
  }
}

extension TraceLane {
  /// Where that is, in words.
  fileprivate var place: String {
    switch self {
    case .world: "in the world"
    case .scanner: "in the scanner"
    case .models: "in the models"
    case .screen: "on the screen"
    case .user: "in front of the screen"
    case .run: "in the run"
    }
  }
}
