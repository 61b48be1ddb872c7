import WiFi

/// Verdicts as JUnit XML, as continuous integration reads it.
///
/// Each failure is complete: the sentence, the differences and the line to repeat it. Times are virtual, in
/// seconds.
public enum JUnitReport {
  /// The document of one run of checks.
  public static func xml(_ results: [CheckResult], suite: String = "wifi-harness check") -> String {
    let failures = results.count { if case .failed = $0.verdict { true } else { false } }
    let errors = results.count { if case .unusable = $0.verdict { true } else { false } }
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    let counts = #"tests="\#(results.count)" failures="\#(failures)" errors="\#(errors)" skipped="0""#
    lines.append("<testsuites \(counts)>")
    lines.append(#"  <testsuite name="\#(attribute(suite))" \#(counts)>"#)
    for result in results {
      let name =
        #"name="\#(attribute(result.name))" classname="\#(attribute(result.file))" time="\#(seconds(result.end))""#
      switch result.verdict {
      case .passed: lines.append("    <testcase \(name)/>")
      case .failed(let failures): lines += element("failure", name, failures)
      case .unusable(let problem): lines += element("error", name, problem.all.map(\.description))
      }
    }
    lines += ["  </testsuite>", "</testsuites>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func element(_ element: String, _ name: String, _ texts: [String]) -> [String] {
    let message = texts.first.map(headline) ?? ""
    let body = text(texts.joined(separator: "\n"))
    return [
      "    <testcase \(name)>", #"      <\#(element) message="\#(attribute(message))">\#(body)</\#(element)>"#, "    </testcase>",
    ]
  }

  /// The sentence that a failure begins with; with the first cause where it only announces causes.
  private static func headline(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let first = lines.first else { return "" }
    guard first.last == ":", lines.count > 1 else { return String(first) }
    return "\(first) \(lines[1].drop { $0 == " " })"
  }

  private static func seconds(_ time: Duration) -> String {
    let milliseconds = String(time.wholeMilliseconds % 1000)
    return "\(time.wholeMilliseconds / 1000)." + String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
  }

  private static func attribute(_ value: String) -> String {
    // Scalar by scalar: a quotation mark with a combining character behind it is one character, and another one.
    var result = ""
    for scalar in text(value).unicodeScalars {
      switch scalar {
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      case "\t": result += "&#9;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Text that XML 1.0 allows: the five characters escaped, and every control character but line feed and tab as its
  /// picture (U+2400 and on).
  private static func text(_ value: String) -> String {
    var result = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case "\0"..<" ": result.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value)).picture)
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// The picture of a control character.
  fileprivate var picture: Unicode.Scalar { Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}" }
}
