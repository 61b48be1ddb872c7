import Testing

/// A type is found by the name of its file.
@Suite struct PlacesTests {
  private static let kinds = SourceFile.typeKeywords.subtracting(["typealias"])
  /// From so many lines on a type has a file of its own.
  private static let length = 50

  /// Types of a file, beside others and inside none, that others of the target may use, with their lines.
  private static func types(_ file: SourceFile) -> [(name: String, length: Int)] {
    var types: [(name: String, length: Int)] = []
    var depth = 0
    var open: (name: String, line: Int)?
    for (index, token) in file.tokens.enumerated() {
      if depth == 0, kinds.contains(token.text), !token.isMember, index + 1 < file.tokens.count {
        let line = file.tokens.prefix(index).reversed().prefix { $0.line == token.line }
        let isPrivate = line.contains { ["private", "fileprivate"].contains($0.text) }
        open = isPrivate ? nil : (file.tokens[index + 1].text, token.line)
      }
      if token.text == "{" { depth += 1 }
      if token.text == "}" {
        depth -= 1
        if depth == 0, let (name, line) = open { types.append((name, token.line - line + 1)) }
        if depth == 0 { open = nil }
      }
    }
    return types
  }

  /// Those that a reader would not find.
  private static func misplaced(_ files: [SourceFile]) -> [String] {
    files.flatMap { file in
      let name = file.path.split(separator: "/").last?.prefix { $0 != "." && $0 != "+" }
      return types(file).filter { $0.length >= length && $0.name != name ?? "" }.map { "\(file.path): \($0.name), \($0.length) lines" }
    }
  }

  @Test func `a long type has a file of its name`() throws {
    for place in Self.misplaced(try SourceFile.sources.get()) {
      Issue.record("\(place): move it to a file of its name, as it has \(Self.length) lines or more.")
    }
  }

  @Test func `a long type in a file of another name is found`() {
    let body = String(repeating: "  // A line.\n", count: Self.length - 2)
    func file(_ name: String, _ text: String) -> SourceFile { SourceFile(path: "Sources/WiFi/\(name).swift", text: text) }
    #expect(Self.misplaced([file("A", "struct A {\n\(body)}\npublic struct B {\n\(body)}\n")]) == ["Sources/WiFi/A.swift: B, 50 lines"])
    #expect(Self.misplaced([file("A+B", "struct A {\n\(body)}\nprivate struct C {\n\(body)}\nstruct D {}\n")]).isEmpty)
    #expect(Self.misplaced([file("A", "extension A {\n  struct C {\n\(body)  }\n}\n")]).isEmpty)
  }
}
