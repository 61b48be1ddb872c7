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
    /// The real time that the run may take was over.
    case realTimeLimit(Duration, waiting: [String])
    /// A job did not return: it blocks its thread, or computes without end. The thread is lost.
    case blocked(task: String, jobs: Int)
    /// Tasks still slept or waited when the body of the run had ended.
    case unfinished(asleep: [VirtualClock.Sleeper], waiting: [String])
    /// The simulation was used in a way that has no meaning.
    case misused(String)
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
  /// What it did, such as `came back from another thread`.
  public var action: String
  /// The function that did it, where that is known.
  public var function: String?
  /// The virtual time at which this was noticed.
  public var time: Duration

  /// Such as `load called usleep in Model.load() at 2 s`.
  public var description: String {
    "\(task) \(action)\(function.map { " in \($0)" } ?? "") at \(VirtualTime.text(time))"
  }

  /// What a task is called that has no name.
  static let unnamedTask = "a task without a name"
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
        + SimulationSupport.advice
    case .stalled(let waiting):
      "nothing can run and nobody sleeps, so this would wait for ever: \(waiting.joined(separator: "; "))."
    case .timeLimit(let limit, let waiting):
      "it did not end within \(VirtualTime.text(limit)) of virtual time: \(waiting.joined(separator: "; "))."
    case .neverSettles(let jobs, let awake):
      "\(jobs) jobs ran at one virtual time without coming to rest; not asleep: \(awake.joined(separator: ", "))."
    case .realTimeLimit(let limit, let waiting):
      "it did not end within \(VirtualTime.text(limit)) of real time (SimulationLimits.realTime)"
        + (waiting.isEmpty ? "." : ": \(waiting.joined(separator: "; ")).")
    case .blocked(let task, let jobs):
      "\(task) did not return from its job number \(jobs + 1): it blocks its thread, or computes without end. "
        + "The thread is lost; use a debugger to see where it is."
    case .unfinished(let asleep, let waiting):
      "the body ended while "
        + (asleep.map(\.sentence) + waiting.map { "\($0) waits" }).joined(separator: "; ")
        + ". Cancel what is no longer needed, start it with task(_:atEnd: .cancel), or set SimulationLimits.allowsUnfinishedTasks."
    case .misused(let sentence): sentence + "."
    case .threw(let task, let error): "\(task) threw \(error)."
    }
  }
}
