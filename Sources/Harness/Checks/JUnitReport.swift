import Determinism

/// Verdicts as JUnit XML, as continuous integration reads it.
///
/// Each failure is complete: the sentence, the differences and the line to repeat it. Times are virtual, in
/// seconds.
public enum JUnitReport {
  /// The document of one run of checks.
  public static func xml(_ results: [CheckResult], suite: String = "wifi-harness check") -> String {
    let cases = results.map { result in
      let outcome: JUnit.Outcome =
        switch result.verdict {
        case .passed: .passed
        case .failed(let failures): .failed(failures)
        case .unusable(let problem): .unusable(problem.all.map(\.description))
        }
      return JUnit.Case(group: result.file, name: result.name, time: result.end, outcome)
    }
    return JUnit.xml(cases, suite: suite)
  }
}
