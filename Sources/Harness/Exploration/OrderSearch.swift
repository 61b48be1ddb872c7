public import Determinism

/// Looks for an order of tasks in which a scenario fails: every order, those that differ least from the plain one
/// first.
///
/// A scenario is held against what it expects and against what must always hold, not against its golden trace, which is
/// that of one order.
public struct OrderSearch: Sendable {
  /// The scenario, whose own order of tasks does not count.
  public let scenario: Scenario
  /// In how many choices an order may differ from the plain one.
  public let deviations: Int
  /// How many orders are tried at most.
  public let runs: Int

  /// Searches with these bounds.
  public init(_ scenario: Scenario, deviations: Int = 2, runs: Int = 10_000) {
    self.scenario = scenario
    self.deviations = deviations
    self.runs = runs
  }

  /// What became of a search.
  public struct Result: Sendable {
    /// The number of orders that were tried.
    public var runs = 0
    /// The most choices in one run.
    public var longest = 0
    /// Whether there is no other order within the bound.
    public var isComplete = true
    /// The choices of the first order that fails; `nil` where none does.
    public var failing: [JobOrder.Choice]?
    /// What did not hold in it, each a sentence with lines of detail.
    public var failures: [String] = []
  }

  /// Tries one order after the other until one fails.
  ///
  /// - Throws: ``ScenarioProblem`` where the scenario cannot be run, or its source is an adapter, which is never twice
  ///   the same.
  public func run() async throws -> Result {
    if case .interface = scenario.source {
      throw ScenarioProblem(
        file: scenario.file,
        sentence: "the order of tasks cannot be chosen with an adapter; give a source that is simulated or replayed.")
    }
    let loaded = try LoadedSource(scenario)
    var tree = OrderTree(deviations: deviations, runs: runs)
    var result = Result()
    while let choices = tree.next() {
      result.runs += 1
      let counts: [Int]
      (result.failures, counts) = try await run(choices, loaded)
      guard result.failures.isEmpty else {
        result.failing = choices
        return result
      }
      result.longest = max(result.longest, counts.count)
      tree.add(choices, counts: counts)
    }
    result.isComplete = tree.isComplete
    return result
  }

  /// What did not hold in a run with these choices, and for each choice how many tasks could go on.
  private func run(_ choices: [JobOrder.Choice], _ loaded: LoadedSource) async throws -> ([String], counts: [Int]) {
    if scenario.isJudgedByProperties, var run = SettingsRun(scenario) {
      run.order = .chosen(choices)
      let outcome = await run.run()
      return (outcome.violations.map(\.description), outcome.counts)
    }
    let record = ChoiceRecord()
    do {
      var run = ScenarioRun(scenario)
      run.scenario.jobs = .chosen(choices)
      run.choices = record
      let outcome = try await run.run(keepsTrace: false) { simulation in
        try loaded.world(in: simulation, nil) { _, _ in nil }
      }
      return (outcome.failures, record.counts)
    } catch let failure as SimulationFailure {
      return (["\(failure)"], record.counts)
    }
  }
}

extension ScenarioWriter {
  /// The text of a scenario file with these lines in place of those that say the same, and everything else as it is.
  public static func yaml(_ text: String, with new: [String]) -> String {
    let keys = new.compactMap { $0.split(separator: ":").first }
    var lines: [Substring] = []
    var isOld = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let beginsKey = line.first.map { !$0.isWhitespace && $0 != "#" && $0 != "-" } ?? false
      if beginsKey { isOld = keys.contains { line.hasPrefix($0 + ":") } }
      if isOld, !line.isEmpty, line.first != "#" { continue }
      if beginsKey, line.hasPrefix("source:") { lines += new.map { $0[...] } }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }
}
