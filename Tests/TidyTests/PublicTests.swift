import Testing

/// What is public has a user outside of its target; all else is `package` or less.
@Suite struct PublicTests {
  /// Libraries that others build on, whose users are not all here: what a test uses may be public too.
  private static let libraries: Set<String> = [
    "DaemonControl", "DaemonProtocols", "DeterminismTesting", "Models", "Observing", "Scanner", "SimulatedSuites", "WiFi",
  ]

  /// The library whose users are other packages alone: an example, a benchmark or an article uses what is public in it.
  private static let forOthers = "Determinism"

  private struct Declaration {
    var name: String
    var place: String
    /// A property of a value that is decoded: all of the value is public.
    var isContent: Bool
  }

  /// The public declarations of a file that have a name, and the lines of all their signatures.
  private static func publicFace(of file: SourceFile) -> (declarations: [Declaration], signatures: [Substring]) {
    let form = /\bpublic\b[^{=]*?\b(struct|enum|class|actor|protocol|typealias|func|var|let) +`?([A-Za-z_]\w*)/
    var (declarations, signatures): ([Declaration], [Substring]) = ([], [])
    var depth = 0
    for (index, line) in file.lines.enumerated() {
      let text = line.drop { $0 == " " }
      if depth == 0, text.hasPrefix("//") || text.isEmpty { continue }
      let code = line.firstRange(of: " // ").map { line[..<$0.lowerBound] } ?? line
      if depth == 0, code.contains("public "), !code.contains("import ") {
        if let match = code.firstMatch(of: form) {
          let isContent = file.target == "WiFi" && (match.1 == "var" || match.1 == "let") && !code.contains(/\bstatic\b/)
          declarations.append(Declaration(name: String(match.2), place: "\(file.path):\(index + 1)", isContent: isContent))
          signatures.append(code[match.range.upperBound...])
        } else {
          signatures.append(code)
        }
        depth = max(0, code.count { $0 == "(" } - code.count { $0 == ")" })
      } else if depth > 0 {
        signatures.append(code)
        depth = max(0, depth + code.count { $0 == "(" } - code.count { $0 == ")" })
      } else if ["case ", "->", "where "].contains(where: text.hasPrefix) {
        signatures.append(code)
      }
    }
    return (declarations, signatures)
  }

  /// The names in the bodies of protocols: who conforms has to declare them.
  private static func requirements(of file: SourceFile) -> Set<String> {
    var names: Set<String> = []
    var isInside = false
    for line in file.lines {
      if line.contains("protocol "), line.hasSuffix("{") { isInside = true }
      if line.hasPrefix("}") { isInside = false }
      if isInside, line.contains("func ") || line.contains("var "), let match = line.firstMatch(of: /\b(func|var) (\w+)/) {
        names.insert(String(match.2))
      }
    }
    return names
  }

  private static func words(_ files: [SourceFile]) -> Set<String> { Set(files.flatMap(\.tokens).map(\.text)) }

  /// What is public in a target and has no user in the other files.
  private static func unused(in target: [SourceFile], users: [SourceFile], articles: Set<String> = []) -> [Declaration] {
    let faces = target.map(publicFace)
    let used = words(users).union(articles)
      .union(words(faces.map { SourceFile(path: "", text: $0.signatures.joined(separator: "\n")) }))
      .union(target.flatMap(requirements))
    return faces.flatMap(\.declarations).filter { !$0.isContent && !used.contains($0.name) && !DeclarationTests.required.contains($0.name) }
  }

  @Test func `what is public is used from outside`() throws {
    let sources = try SourceFile.sources.get()
    let tests = try SourceFile.all(in: ["Tests"])
    let others = try SourceFile.all(in: ["Examples", "Benchmarks", "Fuzz"])
    // A comment that links to a declaration explains it to a reader of the documentation.
    let articles: [Substring] = try SourceFile.all(in: ["Sources", "docs"], ending: [".md"]).flatMap { $0.lines }
    let texts = articles + sources.flatMap { file in file.lines.filter { $0.contains("``") } }
    let named = Set(texts.flatMap { text in text.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }.map(String.init))
    for target in Set(sources.map(\.target)).sorted() {
      let own = sources.filter { $0.target == target }
      let ours = target == Self.forOthers ? [] : sources.filter { $0.target != target }
      let users = ours + others + (Self.libraries.contains(target) ? tests : [])
      for declaration in Self.unused(in: own, users: users, articles: named) {
        Issue.record("\(declaration.place): nothing outside of \(target) uses \(declaration.name). Make it package, or take it out.")
      }
    }
  }

  @Test func `a public name that nothing outside uses is found`() {
    let target = SourceFile(
      path: "Sources/A/B.swift",
      text: """
        public struct Used {
          public var asked: Asked
          public var dead = 1
          package var inside = dead
          public func called(by mentioned: Mentioned) {}
          public static func < (left: Used, right: Used) -> Bool { true }
        }
        public struct Asked {}
        public struct Mentioned {}
        public struct Alone {}
        public protocol Required { func required() }
        public protocol Long {
          func requirement()
        }
        public func requirement() {}
        """)
    let user = SourceFile(path: "Sources/C/D.swift", text: "Used().called(); a.asked; Required.self; required(); Long.self")
    #expect(Self.unused(in: [target], users: [user]).map(\.place) == ["Sources/A/B.swift:3", "Sources/A/B.swift:10"])
  }
}
