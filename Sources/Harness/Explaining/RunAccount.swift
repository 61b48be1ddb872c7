/// Everything that a run did, step by step, as somebody tells it who looked on.
public struct RunAccount: Hashable, Sendable {
  /// A step, and all moments until the next.
  public struct Step: Hashable, Sendable {
    /// What was done, in words; `nil` at the beginning.
    public var words: String?
    /// Whether it only asks whether something is so.
    public var isExpectation = false
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
  }

  /// A moment of rest, and what had happened since the one before.
  public struct Moment: Hashable, Sendable {
    /// When.
    public var time: Duration
    /// What had happened, in order.
    public var events: [TraceEvent]
    /// What had changed in the state.
    public var changes: [SettingsState.Change]
    /// The state.
    public var state: SettingsState
    /// Whether an attempt to join ran.
    public var isJoining: Bool
    /// What somebody saw.
    public var picture: ScreenPicture
    /// Whether that is something else than at the moment before.
    public var showsNews: Bool
    /// What must always hold and did not.
    public var violations: [Violation]
  }

  /// The steps, the first of which is the beginning.
  public var steps: [Step] = []

  /// All moments, in order.
  public var moments: [Moment] { steps.flatMap(\.moments) }
}
