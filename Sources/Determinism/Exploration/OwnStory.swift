/// A story about somebody's own model that can be told: drawn from its seed, or move by move.
struct OwnStory<Subject: Explorable>: Sendable {
  /// What everything random is drawn from.
  var seed: UInt64
  /// The order in which tasks go on.
  var order: JobOrder
  /// What happens; `nil` where the seed tells it.
  var moves: [Move<Subject.Step>]?
  /// What all stories of a search have in common.
  var frame: StoryFrame

  /// The story of a seed.
  init(seed: UInt64, _ frame: StoryFrame) {
    self.seed = seed
    self.frame = frame
    var stream = RandomStream(seed: seed, name: "plan")
    switch stream.next(below: 4) {
    case 0: order = .shuffled
    case 1: order = .prioritized(changes: stream.next(in: 0..<4))
    default: order = .inOrder
    }
  }

  /// A story that was told before.
  init(seed: UInt64, _ frame: StoryFrame, moves: [Move<Subject.Step>], choices: [Scheduling.Choice]) {
    (self.seed, self.frame, self.moves) = (seed, frame, moves)
    order = choices.isEmpty ? .inOrder : .chosen(choices)
  }

  /// Tells the story; a run that fails is a violation like any other.
  func tell() async -> StoryOutcome<Subject.Step> {
    let transcript = Transcript<Subject.Step>()
    let scheduling = order.scheduling(seed: seed).recorded(in: transcript.record)
    let story = self
    do {
      try await simulate(seed: seed, scheduling: scheduling, limits: frame.limits) { simulation in
        await story.tell(in: simulation, transcript)
      }
    } catch let failure as SimulationFailure {
      transcript.add(Violation(property: failure.reason.property, sentence: failure.sentence, time: failure.time))
    } catch {
      preconditionFailure("OwnStory: a story does not throw \(error)")
    }
    return transcript.outcome
  }

  private func tell(in simulation: Simulation, _ transcript: Transcript<Subject.Step>) async {
    // A run that fails does not come to the end of this: what is known is written down as it happens.
    simulation.trace.onEvent = { if $0.line != nil { transcript.add($0) } }
    let subject = await Subject(in: simulation)
    let witness = StoryWitness(subject, simulation, transcript)
    simulation.onRest { witness.look() }
    await simulation.settle()
    var teller = MoveTeller<Subject>(seed: seed, frame)
    var rest = moves?[...]
    while !transcript.isViolated {
      guard let move = rest == nil ? teller.next(subject, simulation.clock) : rest?.popFirst() else { break }
      if case .step(let step) = move, !subject.canPerform(step) { continue }
      transcript.add(move)
      await perform(move, subject, simulation, transcript)
    }
    if !transcript.isViolated {
      await simulation.settle()
      if !transcript.isViolated { await simulation.advance(by: frame.quiet) }
      if !transcript.isViolated { witness.ask(Subject.eventually) }
    }
    // What looks on holds the subject, which holds the simulation.
    simulation.onRest(nil)
  }

  private func perform(
    _ move: Move<Subject.Step>, _ subject: Subject, _ simulation: Simulation, _ transcript: Transcript<Subject.Step>
  ) async {
    switch move {
    case .wait(let duration): await simulation.advance(by: duration)
    case .sleep(.zero): await Task.yield()
    case .sleep(let duration): try? await simulation.clock.sleep(for: duration)
    case .step(let step):
      simulation.trace.record("step \(CodeText.of(step))", in: .person)
      do {
        try await subject.perform(step)
      } catch {
        let sentence = "step \(CodeText.of(step)) threw \(error)"
        transcript.add(Violation(property: "no step throws", sentence: sentence, time: simulation.clock.now.offset))
      }
    }
  }
}

/// What all stories of a search have in common.
struct StoryFrame: Sendable {
  /// How many steps there are at most.
  var steps: ClosedRange<Int> = 1...30
  /// The longest pause that is drawn, but for one until the next deadline.
  var pause: Duration = .seconds(10)
  /// How long nothing is done in the end.
  var quiet: Duration
  /// How far each run may go.
  var limits: SimulationLimits
}
