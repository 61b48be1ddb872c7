/// Why a simulation cannot be trusted, or cannot go on.
public struct SimulationFailure: Error, Hashable, Sendable {
  /// The kinds of trouble.
  public enum Reason: Hashable, Sendable {
    /// Tasks left the executor: for a real sleep, a detached task, a thread.
    case escaped([Escape])
    /// Nothing is runnable, nobody sleeps, and the run has not ended.
    case stalled(waiting: [String])
    /// The time limit was reached.
    case timeLimit(Duration, waiting: [String])
    /// More jobs than the limit ran at one virtual time.
    case neverSettles(jobs: Int, awake: [String])
    /// Tasks still slept at the end of the run.
    case stillAsleep([VirtualClock.Sleeper])
    /// A task threw.
    case threw(task: String, error: String)
  }

  /// What happened.
  public var reason: Reason
  /// The seed of the run.
  public var seed: UInt64
  /// The virtual time at which it happened.
  public var time: Duration
}

/// A task that left the executor of its simulation.
public struct Escape: Hashable, Sendable, CustomStringConvertible {
  /// The name of the task.
  public var task: String
  /// The line of source that started it, where that is known.
  public var origin: String?
  /// What it did there, such as `came back from another thread`.
  public var deed: String
  /// The virtual time at which this was noticed.
  public var time: Duration

  /// Such as `load came back from another thread at 2 s`.
  public var description: String { "\(task) \(deed) at \(VirtualTime.text(time))" }
}

extension SimulationFailure: CustomStringConvertible {
  /// A sentence or two: what happened, to whom, what to do.
  public var description: String {
    "seed \(seed), virtual time \(VirtualTime.text(time)): " + sentence
  }

  var sentence: String {
    switch reason {
    case .escaped(let escapes):
      "a task left the simulation: \(escapes.map { "\($0)" + SimulatedTask.started($0.origin) }.joined(separator: "; ")). "
        + "Sleep on the simulation's clock, start tasks with Simulation.task, and do not detach."
    case .stalled(let waiting):
      "nothing can run and nobody sleeps, so this would wait for ever: \(waiting.joined(separator: "; "))."
    case .timeLimit(let limit, let waiting):
      "it did not end within \(VirtualTime.text(limit)) of virtual time: \(waiting.joined(separator: "; "))."
    case .neverSettles(let jobs, let awake):
      "\(jobs) jobs ran at one virtual time without coming to rest; not asleep: \(awake.joined(separator: ", "))."
    case .stillAsleep(let sleepers):
      "the run ended while \(sleepers.map(\.sentence).joined(separator: "; ")). Cancel what is no longer needed."
    case .threw(let task, let error): "\(task) threw \(error)."
    }
  }
}
