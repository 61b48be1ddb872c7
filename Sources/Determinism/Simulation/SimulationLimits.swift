/// How far a simulation may go before it counts as one that never settles.
public struct SimulationLimits: Hashable, Sendable {
  /// The latest virtual time that it may come to.
  public var time: Duration = .seconds(7 * 24 * 3600)
  /// The most jobs at one virtual time: more means that something runs in a circle.
  package var jobsPerInstant = 1_000_000
  /// How much virtual time the turn of a task takes; by default none, so that time stands still while anything can run.
  ///
  /// For loops that only yield until a time has come, such as `while clock.now < deadline { await Task.yield() }`,
  /// which take two turns for each yield. A hop from one isolation to another is no turn, so a seed is the same run in
  /// every build. What wakes meanwhile is runnable at once; what runs behind others at one time sees a later one. A
  /// circle is ended by ``time`` or ``realTime`` then, as no two turns are at one time.
  public var jobCost = Duration.zero
  /// How long the run may take in real time, from outside; `nil` for as long as it takes.
  ///
  /// While the whole process is stopped, or gets no processor, little of this time passes.
  /// A job that never returns, because it computes or blocks forever, is given up half a second later, with its
  /// thread; one that has computed for a fifteenth of this time (4 s of the 60; of less, at most a sixth) is given up
  /// then. Where `SystemInterposing` is linked the failure names where it was.
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

  /// What may leave the run, or be left at its end, though the run would fail for it.
  public var allowed: Set<Allowance> = []

  /// Something that a test knows, and for which its run does not fail.
  ///
  /// What is allowed happens all the same, in real time where it is elsewhere: allow what never matters, such as a
  /// source of Dispatch that waits for a signal as long as a program runs. Nothing is said where it does not happen.
  public enum Allowance: Hashable, Sendable, ExpressibleByStringLiteral {
    /// What is reported with this text: by the name of a task or the line that started it, the type of an actor, a
    /// function, its line, or what it did; a literal is this. It is for what leaves and for a task that still sleeps or
    /// waits when the body of the run ends, which is cancelled then.
    ///
    /// Where a task leaves in a way that is allowed it may come back, too.
    case named(String)
    /// Every task may still sleep or wait when the body of the run ends, and is cancelled then.
    case unfinishedTasks

    /// What is reported with this text.
    public init(stringLiteral text: String) { self = .named(text) }
  }

  /// The usual limits, with all this allowed: `.simulated(seed: 7, limits: .allowing("UnixSignals"))`.
  public static func allowing(_ allowed: Allowance...) -> SimulationLimits {
    var limits = SimulationLimits()
    limits.allowed = Set(allowed)
    return limits
  }

  /// Whether a report of this text is allowed.
  func allows(_ text: @autoclosure () -> String) -> Bool {
    let names = allowed.compactMap { if case .named(let name) = $0, !name.isEmpty { name } else { nil } }
    if names.isEmpty { return false }
    let text = text()
    return names.contains { text.contains($0) }
  }

  /// A week, a million jobs, a minute of real time, half a second; nothing is allowed.
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
