/// What became of a run.
package struct RunOutcome<Step: Hashable & Sendable, Start: Hashable & Sendable>: Hashable, Sendable {
  /// What happened.
  package var actions: [Action<Step>] = []
  /// For each action the number of choices among tasks that were made before it.
  var places: [Int] = []
  /// For each choice how many tasks could go on.
  package var counts: [Int] = []
  /// The choices that were not the first.
  package var choices: [JobOrder.Choice] = []
  /// What did not hold, in the order of time.
  package var violations: [Violation] = []
  /// What was reached, each property of `sometimes` that held once among it.
  package var coverage = Coverage()
  /// Each change from one situation to another, in order.
  package var reached: [Reached] = []
  /// The trace, where it was kept.
  package var trace: [String] = []
  /// The trace until something did not hold.
  var traceOfViolation: ArraySlice<String> { trace.prefix(lineOfViolation ?? trace.count) }
  /// The number of its lines when something did not hold.
  var lineOfViolation: Int?
  /// The hash of the trace; of a run that broke off that of why.
  package var traceHash: UInt64 = 0
  /// A start that begins where the actions end, where that was asked for.
  var nextStart: Start?
  /// Whether the run broke off.
  package var isBroken = false
  /// Whether nothing but what happens and the order of tasks was drawn from the seed, as far as that is known.
  var drawsNothing = false

  /// The values of the subject where a property did not hold that does not say why, if the trace was kept.
  var values = ""

  func violation(of property: String) -> Violation? { violations.first { $0.property == property } }

  /// The hash of all in which two runs of a seed must agree: the trace, how much was done and what was violated.
  package var hash: UInt64 {
    var digest = TraceHash()
    digest.append(traceHash)
    digest.append(UInt64(actions.count))
    for violation in violations { digest.append(violation.description) }
    return digest.value
  }
}

/// A change from one situation to another, and how far a run was then.
package struct Reached: Hashable, Sendable {
  /// A hash of both.
  var key: UInt64
  /// The number of actions that had begun.
  var actions: Int
  /// The time since the last of them began.
  var elapsed: Duration
  /// The number of choices among tasks.
  var choices: Int
}

/// What a search reached, and how often.
package struct Coverage: Hashable, Sendable {
  /// Counts of what was done, by words such as `connect · tap join · busy`.
  package var reached: [String: Int] = [:]
  /// Counts of what must happen sometimes: a search that never sees it is empty.
  package var sometimes: [String: Int] = [:]

  package init() {}

  /// Adds what another search reached.
  package mutating func merge(_ other: Coverage) {
    reached.merge(other.reached, uniquingKeysWith: +)
    sometimes.merge(other.sometimes, uniquingKeysWith: +)
  }
}

extension SimulationFailure {
  /// The names of what is violated where a run does not end in real time, and may keep its thread for ever.
  package static let endless: Set = [Reason.realTimeLimit(.zero, waiting: []).property, Reason.blocked(task: "", jobs: 0).property]
}

extension SimulationFailure.Reason {
  /// The name of what is violated where a run fails so.
  package var property: String {
    switch self {
    case .escaped: "no task leaves the simulation"
    case .stalled: "no task waits for ever"
    case .timeLimit: "a run ends in time"
    case .neverSettles: "every run settles"
    case .realTimeLimit: "a run ends in real time"
    case .blocked: "no task blocks its thread"
    case .ignoredCancellation: "a task that is cancelled ends"
    case .unfinished: Violation.leftAtEnd
    case .misused: "the simulation is used as it should be"
    case .threw: "no task throws"
    }
  }

  /// The names of those that depend on real time, so that each run names some, and two may differ.
  package static let unrepeatable: Set = [Self.escaped([]).property, Self.stalled(waiting: []).property]
}
