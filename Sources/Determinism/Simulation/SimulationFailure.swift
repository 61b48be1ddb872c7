/// Why a simulation cannot be trusted, or cannot go on.
public struct SimulationFailure: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Reason: Hashable, Sendable {
    /// Tasks left the executor: for a real sleep, a detached task, a thread.
    case escaped([Escape])
    /// Nothing is runnable, no task sleeps, and the run has not ended.
    case stalled(waiting: [String])
    /// The time limit was reached.
    case timeLimit(Duration, waiting: [String])
    /// More jobs than the limit ran at one virtual time. Those that were about to run are `awake`: the circle is among
    /// them.
    case neverSettles(jobs: Int, awake: [String])
    /// The real time that the run may take was over.
    case realTimeLimit(Duration, waiting: [String])
    /// A job did not return: it blocks its thread, or computes without end. The thread is lost.
    case blocked(task: String, jobs: Int)
    /// Tasks still slept or waited when the body of the run had ended.
    case unfinished(asleep: [VirtualClock.Sleeper], waiting: [String])
    /// Tasks went on though the run had ended and they were cancelled.
    case ignoredCancellation(tasks: [String])
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
  package var time: Duration
  /// The tasks that went on though the run had ended and they were cancelled, where that is not the ``reason``.
  ///
  /// They were left where they were.
  package var ignoredCancellation: [String] = []
  /// The tasks made before the run that it woke, such as a logger's: they went on outside of it.
  package var outsideTasks: [String] = []
  /// The function that replaced a hook of the Swift runtime during the run, where one did.
  var hookCulprit: String?
}

/// A task that left the executor of its simulation.
public struct Escape: Hashable, Sendable, CustomStringConvertible {
  /// The name of the task, or the type of an actor that ran a task of another run.
  public var task: String
  /// The line of source that started it, where that is known.
  package var origin: String?
  /// What it did, such as `came back from another thread`.
  public var action: String
  /// The function that did it, where that is known; in a release build the one that it was inlined into, or one of
  /// several with the same code.
  package var function: String?
  /// The line of source that did it, such as `Model.swift:12`, where the program has a line table.
  package var place: String?
  /// The type of the actor through which it met a task of another run, where it did.
  package var sharedActor: String?
  /// The virtual time at which this was noticed.
  package var time: Duration

  /// Such as `load called usleep, which blocks the thread of the simulation, in Model.load() (Model.swift:12) at 2 s`.
  public var description: String {
    let places = [function, function == nil ? place : place.map { "(\($0))" }].compactMap(\.self)
    return ([task, action] + (places.isEmpty ? [] : ["in"]) + places + ["at", VirtualTime.text(time)]).joined(separator: " ")
  }

  /// The same, and where the task was started.
  var sentence: String { "\(self)" + SimulatedTask.started(origin) }

  /// What a task is called that has no name.
  static let unnamedTask = "a task without a name"
  /// What a task did of which nothing else was seen.
  static let `return` = "came back from another thread"
}

extension SimulationFailure: CustomStringConvertible {
  /// A sentence or two: what happened, to whom, what to do.
  public var description: String {
    let others = ignoredCancellation.isEmpty ? "" : " " + Self.ignored(ignoredCancellation)
    let woken = outsideTasks.isEmpty ? "" : " The run woke what was made outside of it and goes on there: \(Self.list(outsideTasks))."
    var replaced = ""
    if let hookCulprit, case .escaped = reason {
      replaced = " A hook of the Swift runtime was replaced during the run by \(hookCulprit)."
    }
    return "seed \(seed), virtual time \(VirtualTime.text(time)): " + sentence + others + woken + replaced
  }

  /// What is said of a task that neither waits nor sleeps when the body has ended.
  static let runsOn = " runs again and again"

  /// What reads as one sentence still, and how much more there is.
  private static func list(_ phrases: [String]) -> String {
    let more = phrases.count - 20
    return phrases.prefix(20).joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
  }

  /// What to do where runs share an actor.
  private static let sharingAdvice =
    "Give each run an actor of its own, or make the runs that share it exclusive: "
    + ".simulated(seed: 7, exclusive: true)."

  private static func ignored(_ tasks: [String]) -> String {
    let (go, they, were) = tasks.count == 1 ? ("goes", "it", "was") : ("go", "they", "were")
    return "At the end of the run \(list(tasks)) \(go) on though \(they) \(were) cancelled, and "
      + "\(were) left there: end the loop where Task.isCancelled."
  }

  var sentence: String {
    switch reason {
    case .escaped(let escapes):
      "a task left the simulation: \(escapes.map(\.sentence).joined(separator: "; ")). "
        + (escapes.allSatisfy { $0.sharedActor != nil } ? Self.sharingAdvice : SimulationSupport.advice)
    case .stalled(let waiting):
      "nothing can run and no task sleeps, so this would wait for ever: \(Self.list(waiting))."
    case .timeLimit(let limit, let waiting):
      "it did not end within \(VirtualTime.text(limit)) of virtual time (SimulationLimits.time): \(Self.list(waiting))."
    case .neverSettles(let jobs, let awake):
      "\(jobs) jobs ran at one virtual time without coming to rest"
        + (awake.isEmpty ? "." : "; about to run again: \(Self.list(awake)).")
        + " A loop that yields until a time has come needs turns that take time (SimulationLimits.jobCost)."
    case .realTimeLimit(let limit, let waiting):
      "it did not end within \(VirtualTime.text(limit)) of real time (SimulationLimits.realTime)"
        + (waiting.isEmpty ? "." : ": \(Self.list(waiting)).")
    case .blocked(let task, let jobs):
      "\(task) did not return from its job number \(jobs + 1): it blocks its thread, or computes without end. The thread is lost."
    case .unfinished(let asleep, let waiting):
      "the body ended while "
        + Self.list(asleep.map(\.sentence) + waiting.map { $0.hasSuffix(Self.runsOn) ? $0 : "\($0) waits" })
        + ". Cancel what is no longer needed, start it with task(_:atEnd: .cancel), or allow it (SimulationLimits.allowed)."
    case .ignoredCancellation(let tasks): Self.ignored(tasks)
    case .misused(let sentence): sentence + "."
    case .threw(let task, let error): "\(task) threw \(error)."
    }
  }
}
