/// The result of one check.
public struct CheckResult: Hashable, Sendable {
  /// The kinds of outcome.
  public enum Verdict: Hashable, Sendable {
    /// All expectations were met.
    case passed
    /// Something was not met; each text is a sentence, perhaps with lines of detail.
    case failed([String])
    /// It could not be checked at all.
    case unusable(ScenarioProblem)
  }

  /// What was checked.
  public var name: String
  /// Its file.
  public var file: String
  /// What became of it.
  public var verdict: Verdict
  /// The trace of the run.
  public var trace: [String] = []
  /// The hash of the trace.
  public var hash: UInt64 = 0
  /// The virtual time at the end.
  public var end: Duration = .zero
  /// Whether a golden trace was written.
  package var isUpdated = false

  /// An outcome without a run.
  public init(name: String, file: String, verdict: Verdict) {
    self.name = name
    self.file = file
    self.verdict = verdict
  }
}
