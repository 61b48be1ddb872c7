import Foundation
import Testing

/// What no source file may do, and what to do instead.
@Suite struct SourceRulesTests {
  struct Rule: Sendable, CustomTestStringConvertible {
    var name: String
    var pattern: String
    var instead: String
    /// Folders below `Sources` that the rule is for.
    var folders: [String]
    /// Files that are the exception.
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
      folders: belowTheCommand + ["HarnessCLI"], exceptions: ["Scanner/LiveLink.swift"]),
    Rule(
      name: "the sockets of daemons are opened in one file", pattern: #"import (Glibc|Dispatch)"#, instead: "use LiveControlLink",
      folders: ["DaemonControl"], exceptions: ["DaemonControl/Links/LiveControlLink.swift"]),
    Rule(
      name: "Foundation is not imported", pattern: #"import Foundation\s*$"#,
      instead: "use FoundationEssentials, and only where files are read", folders: belowTheCommand + ["HarnessCLI"],
      exceptions: [
        "ScanTools/Recordings/Recording.swift", "Harness/Exploration/Batch.swift", "Harness/Exploration/RunRecord.swift",
        "HarnessCLI/Exploring/JournalMerge.swift",
      ]),
    Rule(
      name: "no wall clock", pattern: #"\bDate\(|\bDate\.now|ContinuousClock|SuspendingClock|CLOCK_REALTIME|\btime\(&"#,
      instead: "take a clock, or the times of a scan, from the caller", folders: belowTheCommand,
      // A run with an adapter in it goes at the pace of real time; instants of the standard clocks are printed.
      exceptions: ["Determinism/Simulation/Threads.swift", "Determinism/Exploration/CodeText.swift"]),
    Rule(
      name: "no system generator", pattern: #"SystemRandomNumberGenerator|\.random\((in:|using:|\))|randomElement\(|\.shuffled?\(\)"#,
      instead: "draw from a RandomStream of Determinism", folders: belowTheCommand,
      // The name of a file that another user must not know beforehand.
      exceptions: ["ScanTools/Recordings/Files.swift"]),
    Rule(
      name: "no UUID", pattern: #"\bUUID\("#, instead: "make an identity of content: NetworkID",
      folders: belowTheCommand),
    Rule(
      name: "no real sleep", pattern: #"\b(Task\.sleep|Thread\.sleep|usleep|nanosleep)\b"#,
      instead: "sleep on the clock that the caller gave", folders: belowTheCommand,
      // A run that waits for a task that has left it can only wait in real time.
      exceptions: ["Determinism/Simulation/Threads.swift"]),
    Rule(
      name: "nothing is forced", pattern: #"\btry!|\bas!"#, instead: "throw, or state a precondition with its input",
      folders: belowTheCommand + ["HarnessCLI"]),
  ]

  static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  @Test(arguments: rules)
  func `rule`(rule: Rule) throws {
    let pattern = try Regex(rule.pattern)
    var count = 0
    for folder in rule.folders {
      let files = FileManager.default.enumerator(atPath: Self.sources.appending(path: folder).path)
      while let file = files?.nextObject() as? String {
        guard file.hasSuffix(".swift"), !rule.exceptions.contains("\(folder)/\(file)") else { continue }
        count += 1
        let text = try String(contentsOf: Self.sources.appending(path: "\(folder)/\(file)"), encoding: .utf8)
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
          let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
          #expect(
            code.firstMatch(of: pattern) == nil,
            "Sources/\(folder)/\(file):\(number + 1): \(rule.name). Instead: \(rule.instead).")
        }
      }
    }
    #expect(count > 0)
  }
}
