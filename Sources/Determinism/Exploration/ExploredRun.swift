/// A run of a model that can be repeated: drawn from its seed, or action by action.
package struct ExploredRun<Subject: Explorable, Start: Hashable & Sendable>: Sendable {
  package typealias Outcome = RunOutcome<Subject.Step, Start>
  package typealias Recorder = RunRecorder<Subject, Start>

  /// What everything random is drawn from.
  package var seed: UInt64
  /// How it begins.
  package var start: Start
  /// The order in which tasks go on.
  package var order: JobOrder
  /// What happens; `nil` where the seed draws it.
  package var actions: [Action<Subject.Step>]?
  /// How it begins where it goes on from the beginning of another run; `nil` where it is drawn from the start.
  package var beginning: Beginning<Subject.Step>?
  /// What all runs of a search have in common.
  package var options: RunOptions<Subject, Start>

  package init(
    seed: UInt64, start: Start, order: JobOrder, actions: [Action<Subject.Step>]? = nil, _ options: RunOptions<Subject, Start>
  ) {
    (self.seed, self.start, self.order, self.actions, self.options) = (seed, start, order, actions, options)
  }

  /// Runs once; a run that fails violates a property like any other.
  ///
  /// - Parameters:
  ///   - isJudged: whether properties are asked; where not, the outcome says what happened and no more.
  ///   - properties: those asked at each moment of rest, where they are not the subject's.
  ///   - cut: when nothing more happens, where that is before the end; then nothing is asked there.
  ///   - recorder: what it writes down.
  package func run(
    isJudged: Bool = true, properties: (@Sendable () -> [Property<Subject>])? = nil, until cut: Duration? = nil,
    recorder: Recorder = Recorder()
  ) async -> Outcome {
    let run = self
    let body: nonisolated(nonsending) (Simulation) async -> Void = {
      await run.run(in: $0, isJudged ? properties?() ?? Subject.always : nil, until: cut, recorder)
    }
    // Where the subject is isolated to the main actor, this is: the simulation is its main actor.
    nonisolated(unsafe) let inside = body
    do {
      try await SimulationRun(seed: seed, scheduling, options.limits, choices: recorder.choices) { await unsafe inside($0) }.result()
    } catch let failure as SimulationFailure {
      recorder.breakOff(failure)
    } catch is CancellationError {
      // The caller of a search that is cancelled wants no more of it.
    } catch {
      fatalError("ExploredRun: a run does not throw \(error)")
    }
    return recorder.outcome
  }

  private var scheduling: Scheduling {
    guard let beginning else { return order.scheduling(seed: seed) }
    let rest = order.scheduling(seed: beginning.seed, from: beginning.choiceCount)
    return .continued(beginning.choices.indicesByNumber, count: beginning.choiceCount, then: rest)
  }

  /// Runs once, and keeps all that happens, to be compared with another run of the same seed.
  package func record() async -> RunRecord {
    let recorder = Recorder(keeps: .events)
    _ = await run(recorder: recorder)
    return recorder.record
  }

  /// Where two runs of the seed part that had different hashes, as far as they do so again in eight more.
  ///
  /// - Parameter elsewhere: a run that another program makes; `nil` where there is none.
  package func divergence<Failure: Error>(
    elsewhere: () async throws(Failure) -> RunRecord?
  ) async throws(Failure) -> Divergence? {
    let first = await record()
    for _ in 0..<8 {
      if let divergence = Divergence(first, await record()) { return divergence }
      if let other = try await elsewhere(), let divergence = Divergence(first, other) { return divergence }
    }
    return nil
  }

  /// How the model is after the first `count` actions, as a start of another run; `nil` where no start says that.
  func start(after count: Int) async -> Start? {
    var run = self
    run.actions = Array((actions ?? []).prefix(count))
    return await run.run(isJudged: false, until: .zero, recorder: Recorder(keepsStart: true)).nextStart
  }

  private func run(
    in simulation: Simulation, _ properties: [Property<Subject>]?, until cut: Duration?, _ recorder: Recorder
  ) async {
    recorder.watch(simulation)
    let subject: Subject
    do {
      subject = if let starts = options.starts { try await starts.make(simulation, start) } else { try await Subject(in: simulation) }
    } catch {
      let sentence = "\(Subject.self)(in:) threw \(error)"
      return recorder.add(Violation(property: "the model can be made", sentence: sentence, time: simulation.clock.now.offset))
    }
    options.begin?(subject, recorder.keepsEvents, properties != nil)
    let monitor = RunMonitor(subject, simulation, recorder, properties)
    simulation.executor.onJudgement = { monitor.look() }
    await simulation.settle()
    var generator = ActionGenerator<Subject>(seed: beginning?.seed ?? seed, options)
    var known = (actions ?? beginning?.actions ?? [])[...]
    while !recorder.isViolated {
      guard let action = known.popFirst() ?? (actions == nil ? generator.next(subject, simulation.clock) : nil) else { break }
      if case .step(let step) = action, !subject.canPerform(step) { continue }
      recorder.begin(action, words: options.words, at: simulation.clock.now.offset)
      await perform(action, subject, simulation, monitor, recorder)
    }
    if !recorder.isViolated { await simulation.settle() }
    if recorder.keepsStart { recorder.keep(start: options.starts?.now(subject)) }
    if !recorder.isViolated { await end(subject, simulation, monitor, until: cut, recorder) }
    if actions == nil, options.waitsForAbsent { await simulation.executor.restWithAbsent() }
    recorder.end(simulation, options.coverage?(subject) ?? Coverage())
    // What looks on holds the subject, which holds the simulation.
    simulation.executor.onJudgement = nil
    if let close = options.close, let violation = await close(subject, properties != nil && !recorder.isViolated) {
      recorder.add(violation)
    }
  }

  private func perform(
    _ action: Action<Subject.Step>, _ subject: Subject, _ simulation: Simulation, _ monitor: RunMonitor<Subject, Start>,
    _ recorder: Recorder
  ) async {
    switch action {
    case .wait(let duration):
      await simulation.advance(by: duration)
      monitor.lookIfLater()
    case .sleep(.zero): await Task.yield()
    case .sleep(let duration): try? await simulation.clock.sleep(for: duration)
    case .step(let step):
      if options.tracesSteps { simulation.trace.record("step \(CodeText.of(step))", in: .user) }
      do {
        try await subject.perform(step)
      } catch is CancellationError {
        // What cancels a step, such as the end of the run, wants no result of it.
      } catch {
        let sentence = "step \(CodeText.of(step)) threw \(error)"
        recorder.add(Violation(property: "no step throws", sentence: sentence, time: simulation.clock.now.offset))
      }
    }
  }

  /// Lets time pass in which nothing is done, and asks the properties of the end.
  private func end(
    _ subject: Subject, _ simulation: Simulation, _ monitor: RunMonitor<Subject, Start>, until cut: Duration?,
    _ recorder: Recorder
  ) async {
    let now = simulation.clock.now.offset
    recorder.beginEnd(at: now)
    let end = options.end(start, now)
    if let cut, cut < end { return await simulation.advance(to: .init(offset: max(cut, now))) }
    await simulation.advance(to: .init(offset: end))
    monitor.lookIfLater()
    if !recorder.isViolated { monitor.lookAtEnd() }
  }
}

