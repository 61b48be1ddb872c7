public import Determinism

/// Everything that a run did, step by step, as an observer saw it.
public struct RunAccount: Hashable, Sendable {
  /// A step, and all moments until the next.
  public struct Step: Hashable, Sendable {
    /// What was done, in words; `nil` at the beginning.
    public var words: String?
    /// Whether it only asks whether something is so.
    package var isExpectation = false
    /// The line of the file that says so.
    public var line: Int?
    /// When it began.
    public var time: Duration
    /// The moments of rest at which something had happened.
    public var moments: [Moment] = []
    /// What was not as expected at its end, a line each.
    public var failures: [String] = []
    /// What must always hold and did not, where that was asked at its end.
    public var violations: [Violation] = []

    /// The moments, each run of those at which nothing came of a scan in one.
    var stretches: [ArraySlice<Moment>] {
      var stretches: [ArraySlice<Moment>] = []
      var start = moments.startIndex
      while start < moments.endIndex {
        let rest = moments[start...]
        let count = moments[start].isQuiet ? rest.prefix(while: \.isQuiet).count : 1
        stretches.append(rest.prefix(count))
        start += count
      }
      return stretches
    }
  }

  /// A moment of rest, and what had happened since the one before.
  public struct Moment: Hashable, Sendable {
    /// When.
    public var time: Duration
    /// What had happened, in order.
    package var events: [TraceEvent]
    /// What had changed in the state.
    public var changes: [SettingsState.Change]
    /// The state.
    public var state: SettingsState
    /// Whether an attempt to join ran.
    public var isJoining: Bool
    /// What a user saw.
    public var picture: SettingsPicture
    /// Whether that is something else than at the moment before.
    package var showsNews: Bool
    /// What must always hold and did not.
    public var violations: [Violation]

    /// Whether only scans were heard, and nothing came of them.
    var isQuiet: Bool {
      changes.isEmpty && !showsNews && violations.isEmpty && events.allSatisfy { $0.lane == .scanner && $0.line == nil }
    }
  }

  /// The steps, the first of which is the beginning.
  public var steps: [Step] = []

  /// All moments, in order.
  public var moments: [Moment] { steps.flatMap(\.moments) }
}
