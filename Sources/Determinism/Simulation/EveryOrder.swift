/// The results of runs in every order of their tasks.
public struct EveryOrder<Result: Sendable>: Sendable {
  /// What each run returned; the first is the one in order.
  public var results: [Result] = []
  /// Whether there is no other order within the bound.
  public var isComplete = true
}

/// An order of tasks in which a run failed.
package struct OrderFailure: Error, CustomStringConvertible {
  /// What was chosen; ``JobOrder/chosen(_:)`` repeats it.
  package var choices: [JobOrder.Choice]
  /// The number of orders that were good before.
  var runsBefore: Int
  /// What the run threw.
  package var underlying: any Error

  /// Such as `in the order [choice 3 takes 1], after 17 orders that are good: …`.
  package var description: String {
    let words = choices.map { "choice \($0.number) takes \($0.index)" }.joined(separator: ", ")
    return "in the order [\(words)], after \(runsBefore) that \(runsBefore == 1 ? "is" : "are") good: \(underlying)"
  }
}

/// Runs `body` in every order in which its tasks can go on, those that differ least from the order in which they became
/// runnable first.
///
/// For what is small: the number of orders grows faster than exponentially with the number of choices. `deviations`
/// bounds in how many choices a run may differ from the plain order; most bugs of concurrency need one or two (Emmi,
/// Qadeer and Rakamarić, "Delay-bounded scheduling", POPL 2011). Within the bounds each order is run exactly once.
///
///     let orders = try await simulateEveryOrder(seed: 7) { simulation in
///       let counter = Counter()
///       for name in ["a", "b"] { simulation.task(name) { await counter.add() } }
///       await simulation.settle()
///       return await counter.count
///     }
///     #expect(orders.isComplete && Set(orders.results) == [2])
///
/// - Parameters:
///   - seed: what everything random is drawn from, the same for each run.
///   - deviations: in how many choices a run may differ from the order in which tasks became runnable.
///   - runs: how many runs there are at most.
///   - limits: how far each run may go.
///   - body: runs isolated to a simulation of its own, a new one each time.
/// - Throws: an error that says the order of the first run that throws, and what; none differs in fewer choices.
///   `CancellationError` where the caller is cancelled.
public func simulateEveryOrder<Result: Sendable>(
  seed: UInt64, deviations: Int = .max, runs: Int = 10_000, limits: SimulationLimits = SimulationLimits(),
  _ body: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> Result
) async throws -> EveryOrder<Result> {
  var tree = OrderTree(deviations: deviations, runs: runs)
  var every = EveryOrder<Result>()
  while let choices = tree.next() {
    let record = ChoiceRecord()
    do {
      every.results.append(try await simulate(seed: seed, order: .chosen(choices), choices: record, limits: limits, body))
    } catch {
      // The order has no part in that.
      if Task.isCancelled { throw CancellationError() }
      throw OrderFailure(choices: choices, runsBefore: every.results.count, underlying: error)
    }
    tree.add(choices, counts: record.counts)
  }
  every.isComplete = tree.isComplete
  return every
}

/// The orders that are still to be run: each is one that was run, with one choice more behind its last.
package struct OrderTree {
  private let deviations: Int
  private let runs: Int
  private var begun = 0
  /// Whether each order within the bound has been given.
  package private(set) var isComplete = true
  private var waiting: [[JobOrder.Choice]] = [[]]
  /// The first that was not given yet.
  private var head = 0

  package init(deviations: Int, runs: Int) {
    self.deviations = deviations
    self.runs = runs
  }

  /// The next order; `nil` where there is none, or enough were given.
  package mutating func next() -> [JobOrder.Choice]? {
    guard head < waiting.count else { return nil }
    guard begun < runs else {
      isComplete = false
      return nil
    }
    begun += 1
    defer { head += 1 }
    return waiting[head]
  }

  /// Records how many there were to choose among in the run of an order.
  package mutating func add(_ choices: [JobOrder.Choice], counts: [Int]) {
    guard choices.count < deviations else { return }
    let first = choices.last.map { $0.number + 1 } ?? 0
    for number in counts.indices.dropFirst(first) {
      for index in 1..<counts[number] {
        // More than this will never be run.
        guard waiting.count < runs else {
          isComplete = false
          return
        }
        waiting.append(choices + [JobOrder.Choice(number: number, index: index)])
      }
    }
  }
}
