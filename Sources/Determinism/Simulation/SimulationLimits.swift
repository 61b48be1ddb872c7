/// How far a simulation may go before it counts as one that never settles.
public struct SimulationLimits: Hashable, Sendable {
  /// The latest virtual time that it may come to.
  public var time: Duration = .seconds(7 * 24 * 3600)
  /// The most jobs at one virtual time: more means that something runs in a circle.
  package var jobsPerInstant = 1_000_000
  /// How long the run may take in real time, from outside; `nil` for as long as it takes.
  ///
  /// A job that never returns, because it computes or blocks forever, is given up half a second later, with its
  /// thread; one that has computed for a sixth of this time is given up then. Where `SystemInterposing` is linked the
  /// failure names where it was.
  public var realTime: Duration? = .seconds(60)
  /// How long, in real time, to wait for a task that has left, when all other tasks wait.
  package var escapeGrace: Duration = .milliseconds(500)
  /// How time passes.
  package var pace = Pace.virtual

  /// What may stay inside beside what asks for the simulation's executor and clock; all that this program has.
  package var support = SimulationSupport.linked

  /// How time passes in a run.
  package enum Pace: Hashable, Sendable {
    /// It jumps to the next deadline whenever nothing is runnable.
    case virtual
    /// As on every other clock: for a run with an adapter, a user or another program in it. Tasks may leave and come
    /// back, and two runs of one seed may differ.
    case real
  }

  /// Whether tasks may still sleep or wait when the body of the run ends; they are cancelled then.
  public var allowsUnfinishedTasks = false

  /// A week, a million jobs, a minute of real time, half a second; no task may be unfinished at the end.
  public init() {}

  /// Those of a run that a user waits for and can interrupt: it may take as long as it takes, in real and in virtual
  /// time.
  public static var endless: SimulationLimits {
    var limits = SimulationLimits()
    limits.realTime = nil
    // More than a lifetime, and far from where a sum of durations would overflow.
    limits.time = .seconds(100 * 366 * 86_400)
    return limits
  }
}