/// How a run begins that goes on from the beginning of another.
package struct Beginning<Step: Hashable & Sendable>: Hashable, Sendable {
  /// What happens first.
  package var actions: [Action<Step>]
  /// Which tasks go on meanwhile where it is not the first that could.
  var choices: [JobOrder.Choice]
  /// How many choices among tasks are made meanwhile.
  var choiceCount: Int
  /// What all else is drawn from.
  package var seed: UInt64
}

extension ExploredRun: Hashable {
  package static func == (one: ExploredRun, other: ExploredRun) -> Bool {
    one.seed == other.seed && one.start == other.start && one.order == other.order && one.actions == other.actions
      && one.beginning == other.beginning
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(seed)
    hasher.combine(start)
    hasher.combine(order)
    hasher.combine(actions)
    hasher.combine(beginning)
  }
}

/// What all runs of a search have in common.
package struct RunOptions<Subject: Explorable, Start: Hashable & Sendable>: Sendable {
  /// How runs begin; `nil` where all begin the same.
  package var starts: Starts<Subject, Start>?
  /// How many steps there are at most.
  package var steps: ClosedRange<Int> = 1...30
  /// The longest pause that is drawn, but for one until the next deadline; `nil` where the subject draws pauses as
  /// steps.
  package var pause: Duration? = .seconds(10)
  /// How far each run may go.
  package var limits = SimulationLimits.exploration
  /// Until when nothing is done in the end, of a run with this start whose last action ended now.
  package var end: @Sendable (_ start: Start, _ now: Duration) -> Duration = { $1 + .seconds(60) }
  /// An action as a user reads it, where that is not its code.
  package var words: (@Sendable (Action<Subject.Step>) -> String)?
  /// One step in place of two, as of two pauses; `nil` where there is none.
  package var joined: @Sendable (Subject.Step, Subject.Step) -> Subject.Step? = { _, _ in nil }
  /// Whether each step is an event of the trace; else the subject says what is done.
  package var tracesSteps = true
  /// Whether a drawn run waits at its end, in real time, for tasks that may have left.
  package var waitsForAbsent = false
  /// Called with each new subject, whether events are kept, and whether it is judged.
  package var begin: (@Sendable (Subject, _ keepsEvents: Bool, _ isJudged: Bool) -> Void)?
  /// What the run reached, beside ``Explorable/sometimes``.
  package var coverage: (@Sendable (Subject) -> Coverage)?
  /// Takes the subject away, and says what is wrong with that, where it is judged.
  package var close: (nonisolated(nonsending) @Sendable (Subject, _ isJudged: Bool) async -> Violation?)?

  package init() {}
}

