import Testing

/// What no source file may do, and what to do instead.
@Suite struct SourceRulesTests {
  struct Rule: Sendable, CustomTestStringConvertible {
    var name: String
    var pattern: String
    var instead: String
    /// Folders below `Sources` that the rule is for.
    var folders: [String]
    /// Files that do it, for a reason.
    var exceptions: [String] = []
    var testDescription: String { name }
  }

  static let belowTheCommand = [
    "Determinism", "Observing", "WiFi", "Scanner", "DaemonProtocols", "DaemonControl", "Simulator", "Models", "Terminal", "Page",
    "PageServer", "ScanTools",
    "Harness",
  ]

  static let rules = [
    Rule(
      name: "the facts import nothing", pattern: #"^\s*(public |internal |private |@_\w+ )*import "#,
      instead: "WiFi builds wherever Swift does: move what needs an import to the target that may have it",
      folders: ["WiFi"]),
    Rule(
      name: "libnl is imported in one file", pattern: #"import CNetlink"#, instead: "use LiveLink",
      folders: belowTheCommand + ["HarnessCLI"], exceptions: ["Sources/Scanner/LiveLink.swift"]),
    Rule(
      name: "the sockets of daemons are opened in one file", pattern: #"import (Glibc|Dispatch)"#, instead: "use LiveControlLink",
      folders: ["DaemonControl"], exceptions: ["Sources/DaemonControl/Links/LiveControlLink.swift"]),
    Rule(
      name: "Foundation is not imported", pattern: #"import Foundation\s*$"#,
      instead: "use FoundationEssentials, and only where files are read", folders: belowTheCommand + ["HarnessCLI"]),
    Rule(
      name: "no wall clock", pattern: #"\bDate\(|\bDate\.now|ContinuousClock|SuspendingClock|CLOCK_REALTIME|\btime\(&"#,
      instead: "take a clock, or the times of a scan, from the caller", folders: belowTheCommand,
      // Instants of the standard clocks are printed.
      exceptions: ["Sources/Determinism/Exploration/CodeText.swift"]),
    Rule(
      name: "no system generator", pattern: #"SystemRandomNumberGenerator|\.random\((in:|using:|\))|randomElement\(|\.shuffled?\(\)"#,
      instead: "draw from a RandomStream of Determinism", folders: belowTheCommand,
      // The name of a file that another user must not know beforehand.
      exceptions: ["Sources/ScanTools/Recordings/Files.swift"]),
    Rule(
      name: "no UUID", pattern: #"\bUUID\("#, instead: "make an identity of content: NetworkID",
      folders: belowTheCommand),
    Rule(
      name: "no real sleep", pattern: #"\b(Task\.sleep|Thread\.sleep|usleep|nanosleep)\b"#,
      instead: "sleep on the clock that the caller gave", folders: belowTheCommand,
      // A run that waits for a task that has left it can only wait in real time.
      exceptions: ["Sources/Determinism/Simulation/Threads.swift"]),
    Rule(
      name: "nothing is forced", pattern: #"\btry!|\bas!"#, instead: "throw, or state a precondition with its input",
      folders: belowTheCommand + ["HarnessCLI"]),
  ]

  @Test(arguments: rules)
  func `rule`(rule: Rule) throws {
    let pattern = try Regex(rule.pattern)
    let texts = try SourceFile.texts(in: rule.folders.map { "Sources/\($0)" }, ending: [".swift"])
    #expect(!texts.isEmpty)
    var excepted: Set<String> = []
    for (path, text) in texts {
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
        guard code.firstMatch(of: pattern) != nil else { continue }
        if rule.exceptions.contains(path) {
          excepted.insert(path)
        } else {
          Issue.record("\(path):\(number + 1): \(rule.name). Instead: \(rule.instead).")
        }
      }
    }
    #expect(excepted == Set(rule.exceptions), "an exception that does it no more: take it out")
  }
}
