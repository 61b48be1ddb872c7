/// Searches a model for violations: runs seeds, asks its properties, and shrinks what it finds.
///
///     let exploration = await explore(TillSubject.self, seeds: 0..<1000)
///     #expect(exploration.findings.isEmpty, "\(exploration)")
///
/// Each seed draws how many steps there are, the steps with pauses between them, a third of which end with the very
/// moment of the next deadline or without time, whether a run goes on when everything rests or among all else, and the
/// order of tasks: as they became runnable, any, or by priority. A run ends with the first violation, and all seeds are
/// run. The lowest seed of each violated property is shrunk, and the next three where more than three actions are left.
/// A run that cannot be trusted, an error and a seed that gives two different runs are findings too.
///
/// Costs two runs a seed, or one, and `candidates` runs more for each violated property at most, one after the other. A
/// finding that needs real time, such as a task that left the simulation, is shrunk with 50 candidates at most.
///
/// - Parameters:
///   - subject: what is explored.
///   - seeds: what runs are drawn from, at least one.
///   - steps: how many steps a run has at most, at least one; pauses do not count.
///   - pause: the longest pause between two steps that is drawn, but for one until the next deadline: in a third of the
///     runs, in the others a quarter or a sixteenth of it.
///   - quiet: for how long nothing is done in the end, before ``Explorable/eventually`` is asked.
///   - runsTwice: whether each seed is run twice, which must give the same trace, actions and violations.
///   - candidates: how many runs there are at most to shrink a finding; with none it stays as it was drawn.
///   - limits: how far each run may go, by default no more than 100,000 jobs at one virtual time; a replay needs the
///     same.
///   - jobs: how many seeds run at once, each on its own thread; `nil` for as many as there are processors. What is
///     found does not depend on it.
/// - Precondition: there is a seed and a step, and no two properties have one name.
public func explore<Subject: Explorable>(
  _ subject: Subject.Type, seeds: Range<UInt64>, steps: ClosedRange<Int> = 1...30, pause: Duration = .seconds(10),
  quiet: Duration = .seconds(60), runsTwice: Bool = true, candidates: Int = 2000, limits: SimulationLimits = .exploration,
  jobs: Int? = nil
) async -> Exploration<Subject.Step> {
  let names = (Subject.always + Subject.eventually + Subject.sometimes).map(\.name)
  // Release builds keep the sentences of these.
  if seeds.isEmpty { fatalError("explore: no seeds of \(Subject.self)") }
  if steps.lowerBound < 0 || steps.upperBound <= 0 { fatalError("explore: runs of \(Subject.self) without steps") }
  if pause < .zero || quiet < .zero { fatalError("explore: a pause of \(Subject.self) is negative") }
  if Set(names).count != names.count { fatalError("explore: two properties of \(Subject.self) have one name: \(names)") }
  var options = RunOptions<Subject, Never?>(quiet: quiet, limits: limits)
  (options.steps, options.pause) = (steps, pause)
  let frame = options
  var exploration = Exploration<Subject.Step>("\(Subject.self)", seeds: seeds)
  let body: nonisolated(nonsending) (Range<UInt64>) async -> [SeedResult<Subject.Step>] = { batch in
    var guide = Guide<Subject, Never?>()
    var results: [SeedResult<Subject.Step>] = []
    for seed in SeedBatches.before(batch.lowerBound).lowerBound..<batch.upperBound where !Task.isCancelled {
      // A run depends on those of its batch before it where they say what they reached, as the first does or does not.
      if !batch.contains(seed), seed % SeedBatches.size > 0, !guide.learns { continue }
      let run = guide.run(ExploredRun<Subject, Never?>(seed: seed, frame))
      let result = await SeedResult(run, runsTwice: runsTwice && batch.contains(seed))
      guide.take(run, result.outcome)
      if batch.contains(seed) { results.append(result) }
    }
    return results
  }
  // Uses the subject in simulations alone.
  nonisolated(unsafe) let work = body
  let batches = SeedBatches(of: seeds)
  let done = await forEach(batches, jobs: jobs) {
    await unsafe work($0)
  } take: { batch, results in
    for (seed, result) in zip(batch, results) {
      await exploration.take(seed, result, ExploredRun<Subject, Never?>(result, frame), candidates: candidates, quiet)
    }
  }
  exploration.seeds = seeds.lowerBound..<(done.last?.upperBound ?? seeds.lowerBound)
  // What a search that was cancelled would have reached is unknown.
  for property in Subject.sometimes where !exploration.isCancelled && exploration.seen[property.name] == nil {
    let sentence = "it never happened in \(seeds.count) runs, so they say nothing of it"
    exploration.findings.append(
      .init(violation: Violation(property: property.name, sentence: sentence, time: .zero), runs: 0))
  }
  return exploration
}

/// Repeats a run that `explore` has found, action by action.
///
/// Steps that are impossible now are skipped, and choices that there are not any more take the last that could go on.
///
/// - Returns: the trace, where no property is violated.
/// - Throws: what does not hold.
@discardableResult
public func replay<Subject: Explorable>(
  _ subject: Subject.Type, seed: UInt64, _ actions: [Action<Subject.Step>], choices: [JobOrder.Choice] = [],
  quiet: Duration = .seconds(60), limits: SimulationLimits = .exploration
) async throws(Exploration<Subject.Step>.Finding) -> [String] {
  var run = ExploredRun<Subject, Never?>(seed: seed, RunOptions(quiet: quiet, limits: limits))
  (run.actions, run.order) = (actions, choices.isEmpty ? .inOrder : .chosen(choices))
  let outcome = await run.run(recorder: RunRecorder(keeps: .trace))
  guard let violation = outcome.violations.first else { return outcome.trace }
  throw await run.finding(violation, outcome, candidates: 0, quiet: quiet)
}