/// How the runs of a model begin that can begin in more than one way.
package struct Starts<Subject: Explorable, Start: Hashable & Sendable>: Sendable {
  /// Makes the model as a run begins with it.
  package var make: nonisolated(nonsending) @Sendable (Simulation, Start) async throws -> Subject
  /// How the model is now, as another run may begin with it; `nil` where no start says that.
  package var now: @Sendable (Subject) -> Start?
  /// Simpler runs to try in place of one, the simplest first: with another start, or with one in place of steps.
  package var simpler: @Sendable (StartedRun<Subject.Step, Start>) -> [StartedRun<Subject.Step, Start>]
  /// Runs to try in place of one, that begin where its first actions lead: so many, and to this start.
  package var later: @Sendable (StartedRun<Subject.Step, Start>, Int, Start) -> [StartedRun<Subject.Step, Start>]

  package init(
    make: nonisolated(nonsending) @escaping @Sendable (Simulation, Start) async throws -> Subject,
    now: @escaping @Sendable (Subject) -> Start?,
    simpler: @escaping @Sendable (StartedRun<Subject.Step, Start>) -> [StartedRun<Subject.Step, Start>],
    later: @escaping @Sendable (StartedRun<Subject.Step, Start>, Int, Start) -> [StartedRun<Subject.Step, Start>]
  ) {
    (self.make, self.now, self.simpler, self.later) = (make, now, simpler, later)
  }
}

/// How a run begins, and what happens in it.
package struct StartedRun<Step: Hashable & Sendable, Start: Hashable & Sendable>: Hashable, Sendable {
  /// How it begins.
  package var start: Start
  /// What happens.
  package var actions: [Action<Step>]

  package init(start: Start, actions: [Action<Step>]) { (self.start, self.actions) = (start, actions) }
}

