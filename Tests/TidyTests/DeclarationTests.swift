import Testing

/// Every declaration is used by something, and every file can be read in one go.
@Suite struct DeclarationTests {
  /// Names that are required by protocols of others: nothing here calls them.
  static let required: Set<String> = [
    // Swift and its libraries.
    "waitInTurn", "waitByHand", "beginToBeLookedAt", "replaceInTables",
    "advanced", "callAsFunction", "checkIsolated", "customMirror", "isIsolatingCurrentContext", "isRecursive",
    "minimumResolution", "setDefaultExecutor",
    // ArgumentParser.
    "SimulatedTests", "WiFiHarness", "defaultValueDescription",
    // XCTest.
    "addTeardownBlock", "asyncTest", "invokeTest", "recordFailure",
    // SwiftNIO.
    "InboundIn", "OutboundOut", "channelInactive", "channelRead", "channelWritabilityChanged", "errorCaught", "handlerAdded",
    "handlerRemoved",
  ]

  /// Files of more than 500 lines, and why each stays whole.
  private static let longFiles: [String: String] = [
    "Sources/DaemonControl/Joining/NetworkManagerSession.swift": "one conversation with all its phases",
    "Sources/DaemonControl/Joining/SupplicantSession.swift": "one conversation with all its phases",
    "Sources/Determinism/Simulation/VirtualExecutor.swift": "one executor: its queue, its tasks and its end share their state",
    "Sources/Page/Assets/page.js": "one script, which the page loads whole",
    "Sources/Preload/preload.c": "one library that stands in for libc",
    "Sources/Simulator/Daemons/SimulatedIWD.swift": "one daemon",
    "Sources/Simulator/Daemons/SimulatedNetworkManager.swift": "one daemon",
    "Sources/Simulator/Daemons/SimulatedSupplicant.swift": "one daemon",
    "Sources/SystemInterposing/SystemInterposing.c": "one table of the functions of libc that it stands in for",
  ]

  private struct Declaration {
    var name: String
    var place: String
  }

  /// What a file declares by a name: types, functions, and properties outside of functions.
  private static func declarations(_ file: SourceFile) -> [Declaration] {
    var declarations: [Declaration] = []
    // For each open brace whether it is that of a type.
    var isType: [Bool] = []
    var opensType = false
    for (index, token) in file.tokens.enumerated().dropLast() {
      let next = file.tokens[index + 1]
      switch token.text {
      case "{":
        isType.append(opensType)
        opensType = false
      case "}": _ = isType.popLast()
      case "struct", "enum", "class", "actor", "protocol", "typealias", "func", "var", "let", "extension":
        guard !token.isMember, next.text != "func", next.text != "var", isType.last ?? true else { continue }
        let isDeclaredType = SourceFile.typeKeywords.contains(token.text)
        opensType = isDeclaredType && token.text != "typealias" || token.text == "extension"
        if token.text != "extension" { declarations.append(Declaration(name: next.text, place: "\(file.path):\(next.line)")) }
      default: break
      }
    }
    return declarations
  }

  private static func unused(_ sources: [SourceFile], _ all: [SourceFile]) -> [Declaration] {
    var uses: [String: Int] = [:]
    for file in all { for token in file.tokens { uses[token.text, default: 0] += 1 } }
    let declarations = sources.flatMap(declarations)
    var counts: [String: Int] = [:]
    for declaration in declarations { counts[declaration.name, default: 0] += 1 }
    return declarations.filter { uses[$0.name, default: 0] <= counts[$0.name, default: 0] && !required.contains($0.name) }
  }

  @Test func `everything that is declared is used`() throws {
    let sources = try SourceFile.sources.get()
    let all = try sources + SourceFile.all(in: ["Tests", "Examples", "Benchmarks", "Fuzz"])
    for dead in Self.unused(sources, all) {
      Issue.record("\(dead.place): nothing uses \(dead.name). Take it out.")
    }
  }

  @Test func `what nothing uses is named, and what a string interpolates is a use`() {
    let file = SourceFile(
      path: "Sources/A/B.swift",
      text: """
        struct Used { var dead = 1
          // dead
          func called() { let local = "dead"; print("\\(Used().called())") }
        }
        """)
    #expect(Self.unused([file], [file]).map(\.name) == ["dead"])
    #expect(Self.unused([file], [file]).first?.place == "Sources/A/B.swift:1")
  }

  @Test func `a file of more than 500 lines has a reason`() throws {
    let files = try SourceFile.all(in: ["Sources"], ending: [".swift", ".c", ".h", ".js", ".css"])
    for file in files where file.lines.count > 501 && Self.longFiles[file.path] == nil {
      Issue.record("\(file.path) has \(file.lines.count - 1) lines: split it, or say here why it is one.")
    }
    for path in Self.longFiles.keys where !files.contains(where: { $0.path == path && $0.lines.count > 501 }) {
      Issue.record("\(path) is no longer that long: take it out of the list.")
    }
  }
}
