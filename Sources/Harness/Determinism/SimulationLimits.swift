/// How far a simulation may go before it counts as one that never settles.
public struct SimulationLimits: Hashable, Sendable {
  /// The latest virtual time that it may come to.
  public var time: Duration = .seconds(7 * 24 * 3600)
  /// The most jobs at one virtual time: more means that something runs in a circle.
  public var jobsPerInstant = 1_000_000
  /// How long, in real time, to wait for a task that has left, when everybody else waits.
  public var escapeGrace: Duration = .milliseconds(500)
  /// How time passes.
  public var pace = Pace.virtual

  /// How time passes in a run.
  public enum Pace: Hashable, Sendable {
    /// It jumps to the next deadline whenever nothing is runnable.
    case virtual
    /// As on every other clock: for a run with an adapter, a person or another program in it. Tasks may leave and come
    /// back, and two runs of one seed may differ.
    case real
  }

  /// Whether tasks may still sleep when the run ends.
  public var allowsSleepersAtEnd = false

  /// A week, a million jobs, half a second; nobody may still sleep at the end.
  public init() {}
}