/// Looks at a run whenever everything is at rest.
private final class RunMonitor<Subject: Explorable, Start: Hashable & Sendable> {
  private let subject: Subject
  private let simulation: Simulation
  private let recorder: RunRecorder<Subject, Start>
  private let always: PropertyMonitor<Subject>
  private let eventually: PropertyMonitor<Subject>
  private var sometimes: [Property<Subject>]
  private var summary = ""
  private var time: Duration?

  init(_ subject: Subject, _ simulation: Simulation, _ recorder: RunRecorder<Subject, Start>, _ properties: [Property<Subject>]?) {
    (self.subject, self.simulation, self.recorder) = (subject, simulation, recorder)
    always = PropertyMonitor(properties ?? [])
    eventually = PropertyMonitor(properties == nil ? [] : Subject.eventually)
    sometimes = properties == nil ? [] : Subject.sometimes
  }

  func look() {
    time = simulation.clock.now.offset
    let now = subject.summary
    if now != summary {
      summary = now
      if !now.isEmpty { simulation.trace.record(now, in: .models) }
    }
    if let situation = subject.situation { recorder.reached(situation, at: simulation.clock.now.offset) }
    ask(always)
    sometimes.removeAll { property in
      guard property.lack(subject) == nil else { return false }
      recorder.add(seen: property.name)
      return true
    }
    recorder.looked(subject)
  }

  /// Looks where time has passed since, in which nothing ran.
  func lookIfLater() { if simulation.clock.now.offset != time { simulation.whileAtRest { look() } } }

  func lookAtEnd() { simulation.whileAtRest { ask(eventually) } }

  private func ask(_ monitor: PropertyMonitor<Subject>) {
    for violation in monitor.take(subject, at: simulation.clock.now.offset) { recorder.add(violation, of: subject) }
  }
}

/// Draws what happens: pauses by itself, steps as the subject does.
private struct ActionGenerator<Subject: Explorable> {
  private var stream: RandomStream
  private var left: Int
  /// Whether the run goes on while something else does, or when everything is at rest.
  private let races: Bool
  /// In milliseconds; `nil` where none is drawn.
  private let pause: Int?
  private let end: Duration
  private var hasPaused = false

  init<Start>(seed: UInt64, _ options: RunOptions<Subject, Start>) {
    stream = RandomStream(seed: seed, name: "story")
    left = stream.next(in: options.steps)
    races = stream.bool(1, in: 2)
    end = options.limits.time / 2
    // What only meets within a second seldom does where most pauses are longer.
    var scale = RandomStream(seed: seed, name: "pauses")
    let divisor = scale.pick([1, 4, 16])
    pause = options.pause.map { Int($0.components.seconds * 1000 + $0.components.attoseconds / 1_000_000_000_000_000) / divisor }
  }

  mutating func next(_ subject: Subject, _ clock: VirtualClock) -> Action<Subject.Step>? {
    guard let pause else { return subject.next(&stream).map(Action.step) }
    guard left > 0 else { return nil }
    if !hasPaused {
      hasPaused = true
      if !races { return .wait(duration(pause, clock)) }
      if stream.bool(2, in: 3) { return .sleep(duration(pause, clock)) }
    }
    hasPaused = false
    left -= 1
    return subject.next(&stream).map(Action.step)
  }

  private mutating func duration(_ pause: Int, _ clock: VirtualClock) -> Duration {
    // Until the very moment in which something else happens.
    if stream.bool(1, in: 4), let next = clock.nextDeadline, next.offset < end { return next.offset - clock.now.offset }
    return switch stream.next(below: 3) {
    case 0: .zero
    case 1: .seconds(stream.next(in: 0...pause) / 1000)
    default: .milliseconds(stream.next(in: 0...pause))
    }
  }
}
