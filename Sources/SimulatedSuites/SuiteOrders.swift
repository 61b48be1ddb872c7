package import Determinism

/// The orders in which a test runs, one after another.
package struct SuiteOrders {
  package enum Mode: String, Sendable {
    case shuffled, plain
    /// The order of a seed with which the test fails, and smaller ones: fewer and fewer choices that are not the first.
    case failing
    /// The same where the plain order fails, with a seed with which the test passes.
    case passing
  }

  /// The most runs that make an order smaller.
  private static let limit = 500

  private let mode: Mode
  private var waiting: [(seed: UInt64?, order: JobOrder)]
  private var count = 0
  /// The smallest order that was found.
  private var choices: [JobOrder.Choice]?
  private var tried: [JobOrder.Choice] = []
  private var reduction = Reduction(0)
  /// How many of its choices take the second of those that could go on, or were tried so.
  private var lowered = 0
  private var seed: UInt64?
  private var singles: [JobOrder.Choice]?

  /// Each seed once; none is a run without a simulation.
  package init(_ mode: Mode, seeds: [UInt64?]) {
    self.mode = mode
    waiting = seeds.map { ($0, mode == .plain || $0 == nil ? .inOrder : .shuffled) }
  }

  /// The seed and the order of the next run.
  package mutating func next() -> (seed: UInt64?, order: JobOrder)? {
    if !waiting.isEmpty {
      let first = waiting.removeFirst()
      seed = first.seed
      return first
    }
    count += 1
    guard count < Self.limit, let choices, let smaller = smaller(than: choices) else { return nil }
    tried = smaller
    return (seed, .chosen(smaller))
  }

  private mutating func smaller(than choices: [JobOrder.Choice]) -> [JobOrder.Choice]? {
    if let range = reduction.next() {
      var smaller = choices
      smaller.removeSubrange(range)
      return smaller
    }
    while lowered < choices.count {
      defer { lowered += 1 }
      var smaller = choices
      smaller[lowered].index = 1
      if smaller != choices { return smaller }
    }
    if choices.count < 2 { return nil }
    // Each of them matters; another one may do alone.
    return singles?.popLast().map { [$0] }
  }

  /// Takes what became of the last run, and how many could go on at each of its choices.
  package mutating func add(isFailed: Bool, made: [JobOrder.Choice], counts: [Int]) {
    guard mode == .failing || mode == .passing, waiting.isEmpty else { return }
    if isFailed == (mode == .failing) {
      reduction = choices == nil ? Reduction(made.count) : reduction
      if choices != nil { reduction.add(left: made.count) }
      choices = made
    } else if choices != nil {
      if tried.isEmpty {
        singles = counts.enumerated().flatMap { number, count in
          (1..<max(1, count)).map { JobOrder.Choice(number: number, index: $0) }
        }.reversed()
      }
      reduction.add(left: nil)
    }
  }
}
