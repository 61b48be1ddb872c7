import Synchronization

/// Runs a test of its own for each seed, each with its order of tasks, and reports the seeds that fail.
///
///     try await explore(seeds: 0..<1000) { simulation in
///       let model = ClockModel(clock: simulation.clock)
///       …
///       guard model.minutes == 1 else { throw Wrong(model.minutes) }
///     }.check()
///
/// A seed fails where the body throws, where its run cannot be trusted (``SimulationFailure``), where a task still
/// sleeps or waits when the body has ended, and where its second run has another trace or another error. All seeds are
/// run, whatever fails. Nothing is shrunk: for that see `explore` of an ``Explorable``.
///
/// What is to fail a seed is thrown: an assertion that records a failure by itself says neither its seed nor how many
/// fail.
///
/// - Parameters:
///   - seeds: what runs are drawn from, at least one. The variable `SIMULATED_SEEDS` of the environment gives others:
///     `12`, or `0..<1000`.
///   - runsTwice: whether each seed is run twice.
///   - limits: how far each run may go.
///   - jobs: how many seeds run at once; `nil` for as many as there are processors.
///   - function: the test, for the command that repeats a seed.
///   - body: runs isolated to the simulation, as in `simulate`; what it records in ``Simulation/trace`` is compared.
/// - Precondition: there is a seed.
public func explore(
  seeds: Range<UInt64>, runsTwice: Bool = true, limits: SimulationLimits = SimulationLimits(), jobs: Int? = nil,
  function: String = #function, _ body: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> Void
) async -> SeedExploration {
  if seeds.isEmpty { fatalError("explore: no seeds") }
  var exploration = SeedExploration(seeds: seeds, function)
  do {
    exploration = SeedExploration(seeds: try EnvironmentSeeds.seeds() ?? seeds, function)
  } catch {
    exploration.seeds = seeds.lowerBound..<seeds.lowerBound
    exploration.failures = [.init(seed: seeds.lowerBound, sentence: "\(error)")]
    return exploration
  }
  let done = await forEach(exploration.seeds, jobs: jobs) { seed in
    let first = await BodyOutcome(seed, limits, body)
    return (first, runsTwice ? await BodyOutcome(seed, limits, body) : nil)
  } take: { (seed, outcomes: (BodyOutcome, BodyOutcome?)) in
    let (first, second) = outcomes
    exploration.hash &+= TraceHash.mixed(seed, first.hash)
    if let sentence = first.sentence { exploration.failures.append(.init(seed: seed, sentence: sentence)) }
    if let second, second != first, !first.isUnrepeatable {
      exploration.failures.append(.init(seed: seed, sentence: first.difference(from: second)))
    }
  }
  exploration.seeds = done
  return exploration
}

/// What became of one run of a body.
private struct BodyOutcome: Hashable, Sendable {
  var hash: UInt64 = 0
  var sentence: String?
  /// Whether real time decided something, so that another run may end otherwise.
  var isUnrepeatable = false

  init(
    _ seed: UInt64, _ limits: SimulationLimits,
    _ body: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> Void
  ) async {
    let hash = Mutex<UInt64>(0)
    do {
      try await simulate(seed: seed, limits: limits) { simulation in
        defer { hash.withLock { $0 = simulation.trace.hash } }
        try await body(simulation)
      }
    } catch {
      sentence = "\(error)"
      if let failure = error as? SimulationFailure {
        isUnrepeatable = SimulationFailure.Reason.unrepeatable.contains(failure.reason.property)
      }
    }
    self.hash = hash.withLock { $0 }
    if let sentence {
      var digest = TraceHash()
      digest.append(sentence)
      self.hash ^= digest.value
    }
  }

  func difference(from other: BodyOutcome) -> String {
    if sentence == other.sentence { return "two runs of it have different traces" }
    return "two runs of it end differently: \(sentence ?? "well"); \(other.sentence ?? "well")"
  }
}

extension JobOrder {
  /// The order that a search draws for a seed: half in order, a quarter any, a quarter by priorities.
  static func drawn(seed: UInt64) -> JobOrder {
    var stream = RandomStream(seed: seed, name: "plan")
    return switch stream.next(below: 4) {
    case 0: .shuffled
    case 1: .prioritized(changes: stream.next(in: 0..<4))
    default: .inOrder
    }
  }
}
