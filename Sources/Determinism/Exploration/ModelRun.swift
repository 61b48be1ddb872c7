/// A run about a model of one's own that can be told: drawn from its seed, or action by action.
struct ModelRun<Subject: Explorable>: Sendable {
  /// What everything random is drawn from.
  var seed: UInt64
  /// The order in which tasks go on.
  var order: JobOrder
  /// What happens; `nil` where the seed tells it.
  var actions: [Action<Subject.Step>]?
  /// What all runs of a search have in common.
  var frame: RunOptions

  /// The run of a seed.
  init(seed: UInt64, _ frame: RunOptions) {
    self.seed = seed
    self.frame = frame
    order = .drawn(seed: seed)
  }

  /// A run that is replayed.
  init(seed: UInt64, _ frame: RunOptions, actions: [Action<Subject.Step>], choices: [Scheduling.Choice]) {
    (self.seed, self.frame, self.actions) = (seed, frame, actions)
    order = choices.isEmpty ? .inOrder : .chosen(choices)
  }

  /// Tells the run; a run that fails is a violation like any other.
  func run() async -> RunOutcome<Subject.Step> {
    let transcript = Transcript<Subject.Step>()
    let scheduling = order.scheduling(seed: seed).recorded(in: transcript.record)
    let run = self
    do {
      try await simulate(seed: seed, scheduling: scheduling, limits: frame.limits) { simulation in
        await run.run(in: simulation, transcript)
      }
    } catch let failure as SimulationFailure {
      transcript.add(Violation(property: failure.reason.property, sentence: failure.sentence, time: failure.time))
    } catch is CancellationError {
      // Whoever cancels a search wants no more of it.
    } catch {
      fatalError("ModelRun: a run does not throw \(error)")
    }
    return transcript.outcome
  }

  private func run(in simulation: Simulation, _ transcript: Transcript<Subject.Step>) async {
    // A run that fails does not come to the end of this: what is known is written down as it happens.
    simulation.trace.onEvent = { if $0.line != nil { transcript.add($0) } }
    let subject: Subject
    do {
      subject = try await Subject(in: simulation)
    } catch {
      transcript.add(
        Violation(
          property: "the model can be made", sentence: "\(Subject.self)(in:) threw \(error)", time: simulation.clock.now.offset))
      return
    }
    let probe = PropertyProbe(subject, simulation, transcript)
    simulation.onRest { probe.look() }
    await simulation.settle()
    var generator = StepGenerator<Subject>(seed: seed, frame)
    var rest = actions?[...]
    while !transcript.isViolated {
      guard let action = rest == nil ? generator.next(subject, simulation.clock) : rest?.popFirst() else { break }
      if case .step(let step) = action, !subject.canPerform(step) { continue }
      transcript.add(action)
      await perform(action, subject, simulation, transcript)
    }
    if !transcript.isViolated {
      await simulation.settle()
      if !transcript.isViolated { await simulation.advance(by: frame.quiet) }
      if !transcript.isViolated { probe.ask(Subject.eventually) }
    }
    // What looks on holds the subject, which holds the simulation.
    simulation.onRest(nil)
  }

  private func perform(
    _ action: Action<Subject.Step>, _ subject: Subject, _ simulation: Simulation, _ transcript: Transcript<Subject.Step>
  ) async {
    switch action {
    case .wait(let duration): await simulation.advance(by: duration)
    case .sleep(.zero): await Task.yield()
    case .sleep(let duration): try? await simulation.clock.sleep(for: duration)
    case .step(let step):
      simulation.trace.record("step \(CodeText.of(step))", in: .user)
      do {
        try await subject.perform(step)
      } catch {
        let sentence = "step \(CodeText.of(step)) threw \(error)"
        transcript.add(Violation(property: "no step throws", sentence: sentence, time: simulation.clock.now.offset))
      }
    }
  }
}

/// What all runs of a search have in common.
struct RunOptions: Sendable {
  /// How many steps there are at most.
  var steps: ClosedRange<Int> = 1...30
  /// The longest pause that is drawn, but for one until the next deadline.
  var pause: Duration = .seconds(10)
  /// How long nothing is done in the end.
  var quiet: Duration
  /// How far each run may go.
  var limits: SimulationLimits
}
