/// How far a simulation may go before it counts as one that never settles.
public struct SimulationLimits: Hashable, Sendable {
  /// The latest virtual time that it may come to.
  public var time: Duration = .seconds(7 * 24 * 3600)
  /// The most jobs at one virtual time: more means that something runs in a circle.
  public var jobsPerInstant = 1_000_000
  /// How much virtual time the turn of a task takes; by default none, so that time stands still while anything can run.
  ///
  /// For loops that only yield until a time has come, such as `while clock.now < deadline { await Task.yield() }`, which
  /// take two turns for each yield. A hop from one isolation to another is no turn, so a seed is the same run in every
  /// build. What wakes meanwhile is runnable at once; what runs behind others at one time sees a later one. A circle is
  /// ended by ``time`` or ``realTime`` then, as no two turns are at one time.
  public var jobCost = Duration.zero
  /// How long the run may take in real time, from outside; `nil` for as long as it takes.
  ///
  /// A job that never returns, because it computes or blocks forever, is given up half a second later, with its
  /// thread; one that has computed for a sixth of this time is given up then. Where `SystemInterposing` is linked the
  /// failure names where it was.
  public var realTime: Duration? = .seconds(60)
  /// How long, in real time, to wait for a task that has left, when all other tasks wait.
  public var escapeGrace: Duration = .milliseconds(500)
  /// How time passes.
  public var pace = Pace.virtual

  /// What may stay inside beside what asks for the simulation's executor and clock; all that this program has.
  public var support = SimulationSupport.linked

  /// How time passes in a run.
  public enum Pace: Hashable, Sendable {
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
