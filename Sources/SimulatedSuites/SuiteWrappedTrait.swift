import Determinism
import DeterminismTesting
public import Testing

/// Runs a test as the environment says, as it is or in simulations, and records each run.
public struct SuiteWrappedTrait: TestTrait, SuiteTrait, TestScoping {
  /// Runs the test, once for each seed and order.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard let suite = SuiteRun.current else { return try await function() }
    // The name of a test, behind which its place in the source follows.
    let name = "\(test.id)".split(separator: "/").dropLast().joined(separator: "/")
    var thrown: (any Error)?
    var orders = SuiteOrders(suite.orders, seeds: suite.seeds)
    while let (seed, order) = orders.next() {
      let run = TestRun(name, seed: seed, order: order, suite)
      do {
        try await IssueHandlingTrait.compactMapIssues { Self.note($0, run) }.provideScope(for: test, testCase: testCase) {
          guard let seed else { return try await function() }
          let simulated = SimulatedTrait.simulated(seed: seed, order: order, limits: suite.limits)
          try await simulated.provideScope(for: test, testCase: testCase) {
            let simulation = Simulation.current
            if let simulation { run.follow(simulation) }
            defer { if let simulation { run.reached(simulation.clock.now.offset) } }
            try await function()
          }
        }
      } catch {
        thrown = error
        run.fail("\(error)")
      }
      run.end()
      orders.add(isFailed: run.isFailed, made: run.choices.choices, counts: run.choices.counts)
      if run.isReported { break }
    }
    if let thrown { throw thrown }
  }

  private static func note(_ issue: Issue, _ run: TestRun) -> Issue {
    guard issue.isFailure else { return issue }
    var shown = issue
    // The advice of the trait is for tests that have it in their source.
    shown.comments.removeAll { $0.rawValue.contains("SIMULATED_SEEDS=") }
    let place = issue.sourceLocation.map { " (\($0.fileName):\($0.line))" } ?? ""
    let words = "\(shown)\(place)"
    if let failure = issue.error as? SimulationFailure {
      run.report(failure)
    } else if words.contains("The body of the test did not return") {
      // The trait reports such a body in words.
      run.report(words.contains(" jobs ran at one virtual time ") ? "never settles" : "blocked", words)
    } else {
      run.fail(words)
    }
    return issue
  }
}

extension Trait where Self == SuiteWrappedTrait {
  /// Runs the test as the environment says, as it is or in simulations.
  public static var suiteWrapped: Self { SuiteWrappedTrait() }
}