extension SimulationLimits {
  /// Those of a search: a run that never settles is given up after 100,000 jobs, and what goes on at the end is
  /// cancelled.
  public static var exploration: SimulationLimits {
    var limits = SimulationLimits()
    limits.jobsPerInstant = 100_000
    limits.allowed.insert(.unfinishedTasks)
    return limits
  }
}

extension RunOptions {
  /// The options of a run with so long a quiet time at its end.
  init(quiet: Duration, limits: SimulationLimits) {
    self.init()
    self.limits = limits
    end = { $1 + quiet }
  }
}

/// What became of one seed.
private struct SeedResult<Step: Hashable & Sendable>: Sendable {
  let seed: UInt64
  let order: JobOrder
  let beginning: Beginning<Step>?
  let outcome: RunOutcome<Step, Never?>
  /// What is wrong, a difference between two runs included.
  private(set) var violations: [Violation]

  init<Subject: Explorable>(_ run: ExploredRun<Subject, Never?>, runsTwice: Bool) async where Subject.Step == Step {
    (seed, order, beginning) = (run.seed, run.order, run.beginning)
    outcome = await run.run(recorder: RunRecorder(keeps: .trace))
    violations = outcome.violations
    let isRepeatable = violations.allSatisfy { !SimulationFailure.Reason.unrepeatable.contains($0.property) }
    if runsTwice, isRepeatable, await run.run().hash != outcome.hash { violations.append(await run.difference()) }
  }
}

extension Exploration {
  init(_ subject: String, seeds: Range<UInt64>) { (self.subject, self.seeds, plannedSeeds) = (subject, seeds, seeds) }

  fileprivate mutating func take<Subject: Explorable>(
    _ seed: UInt64, _ result: SeedResult<Step>, _ run: ExploredRun<Subject, Never?>, candidates: Int, _ quiet: Duration
  ) async where Subject.Step == Step {
    hash &+= TraceHash.mixed(seed, result.outcome.hash)
    steps += result.outcome.actions.count { $0.step != nil }
    seen.merge(result.outcome.coverage.sometimes, uniquingKeysWith: +)
    for violation in result.violations {
      guard let index = findings.firstIndex(where: { $0.violation.property == violation.property }) else {
        findings.append(await run.finding(violation, result.outcome, candidates: candidates, quiet: quiet))
        continue
      }
      findings[index].runs += 1
      let found = findings[index]
      // With other random numbers fewer actions may do.
      guard found.actions.count > 3, found.runs <= 4, violation.property != Violation.sameRunTwice else { continue }
      let other = await run.finding(violation, result.outcome, candidates: candidates - found.candidates, quiet: quiet)
      findings[index].take(other)
    }
  }
}

extension Exploration.Finding {
  /// Takes the run of another seed that violates the same, where it is the shorter.
  fileprivate mutating func take(_ other: Self) {
    let candidates = candidates + other.candidates
    if other.actions.count + other.choices.count < actions.count + choices.count {
      let (runs, firstSeed) = (runs, firstSeed)
      self = other
      (self.runs, self.firstSeed) = (runs, firstSeed)
    }
    self.candidates = candidates
  }
}

extension ExploredRun where Start == Never? {
  /// The run that a search draws from a seed.
  init(seed: UInt64, _ options: RunOptions<Subject, Start>) {
    self.init(seed: seed, start: nil, order: .drawn(seed: seed), options)
  }

  /// The run that was run.
  fileprivate init(_ result: SeedResult<Subject.Step>, _ options: RunOptions<Subject, Start>) {
    self.init(seed: result.seed, start: nil, order: result.order, options)
    beginning = result.beginning
  }

  /// Where two runs of a seed part that had different hashes, as far as they do so again.
  fileprivate func difference() async -> Violation {
    let divergence = await divergence(elsewhere: { nil })
    let sentence = divergence?.sentence ?? "two runs had different hashes, eight more did not: look for a clock, a thread"
    return Violation(property: Violation.sameRunTwice, sentence: sentence, time: divergence?.time ?? .zero)
  }

  /// What was found in a run, shrunk where that is of use.
  fileprivate func finding(
    _ violation: Violation, _ outcome: Outcome, candidates: Int, quiet: Duration
  ) async -> Exploration<Subject.Step>.Finding {
    var limit = candidates
    if violation.property == Violation.sameRunTwice { limit = 0 }
    if SimulationFailure.Reason.unrepeatable.contains(violation.property) { limit = min(limit, 50) }
    let shrinker = Shrinker(violation.property, self, outcome, limit: limit, seeds: 500)
    await shrinker.shrink()
    let smallest = shrinker.candidates == 0 ? outcome : await shrinker.run.run(recorder: RunRecorder(keeps: .trace))
    var finding = Exploration<Subject.Step>.Finding(violation: smallest.violation(of: violation.property) ?? violation)
    finding.seed = shrinker.run.seed
    finding.firstSeed = seed
    finding.subject = "\(Subject.self)"
    if finding.violation.sentence == Violation.withoutSentence, !smallest.values.isEmpty {
      finding.violation.sentence += ": " + smallest.values
    }
    finding.actions = shrinker.outcome.actions
    finding.choices = shrinker.run.choices
    finding.trace = Array(smallest.traceOfViolation)
    finding.candidates = shrinker.candidates
    finding.quiet = quiet
    return finding
  }
}
