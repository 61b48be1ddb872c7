import Testing

/// Folders of a target stand in one order: each uses those below it.
@Suite struct FolderOrderTests {
  /// Which folder uses which, and one file and name for each.
  private struct Uses {
    var folders: [String: [String: String]] = [:]

    init(_ files: [SourceFile]) {
      var owners: [String: Set<String>] = [:]
      for file in files { for name in file.topLevelTypes { owners[name, default: []].insert(file.folder) } }
      for file in files {
        let own = file.typeNames
        for token in file.tokens where !token.isMember && !own.contains(token.text) {
          guard let owner = owners[token.text], owner.count == 1, let folder = owner.first, folder != file.folder else { continue }
          if folders[file.folder]?[folder] == nil {
            folders[file.folder, default: [:]][folder] = "\(token.text) in \(file.path):\(token.line)"
          }
        }
      }
    }

    /// A way from a folder back to it, or `nil`.
    func circle() -> [String]? {
      for start in folders.keys.sorted() {
        var ways: [[String]] = [[start]]
        var seen: Set<String> = []
        while !ways.isEmpty {
          let way = ways.removeFirst()
          for next in folders[way[way.count - 1], default: [:]].keys.sorted() {
            if next == start { return way + [start] }
            if seen.insert(next).inserted { ways.append(way + [next]) }
          }
        }
      }
      return nil
    }

    func words(_ circle: [String]) -> String {
      zip(circle, circle.dropFirst()).map { "\($0) uses \($1) (\(folders[$0]?[$1] ?? ""))" }.joined(separator: "; ")
    }
  }

  @Test func `no folder is used by one that it uses`() throws {
    let targets = Dictionary(grouping: try SourceFile.sources.get(), by: \.target)
    #expect(targets.count > 12)
    for (target, files) in targets.sorted(by: { $0.key < $1.key }) {
      let uses = Uses(files)
      if let circle = uses.circle() { Issue.record("\(target): \(uses.words(circle)). Move a type to the lower folder.") }
    }
  }

  @Test func `a circle is named with the types that make it`() {
    let uses = Uses([
      SourceFile(path: "Sources/Town/Low/Brick.swift", text: "struct Brick { var house: House }"),
      SourceFile(path: "Sources/Town/High/House.swift", text: "/// Brick\nstruct House { let text = \"Brick \\(Brick.self)\" }"),
    ])
    #expect(uses.circle() == ["High", "Low", "High"])
    #expect(
      uses.circle().map(uses.words)
        == "High uses Low (Brick in Sources/Town/High/House.swift:2); Low uses High (House in Sources/Town/Low/Brick.swift:1)")
  }
}

extension SourceFile {
  static let typeKeywords: Set<String> = ["struct", "enum", "class", "actor", "protocol", "typealias"]

  /// The types that are declared here outside of others.
  var topLevelTypes: Set<String> { names(atTop: true) }

  /// All types that are declared here.
  var typeNames: Set<String> { names(atTop: false) }

  private func names(atTop: Bool) -> Set<String> {
    var names: Set<String> = []
    var depth = 0
    for (token, next) in zip(tokens, tokens.dropFirst()) {
      switch token.text {
      case "{": depth += 1
      case "}": depth -= 1
      case let keyword where Self.typeKeywords.contains(keyword) && (!atTop || depth == 0):
        if next.text.first?.isUppercase == true { names.insert(next.text) }
      default: break
      }
    }
    return names
  }
}
