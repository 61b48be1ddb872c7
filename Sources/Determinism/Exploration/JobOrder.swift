/// The order in which the tasks of a scenario go on, where several could.
public enum JobOrder: Hashable, Sendable {
  /// As they became runnable.
  case inOrder
  /// Any, drawn from the seed of the scenario.
  case shuffled
  /// By priorities drawn from the seed of the scenario, of which this many change; see
  /// ``Scheduling/prioritized(seed:changes:among:)``.
  case prioritized(changes: Int)
  /// As they became runnable, but for these choices.
  case chosen([Scheduling.Choice])

  /// The most changes of priorities that a scenario can ask for.
  package static let maximumChanges = 16

  /// The scheduling of a run with this seed.
  public func scheduling(seed: UInt64) -> Scheduling {
    switch self {
    case .inOrder: .inOrder
    case .shuffled: .random(seed: seed)
    // About as many choices as there are in a scenario where a user races with what happens.
    case .prioritized(let changes): .prioritized(seed: seed, changes: changes, among: 16)
    case .chosen(let choices): .chosen(choices)
    }
  }
}
