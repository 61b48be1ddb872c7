/// The isolation whose turns are observed, by name, for code that cannot know its isolation.
///
/// Made on an actor it stands for the actor, whose jobs are the turns. Made without an isolation (a synchronous test, a
/// benchmark, one of many parallel tasks) its turns are ended by hand:
///
/// ```swift
/// let turn = ObservationTurn()
/// let token = observe(in: turn) { print(model.isOn) }
/// turn { model.isOn = false }
/// ```
///
/// It belongs to the caller; what is observed in it changes where the caller runs.
public final class ObservationTurn {
  let queue: TurnQueue

  /// The turns of the isolation, or turns that are ended by hand where there is none.
  public init(isolation: isolated (any Actor)? = #isolation) {
    queue = isolation.map { TurnQueue.of($0) } ?? TurnQueue(owner: nil)
  }

  /// Makes changes, ends the turn and begins the next.
  public func callAsFunction<Result>(_ change: () throws -> Result) rethrows -> Result {
    defer { end() }
    return try change()
  }

  /// Ends the turn: runs what its changes concern, in order of registration, until nothing is left to run.
  public func end() { queue.flush() }
}
