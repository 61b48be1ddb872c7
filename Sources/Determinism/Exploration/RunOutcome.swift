import Synchronization

/// What became of a run about a model of one's own.
struct RunOutcome<Step: Hashable & Sendable>: Sendable {
  var actions: [Action<Step>] = []
  /// For each action the number of choices among tasks that were made before it.
  var places: [Int] = []
  /// For each choice how many tasks could go on.
  var counts: [Int] = []
  /// The choices that were not the first.
  var choices: [Scheduling.Choice] = []
  var violations: [Violation] = []
  /// The names of those properties of `sometimes` that held once.
  var seen: Set<String> = []
  var trace: [String] = []

  func violation(of property: String) -> Violation? { violations.first { $0.property == property } }

  /// All of it, in words.
  var lines: [String] { trace + actions.map(\.code) + choices.map(\.code) + violations.map(\.description) }

  /// The hash of all of it.
  var hash: UInt64 {
    var digest = TraceHash()
    for line in lines { digest.append(line + "\n") }
    return digest.value
  }
}

/// What is known of a run while it is told.
final class Transcript<Step: Hashable & Sendable>: Sendable {
  /// The choices among tasks.
  let record = ChoiceRecord()
  private let stored = Mutex(RunOutcome<Step>())

  var outcome: RunOutcome<Step> {
    var outcome = stored.withLock { $0 }
    (outcome.counts, outcome.choices) = (record.counts, record.choices)
    return outcome
  }
  var isViolated: Bool { stored.withLock { !$0.violations.isEmpty } }

  func add(_ action: Action<Step>) {
    let place = record.count
    stored.withLock {
      $0.actions.append(action)
      $0.places.append(place)
    }
  }
  func add(_ violation: Violation) { stored.withLock { $0.violations.append(violation) } }
  func add(seen name: String) { _ = stored.withLock { $0.seen.insert(name) } }
  func add(_ event: TraceEvent) {
    let line = VirtualTime.seconds(event.time, minimumDecimals: 3) + " " + event.text
    stored.withLock { $0.trace.append(line) }
  }
}

extension SimulationFailure.Reason {
  /// The name of what is violated where a run fails so.
  var property: String {
    switch self {
    case .escaped: "no task leaves the simulation"
    case .stalled: "nobody waits for ever"
    case .timeLimit: "a run ends in time"
    case .neverSettles: "everything comes to rest"
    case .realTimeLimit: "a run ends in real time"
    case .blocked: "no task blocks its thread"
    case .ignoredCancellation: "a task that is cancelled ends"
    case .unfinished: "no task is left at the end"
    case .misused: "the simulation is used as it should be"
    case .threw: "no task throws"
    }
  }

  /// The names of those that depend on real time, so that each record takes some, and two may differ.
  static let unrepeatable: Set = [Self.escaped([]).property, Self.stalled(waiting: []).property]
}
