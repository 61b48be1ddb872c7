import Determinism
import WiFi

/// Verdicts for programs and for the page of a pull request.
public struct CheckSummary: Sendable {
  private let results: [CheckResult]

  /// Summarises results.
  public init(_ results: [CheckResult]) { self.results = results }

  /// One verdict as a line of JSON, schema `wifi-harness/check-result/1`.
  ///
  /// - Parameter withTrace: whether the trace of the run is in it.
  public static func line(_ result: CheckResult, withTrace: Bool = false) -> [UInt8] {
    FieldWriter.bytes { fields in
      fields.field("schema", "wifi-harness/check-result/1")
      fields.field("file", result.file)
      fields.field("name", result.name)
      fields.field("verdict", result.verdict.word)
      fields.field("failures", result.verdict.sentences)
      fields.field("hash", TraceHash.text(result.hash))
      fields.field("endNs", result.end.wholeNanoseconds)
      fields.field("updated", result.isUpdated)
      if withTrace { fields.field("trace", result.trace) }
    }
  }

  /// All verdicts: what failed in a table, what passed in a number.
  public var markdown: String {
    let bad = results.filter { $0.verdict != .passed }
    var lines = ["## wifi-harness check", "", "\(results.count - bad.count) of \(results.count) scenarios passed."]
    if !bad.isEmpty {
      lines += ["", "| scenario | verdict | what |", "| --- | --- | --- |"]
      for result in bad {
        let first = result.verdict.sentences.first?.split(separator: "\n").first.map(String.init) ?? ""
        lines.append("| \(MarkdownText.cell(result.file)) | \(result.verdict.word) | \(MarkdownText.cell(first)) |")
      }
      for result in bad {
        let text = result.verdict.sentences.joined(separator: "\n")
        guard text.contains("\n") else { continue }
        lines += ["", "<details><summary>\(MarkdownText.cell(result.name))</summary>", "", MarkdownText.block(text), "", "</details>"]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension CheckResult.Verdict {
  fileprivate var word: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .unusable: "unusable"
    }
  }

  /// What was not met, or why it could not be checked.
  var sentences: [String] {
    switch self {
    case .passed: []
    case .failed(let failures): failures
    case .unusable(let problem): problem.all.map(\.description)
    }
  }
}

/// Text that others control, in Markdown.
enum MarkdownText {
  /// In a cell of a table or a line: nothing in it is markup, and nothing ends the cell.
  static func cell(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#": result += "\\\(scalar)"
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      // No mention of a user, no automatic link.
      case "@": result += "&#64;"
      case ":" where result.hasSuffix("http") || result.hasSuffix("https"): result += "&#58;"
      default:
        if PrintableText.mustEscape(scalar) {
          result += "\\" + PrintableText.escaped(scalar).replacing("\\", with: "\\\\").dropFirst()
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  /// As it is, in a block that nothing in it ends.
  static func block(_ text: String) -> String {
    var fence = "```"
    while text.contains(fence) { fence += "`" }
    return "\(fence)text\n\(PrintableText.escapeLines(text))\n\(fence)"
  }
}
