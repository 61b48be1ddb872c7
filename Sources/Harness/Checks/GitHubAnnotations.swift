import Determinism

/// Failures as workflow commands of GitHub Actions, which shows each at its line of the scenario
/// (<https://docs.github.com/actions/reference/workflow-commands-for-github-actions>).
public enum GitHubAnnotations {
  /// A line for each failure of a check; none where it passed.
  public static func lines(_ result: CheckResult) -> [String] { result.verdict.sentences.map { line(result, $0) } }

  private static func line(_ result: CheckResult, _ text: String) -> String {
    var properties = ["file=\(property(result.file))"]
    var message = text
    if let (line, column, rest) = place(text, in: result.file) {
      properties += ["line=\(line)", "col=\(column)"]
      message = rest
    }
    properties.append("title=\(property(result.name))")
    return "::error \(properties.joined(separator: ","))::\(data(message))"
  }

  /// The line, the column, and what is said of them, where a text begins with its place.
  private static func place(_ text: String, in file: String) -> (Int, Int, String)? {
    guard text.hasPrefix("\(file):") else { return nil }
    let parts = text.dropFirst(file.count + 1).split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let line = Int(parts[0]), let column = Int(parts[1]), parts[2].hasPrefix(" ") else { return nil }
    return (line, column, String(parts[2].dropFirst()))
  }

  private static func data(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      case "\0"..<" ": "\u{FFFD}"
      default: nil
      }
    }
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
