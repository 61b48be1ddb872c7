import Synchronization

/// Writes down how far a run has come, so that it is known even where the run breaks off.
package final class RunRecorder<Subject: Explorable, Start: Hashable & Sendable>: Sendable {
  /// What is kept beside what happened and what was violated.
  package enum Keeps: Sendable {
    /// The hash of the trace.
    case hash
    /// The lines of the trace.
    case trace
    /// The lines of the trace, what is noted beside them, and each sleep, with the tasks that did it: costs most.
    case events
  }

  /// What looks on at a run.
  package struct Watcher: Sendable {
    /// Given each event of the trace, and what is noted beside them.
    package var event: @Sendable (TraceEvent) -> Void
    /// An action is about to be done.
    package var begin: @Sendable (Action<Subject.Step>) -> Void
    /// Nothing is done any more.
    package var beginEnd: @Sendable () -> Void
    /// Everything is at rest, and these properties were violated so far.
    package var looked: @Sendable (Subject, [Violation]) -> Void

    package init(
      event: @escaping @Sendable (TraceEvent) -> Void, begin: @escaping @Sendable (Action<Subject.Step>) -> Void,
      beginEnd: @escaping @Sendable () -> Void, looked: @escaping @Sendable (Subject, [Violation]) -> Void
    ) {
      (self.event, self.begin, self.beginEnd, self.looked) = (event, begin, beginEnd, looked)
    }
  }

  package typealias Outcome = RunOutcome<Subject.Step, Start>

  private struct State {
    var outcome = Outcome()
    /// The last step, in words, and when it began; from the end on only the time counts.
    var step: (action: Action<Subject.Step>, words: (@Sendable (Action<Subject.Step>) -> String)?, time: Duration)?
    var end: Duration?
    var events: [RunRecord.Event] = []
    /// The tasks that ran since the last step began or the time moved, in order.
    var ran: [String] = []
    var ranTime = Duration.zero
    /// The last situation.
    var situation = ""

    var lastStep: String {
      if let end { return "the end, from \(VirtualTime.text(end)) on" }
      return step.map { "“\($0.words?($0.action) ?? "\($0.action)")” at \(VirtualTime.text($0.time))" } ?? "the beginning"
    }
  }

  private let state = Mutex(State())
  private let keeps: Keeps
  let keepsStart: Bool
  private let watcher: Watcher?
  /// The choices among tasks.
  let choices: ChoiceRecord

  /// Nothing written down yet.
  ///
  /// - Parameter onChoice: given the number of each choice among tasks that is not the first, and the choice.
  package init(
    keeps: Keeps = .hash, keepsStart: Bool = false, watcher: Watcher? = nil, onChoice: (@Sendable (Int, Int) -> Void)? = nil
  ) {
    (self.keeps, self.keepsStart, self.watcher) = (keeps, keepsStart, watcher)
    choices = ChoiceRecord(onChoice)
  }

  /// Whether events are kept, or looked at.
  package var keepsEvents: Bool { keeps == .events || watcher != nil }

  /// What is known so far.
  var outcome: Outcome {
    var outcome = state.withLock { $0.outcome }
    (outcome.counts, outcome.choices) = (choices.counts, choices.choices)
    return outcome
  }

  /// Whether something did not hold.
  var isViolated: Bool { state.withLock { !$0.outcome.violations.isEmpty } }

  /// The events that were kept.
  var record: RunRecord { RunRecord(events: state.withLock { $0.events }) }

  /// Looks on at a run from its beginning.
  func watch(_ simulation: Simulation) {
    guard keeps != .hash || watcher != nil else { return }
    let (clock, keeps, watcher) = (simulation.clock, keeps, watcher)
    simulation.trace.onEvent = { [self] event in
      watcher?.event(event)
      if keeps == .trace, event.line != nil { add(line: event.text, at: event.time) }
      if keeps == .events { add(event.text, event.lane.place, number: event.line.map { $0 + 1 }, at: event.time) }
    }
    if keeps == .trace { simulation.onOvertaking { [self] words in add(line: "order: \(words)", at: clock.now.offset) } }
    guard keeps == .events else { return }
    simulation.executor.onSleep = { [self] deadline in
      add("sleeps until \(VirtualTime.text(deadline))", "on the clock", at: clock.now.offset)
    }
    simulation.executor.onTask = { [self] task in
      guard task.name != SimulatedTask.bodyName else { return }
      let now = clock.now.offset
      state.withLock { state in
        if state.ranTime != now { state.ran = [] }
        state.ranTime = now
        if !state.ran.contains(task.title) { state.ran.append(task.title) }
      }
    }
  }

  /// An action is about to be done.
  func begin(_ action: Action<Subject.Step>, words: (@Sendable (Action<Subject.Step>) -> String)?, at time: Duration) {
    let place = choices.count
    state.withLock { state in
      state.outcome.actions.append(action)
      state.outcome.places.append(place)
      state.step = (action, words, time)
      state.ran = []
    }
    watcher?.begin(action)
  }

  /// Nothing is done any more.
  func beginEnd(at time: Duration) {
    state.withLock { $0.end = time }
    watcher?.beginEnd()
  }

  /// Properties were asked at a moment of rest.
  func looked(_ subject: Subject) {
    if let watcher { watcher.looked(subject, state.withLock { $0.outcome.violations }) }
  }

  func add(_ violation: Violation) {
    state.withLock { state in
      state.outcome.violations.append(violation)
      if state.outcome.lineOfViolation == nil { state.outcome.lineOfViolation = state.outcome.trace.count }
    }
  }

  /// A property does not hold; where it does not say why, the values of the subject do.
  func add(_ violation: Violation, of subject: Subject) {
    add(violation)
    guard keeps == .trace, violation.sentence == Violation.withoutSentence else { return }
    let values = SubjectValues(subject).text
    state.withLock { $0.outcome.values = values }
  }

  /// The situation at a moment of rest.
  func reached(_ situation: String, at time: Duration) {
    let choices = choices.count
    state.withLock { state in
      guard situation != state.situation else { return }
      var key = TraceHash()
      key.append(state.situation)
      key.append(situation)
      state.situation = situation
      let elapsed = state.step.map { time - $0.time } ?? .zero
      state.outcome.reached.append(
        Reached(key: key.value, actions: state.outcome.actions.count, elapsed: elapsed, choices: choices))
    }
  }

  func add(seen name: String) { state.withLock { $0.outcome.coverage.sometimes[name] = 1 } }

  func keep(start: Start?) { state.withLock { $0.outcome.nextStart = start } }

  /// The run is over.
  func end(_ simulation: Simulation, _ coverage: Coverage) {
    let (hash, hasDrawn) = (simulation.trace.hash, simulation.hasDrawn)
    state.withLock {
      $0.outcome.traceHash = hash
      $0.outcome.drawsNothing = !hasDrawn
      $0.outcome.coverage.merge(coverage)
    }
  }

  /// The run broke off.
  func breakOff(_ failure: SimulationFailure) {
    if keeps == .events { add("the run breaks off: \(failure)", "in the run", at: failure.time) }
    state.withLock { state in
      let sentence = "\(failure.sentence) The last step was \(state.lastStep)."
      let violation = Violation(property: failure.reason.property, sentence: sentence, time: failure.time)
      state.outcome.violations.append(violation)
      var hash = TraceHash()
      hash.append(violation.description)
      (state.outcome.traceHash, state.outcome.isBroken) = (hash.value, true)
    }
  }

  private func add(line text: String, at time: Duration) {
    let line = VirtualTime.seconds(time, minimumDecimals: 3) + " " + text
    state.withLock { $0.outcome.trace.append(line) }
  }

  private func add(_ text: String, _ place: String, number: Int? = nil, at time: Duration) {
    // What is written down at a moment of rest no task does; those that ran just before brought it about.
    var task = SimulatedTask.current?.title
    if SimulatedTask.current?.name == SimulatedTask.bodyName { task = nil }
    state.withLock { state in
      let tasks = task.map { [$0] } ?? (state.ranTime == time ? state.ran : [])
      state.events.append(
        RunRecord.Event(time: time, place: place, number: number, text: text, tasks: tasks, step: state.lastStep))
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
