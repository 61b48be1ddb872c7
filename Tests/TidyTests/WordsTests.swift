import Foundation
import Testing

/// Comments, messages and names use the words of the field, and comments fit beside the code.
@Suite struct WordsTests {
  /// What not to write, in lower case, and what to write instead.
  private static let words: [String: String] = [
    "anybody": "name the actor: any user, any program, any station",
    "come to rest": "at rest, quiescent",
    "comes to rest": "at rest, quiescent",
    "curtain": "start or end of the observation",
    "deed": "action, step",
    "deeds": "action, step",
    "everybody": "name the actors: all users, all stations",
    "it is so": "OK, met",
    "must hold": "property, invariant",
    "nobody": "no user, no task, no program; or the fact itself: unknown, unused, not configured",
    "not so": "not met, otherwise",
    "onlooker": "observer",
    "onlookers": "observer",
    "somebody": "name the actor: user, caller, task, program",
    "stories": "run",
    "story": "run, scenario",
    "strangers": "other programs, other networks",
    "tell": "report, announce, print, write, distinguish",
    "teller": "generator, worker",
    "tellers": "generator, worker",
    "telling": "report, run, replay",
    "tells": "reports, announces, prints, writes, distinguishes",
    "told": "reported, notified, asked, known, distinguished",
    "trouble": "violation, error, failure",
    "whoever": "name the actor: the caller, the program that",
    "a action": "an action",
    "an byte": "a byte",
    "an step": "a step",
  ]

  /// Where such a word is one of another program, or a name: the file below `Sources`, and text of the line.
  private static let exceptions: [(file: String, text: String)] = [
    // Golden traces have this sentence.
    ("WiFi/Source/NetworkJoiner.swift", "nobody waited for it any more"),
    ("Simulator/Preview/PreviewNetwork.swift", "Tell My Wi-Fi Love Her"),
    // What seeds draw depends on the name of the stream.
    ("Determinism/Exploration/ExploredRun.swift", "RandomStream(seed: seed, name: \"story\")"),
  ]

  private static let phrases: [(words: [String], instead: String)] = words.map {
    ($0.key.split(separator: " ").map(String.init), $0.value)
  }

  private static let phrasesByFirstWord = Dictionary(grouping: phrases) { $0.words[0] }

  private struct Finding: Equatable {
    /// From 1.
    var line: Int
    var phrase: String
  }

  /// The words of a line in lower case; a name such as `isTold`, `is_told` or `MACAddress` is read as its words.
  private static func words(of line: Substring) -> [String] {
    let bytes = Array(line.utf8)
    func isUpper(_ index: Int) -> Bool { bytes.indices.contains(index) && (0x41...0x5A).contains(bytes[index]) }
    func isLower(_ index: Int) -> Bool { bytes.indices.contains(index) && ((0x61...0x7A).contains(bytes[index]) || bytes[index] >= 0x80) }
    var words: [[UInt8]] = [[]]
    for (index, byte) in bytes.enumerated() {
      guard isUpper(index) || isLower(index) else {
        // A mark ends a phrase; a space, or what joins the words of a name, does not.
        words += [",.;:".utf8.contains(byte) ? [byte] : [], []]
        continue
      }
      if isUpper(index), isLower(index - 1) || isLower(index + 1) { words.append([]) }
      words[words.count - 1].append(isUpper(index) ? byte | 0x20 : byte)
    }
    return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func findings(_ file: SourceFile) -> [Finding] {
    let excepted = exceptions.filter { "Sources/\($0.file)" == file.path }.map(\.text)
    var findings: [Finding] = []
    for (index, line) in file.lines.enumerated() where !excepted.contains(where: line.contains) {
      let words = Self.words(of: line)
      for (position, word) in words.enumerated() {
        for phrase in phrasesByFirstWord[word] ?? [] where words[position...].starts(with: phrase.words) {
          findings.append(Finding(line: index + 1, phrase: phrase.words.joined(separator: " ")))
        }
      }
    }
    return findings
  }

  /// The lines, from 1, of comments with more than 120 columns.
  private static func wideComments(_ file: SourceFile) -> [Int] {
    file.lines.enumerated().filter { _, line in
      let text = line.drop { $0 == " " }
      return (text.starts(with: "//") || text.starts(with: "/*") || text.starts(with: "* ")) && line.count > 120
    }.map { $0.offset + 1 }
  }

  private static func files() throws -> [SourceFile] {
    try SourceFile.all(in: ["Sources"], ending: [".swift", ".c", ".h", ".md", ".js", ".css", ".html"])
  }

  @Test func `no line of Sources has a word that the field has a better one for`() throws {
    let files = try Self.files()
    for file in files {
      for finding in Self.findings(file) {
        Issue.record("\(file.path):\(finding.line): “\(finding.phrase)”. Instead: \(Self.words[finding.phrase] ?? "").")
      }
    }
    for (name, text) in Self.exceptions
    where !files.contains(where: { $0.path == "Sources/\(name)" && $0.lines.contains { $0.contains(text) } }) {
      Issue.record("Sources/\(name) has no line with “\(text)”: take it out of the exceptions.")
    }
  }

  @Test func `comments keep to 120 columns`() throws {
    for file in try Self.files() where !file.path.hasSuffix(".md") {
      for line in Self.wideComments(file) { Issue.record("\(file.path):\(line): this comment has more than 120 columns. Wrap it.") }
    }
  }

  @Test(arguments: words.keys.sorted())
  func `a word is found in a comment, in a message and in a name`(phrase: String) {
    let name = phrase.split(separator: " ").map(\.capitalized).joined()
    let file = SourceFile(
      path: "Sources/A/B.swift",
      text: """
        // Only words: foretells, retold, toldest, untroubled; as it is, so it stays.
        /// What \(phrase), for instance.
        throw "\(phrase.capitalized)"
        let is\(name)Here = 1
        let \(phrase.replacing(" ", with: "_"))_here = 1
        """)
    #expect(Self.findings(file) == (2...5).map { Finding(line: $0, phrase: phrase) })
  }

  @Test func `a comment of 121 columns is wide, and code is not looked at`() {
    let narrow = "  /// " + String(repeating: "ä", count: 114)
    let file = SourceFile(path: "Sources/A/B.swift", text: [narrow, narrow + "x", "let x = 1  " + narrow].joined(separator: "\n"))
    #expect(Self.wideComments(file) == [2])
  }
}
