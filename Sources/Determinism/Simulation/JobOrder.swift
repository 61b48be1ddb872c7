/// The order in which the tasks of a run go on, where several could.
///
/// With one seed it is one order, whatever runs it: ``simulate(seed:order:limits:exclusive:_:)`` or a test with its
/// trait. A task that merely hops, from one isolation to another, continues at once; that is no choice.
public enum JobOrder: Hashable, Sendable {
  /// As they became runnable, whatever the seed.
  case inOrder
  /// Any of them, each equally likely, drawn from the seed.
  case shuffled
  /// The one whose task has the highest priority, which each task draws once from the seed; at `changes` choices, drawn
  /// too, the one that would go on falls below all others.
  ///
  /// Finds what needs a task to be late for long, which even odds at each choice hardly ever do. A bug that needs d + 1
  /// things in one order is found with a probability of at least 1 in n · 16 to the power of d, for n tasks and d
  /// changes (Burckhardt and others, "A randomized scheduler with probabilistic guarantees of finding bugs",
  /// ASPLOS 2010, with choices for steps). What is made runnable without a task of its own, by a yield above all, draws
  /// again each time, so a task that yields until something happens does not starve the others.
  case prioritized(changes: Int)
  /// As they became runnable, but for these choices; one that is not there is the last that is.
  case chosen([Choice])

  /// The most changes of priorities that a scenario can ask for.
  package static let maximumChanges = 16

  /// A choice that is not the first that became runnable.
  public struct Choice: Hashable, Sendable {
    /// Which choice of the run, from 0; a choice is where at least two could go on.
    package var number: Int
    /// Which of the runnable, from 0, in the order in which they became so.
    package var index: Int

    /// Makes a choice.
    public init(number: Int, index: Int) {
      self.number = number
      self.index = index
    }
  }

  /// The scheduling of a run with this seed.
  ///
  /// - Parameter first: the number of the first choice that it makes.
  func scheduling(seed: UInt64, from first: Int = 0) -> Scheduling {
    switch self {
    case .inOrder: .inOrder
    case .shuffled: .random(RandomStream(seed: seed, name: "scheduling"))
    case .prioritized(let changes): .prioritized(TaskPriorities(seed: seed, changes: changes, from: first))
    case .chosen(let choices): .chosen(choices.indicesByNumber)
    }
  }
}
