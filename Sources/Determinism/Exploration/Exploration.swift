/// What a search found: what was violated, and the smallest run that violates it.
public struct Exploration<Step: Hashable & Sendable>: Sendable, CustomStringConvertible {
  /// What was explored.
  let subject: String
  /// The seeds that were run: where the caller was cancelled, those before the first that was not.
  package internal(set) var seeds: Range<UInt64>
  /// The seeds that were to be run.
  package let plannedSeeds: Range<UInt64>
  /// Whether the caller was cancelled before all seeds were run.
  package var isCancelled: Bool { seeds != plannedSeeds }
  /// What did not hold, in the order of the seeds that found it, then what never happened; empty where all is well.
  public internal(set) var findings: [Finding] = []
  /// The number of steps that were done.
  package internal(set) var steps = 0
  /// The number of runs in which each property of ``Explorable/sometimes`` held at a moment of rest.
  package internal(set) var seen: [String: Int] = [:]
  /// A hash of the traces, actions and violations of all runs, the same on every machine and in every build.
  public internal(set) var hash: UInt64 = 0

  /// Throws what was found, if anything was, and where not all seeds were run: `try await explore(…).check()`.
  ///
  /// - Throws: ``ExplorationFailure``, whose description is that of the exploration.
  public func check() throws(ExplorationFailure) {
    if !findings.isEmpty || isCancelled { throw ExplorationFailure(description: description) }
  }

  /// Something that did not hold; `replay` throws it.
  public struct Finding: Error, Hashable, Sendable {
    /// What did not hold, why and when, in the smallest run.
    public var violation: Violation
    /// The number of runs that violate it.
    package var runs = 1
    /// The seed of the smallest run; `nil` where something never happened in any.
    public var seed: UInt64?
    /// The first seed that violates it.
    package var firstSeed: UInt64?
    /// What happens in the smallest run.
    public var actions: [Action<Step>] = []
    /// Which tasks went on where it was not the first that could.
    public var choices: [JobOrder.Choice] = []
    /// What was recorded until then: steps, summaries, and what the model and its fakes wrote to the trace.
    public var trace: [String] = []
    /// The number of candidates that were run to shrink it.
    package var candidates = 0
    /// What was explored.
    var subject = ""
    /// The quiet time in the end.
    var quiet = Duration.seconds(60)
  }

  /// What was found, each with the code that repeats it.
  public var description: String {
    let seen = seen.sorted { $0.key < $1.key }.map { "\($0.key): in \($0.value)" }
    let ending = isCancelled ? ["cancelled after \(seeds.count) of \(plannedSeeds.count) seeds"] : []
    let total = (["\(seeds.count) runs of \(subject), \(steps) steps"] + seen + ending).joined(separator: "; ")
    if findings.isEmpty { return total + "; nothing found" }
    return (findings.map(\.description) + [total]).joined(separator: "\n\n")
  }
}

extension Exploration.Finding: CustomStringConvertible {
  /// What did not hold, the code that repeats it, and the trace.
  public var description: String {
    guard let seed else { return "\(violation.property): \(violation.sentence)" }
    let found = candidates == 0 ? "not shrunk" : "shrunk with \(candidates) candidates"
    let first = firstSeed ?? seed
    // With other random numbers fewer actions may do.
    let shown = seed == first ? found : "\(found), to a run of seed \(seed)"
    return
      (["\(violation)", "seed \(first), the first of \(runs); \(shown). Again:", code, "Trace:"] + traceWindow.map { "  " + $0 })
      .joined(separator: "\n")
  }

  /// The trace up to its end, where the violation is: the last lines of it, each step with what comes at once, each
  /// choice among tasks, and how many lines are left out.
  private var traceWindow: [String] {
    func lines(_ kind: String) -> [Int] { trace.indices.filter { trace[$0].drop { $0 != " " }.hasPrefix(kind) } }
    let steps = lines(" step ")
    var shown = Set(trace.indices.suffix(20)).union(lines(" order: "))
    for step in steps { shown.formUnion(max(step - 1, 0)..<min(step + 4, trace.count)) }
    return LineDifference.excerpt(trace.count) {
      shown.contains($0) ? trace[$0] : nil
    } gap: {
      "… \($0)"
    }
  }

  /// The code that repeats the smallest run, an action a line; empty where there is none.
  package var code: String {
    guard let seed else { return "" }
    var lines = ["  try await replay(", "    \(subject).self, seed: \(seed),"]
    lines += actions.isEmpty ? ["    []"] : ["    ["] + actions.map { "      \($0)," } + ["    ]"]
    if !choices.isEmpty { lines[lines.count - 1] += ", choices: [\(choices.map(\.code).joined(separator: ", "))]" }
    if quiet != .seconds(60) { lines[lines.count - 1] += ", quiet: \(CodeText.of(quiet))" }
    lines[lines.count - 1] += ")"
    return lines.joined(separator: "\n")
  }
}

extension JobOrder.Choice {
  /// The choice as code.
  var code: String { ".init(number: \(number), index: \(index))" }
}

/// A search found something; it says what, with the code that repeats it.
public struct ExplorationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was found.
  public let description: String
}
