import Foundation
import Testing

/// A word of the glossary means one thing: the types that carry it are where that thing is.
@Suite struct NamesTests {
  /// Words in names of types, and the folders of what the glossary says of them (`docs/architecture.md`, *Words*).
  private static let homes: [String: [String]] = [
    "Association": ["DaemonControl/Driving", "DaemonControl/Joining", "DaemonControl/Watching", "Harness/Scenarios", "WiFi/Source"],
    "Link": ["DaemonControl/Links", "DaemonProtocols/Conversation", "Harness/Worlds", "Scanner", "Simulator", "WiFi/Source"],
    "Page": ["Harness/Fixture", "Page", "PageServer"],
    "Panel": ["Harness/Fixture", "HarnessCLI/Panel", "Models/Panel", "Terminal"],
    "Report": [
      "DaemonControl/Known", "DaemonControl/Values", "Harness/Checks", "Harness/Exploration", "ScanTools",
      "SimulatedTests/Judging", "Simulator/Statistics",
    ],
    "Screen": ["Terminal/Panel"],
    "World": ["Harness", "HarnessCLI", "Simulator"],
  ]

  /// Names of others, which have such a word: the standard's elements, file formats, and what phones call it.
  private static let terms: Set<String> = ["DeepLink", "LinkType", "MultiLink"]

  /// The words of a name, such as `IWD`, `Association` and `Session`.
  private static func words(_ name: String) -> [String] {
    name.matches(of: /[A-Z][a-z0-9]+|[A-Z]+(?![a-z])/).map { String($0.output) }
  }

  private static func misplaced(_ files: [SourceFile]) -> [String] {
    var found: [String] = []
    for file in files where !file.path.hasPrefix("Sources/WiFi/Elements") {
      for (token, next) in zip(file.tokens, file.tokens.dropFirst()) where SourceFile.typeKeywords.contains(token.text) && !token.isMember {
        guard token.line == next.line, !terms.contains(where: next.text.hasPrefix) else { continue }
        for word in words(next.text) {
          guard let homes = homes[word], !homes.contains(where: { file.path.hasPrefix("Sources/\($0)/") }) else { continue }
          found.append("\(file.path):\(next.line): \(next.text)")
        }
      }
    }
    return found
  }

  @Test func `a word in the name of a type has the meaning of the glossary`() throws {
    for place in Self.misplaced(try SourceFile.sources.get()) {
      Issue.record("\(place): the word has another meaning here than in docs/architecture.md. Choose another, or its folder.")
    }
  }

  @Test func `each word is in the glossary`() throws {
    let page = try String(contentsOf: SourceFile.root.appending(path: "docs/architecture.md"), encoding: .utf8)
    for word in Self.homes.keys { #expect(page.contains("\n| \(word.lowercased()) |"), "\(word)") }
  }

  @Test func `a type with a word of another folder is found`() {
    let file = SourceFile(
      path: "Sources/DaemonControl/Watching/A.swift", text: "struct LinkTracker {}\nenum LinkType {}\nstruct AssociationTracker {}")
    #expect(Self.misplaced([file]) == ["Sources/DaemonControl/Watching/A.swift:1: LinkTracker"])
  }
}
