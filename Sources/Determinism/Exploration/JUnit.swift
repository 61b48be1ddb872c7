/// Verdicts as JUnit XML, as continuous integration reads it: each failure complete, times in seconds.
package enum JUnit {
  package struct Case {
    var group, name: String
    var time: Duration
    var outcome: Outcome

    package init(group: String, name: String, time: Duration, _ outcome: Outcome) {
      (self.group, self.name, self.time, self.outcome) = (group, name, time, outcome)
    }
  }

  package enum Outcome {
    case passed
    case skipped(String)
    /// A failure of a kind, in sentences.
    case failed([String], kind: String? = nil)
    /// A case that could not be run.
    case unusable([String])
  }

  /// The document of one run.
  package static func xml(_ cases: [Case], suite: String) -> String {
    let failures = cases.count { if case .failed = $0.outcome { true } else { false } }
    let errors = cases.count { if case .unusable = $0.outcome { true } else { false } }
    let skipped = cases.count { if case .skipped = $0.outcome { true } else { false } }
    let counts = #"tests="\#(cases.count)" failures="\#(failures)" errors="\#(errors)" skipped="\#(skipped)""#
    let lines =
      [
        #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites \(counts)>",
        #"  <testsuite name="\#(attribute(suite))" \#(counts)>"#,
      ] + cases.flatMap(lines) + ["  </testsuite>", "</testsuites>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ one: Case) -> [String] {
    let opening =
      #"    <testcase name="\#(attribute(one.name))" classname="\#(attribute(one.group))" time="\#(seconds(one.time))""#
    func lines(_ element: String, _ texts: [String], attributes: String = "") -> [String] {
      let body = text(texts.joined(separator: "\n"))
      let message = attribute(texts.first.map(headline) ?? "")
      return ["\(opening)>", #"      <\#(element)\#(attributes) message="\#(message)">\#(body)</\#(element)>"#, "    </testcase>"]
    }
    return switch one.outcome {
    case .passed: ["\(opening)/>"]
    case .skipped(let reason): lines("skipped", [reason])
    case .failed(let texts, let kind): lines("failure", texts, attributes: kind.map { #" type="\#(attribute($0))""# } ?? "")
    case .unusable(let texts): lines("error", texts)
    }
  }

  /// The sentence that a failure begins with; with the first cause where it only announces causes.
  private static func headline(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let first = lines.first else { return "" }
    guard first.last == ":", lines.count > 1 else { return String(first) }
    return "\(first) \(lines[1].drop { $0 == " " })"
  }

  private static func seconds(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let milliseconds = String(attoseconds / 1_000_000_000_000_000)
    return "\(seconds)." + String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
  }

  private static func attribute(_ value: String) -> String {
    text(value).replacingScalars { scalar in
      switch scalar {
      case "\"": "&quot;"
      case "\n": "&#10;"
      case "\t": "&#9;"
      default: nil
      }
    }
  }

  /// Text that XML 1.0 allows: the five characters escaped, and every control character but line feed and tab as its
  /// picture (U+2400 and on).
  private static func text(_ value: String) -> String {
    value.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\n", "\t": nil
      case "\0"..<" ": String(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: nil
      }
    }
  }
}
