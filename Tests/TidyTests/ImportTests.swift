import Foundation
import Testing

/// A target imports the targets that its dependencies name, each of them and no other.
///
/// The compiler finds every module that was built before, declared or not, so a clean build may fail where this one
/// does not.
@Suite struct ImportTests {
  /// A target as `Package.swift` declares it.
  private struct Target {
    var name: String
    var folder: String
    var dependencies: Set<String>

    static func all(in package: String) -> [Target] {
      let targets = package[..<(package.firstRange(of: "swiftLanguageModes")?.lowerBound ?? package.endIndex)]
      let beginnings = targets.matches(of: /\.(target|executableTarget|testTarget)\(\s*name: "(\w+)"/)
      return beginnings.enumerated().map { number, beginning in
        let end = number + 1 < beginnings.count ? beginnings[number + 1].range.lowerBound : targets.endIndex
        let text = targets[beginning.range.upperBound..<end]
        let standard = (beginning.output.1 == "testTarget" ? "Tests/" : "Sources/") + beginning.output.2
        return Target(
          name: String(beginning.output.2), folder: text.firstMatch(of: /path: "([^"]+)"/).map { String($0.output.1) } ?? standard,
          dependencies: Set(text.matches(of: /"(\w+)"/).map { String($0.output.1) }))
      }
    }
  }

  /// What acts by being linked.
  private static let isNotImported: Set = ["CCapabilities", "RuntimeHooks", "SystemInterposing"]

  private static func imports(_ text: String) -> [(name: String, line: Int)] {
    let pattern =
      /^(?: *(?:@\w+ )*(?:(?:public|package|internal|fileprivate|private) )?import (?:(?:struct|enum|class|func) )?|#include ")(\w+)/
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { number, line in
      guard let first = line.utf8.first, " @ipf#".utf8.contains(first) else { return nil }
      return line.firstMatch(of: pattern).map { (String($0.output.1), number + 1) }
    }
  }

  /// What is imported and not declared or declared and not imported, a sentence each.
  ///
  /// A folder's files are texts by their path.
  private static func faults(_ package: String, _ files: (String) throws -> [String: String]) rethrows -> [String] {
    let targets = Target.all(in: package)
    let names = Set(targets.map(\.name))
    return try targets.flatMap { target in
      let imported = try files(target.folder).sorted { $0.key < $1.key }.flatMap { path, text in
        imports(text).filter { names.contains($0.name) && $0.name != target.name }.map { (path: path, line: $0.line, name: $0.name) }
      }
      let unused = target.dependencies.intersection(names).subtracting(imported.map(\.name)).subtracting(isNotImported)
      return imported.filter { !target.dependencies.contains($0.name) }
        .map { "\($0.path):\($0.line) imports \($0.name), which is no dependency of \(target.name) in Package.swift." }
        + unused.sorted().map { "Package.swift names \($0) as a dependency of \(target.name), which does not import it." }
    }
  }

  @Test func `a target imports what it declares`() throws {
    let package = try String(contentsOf: SourceFile.root.appending(path: "Package.swift"), encoding: .utf8)
    #expect(Target.all(in: package).count > 40)
    for fault in try Self.faults(package, { try SourceFile.texts(in: [$0], ending: [".swift", ".c", ".h"]) }) { Issue.record("\(fault)") }
  }

  @Test func `an import that is not declared is named, and a declaration that is not imported`() {
    let package = """
        .target(name: "Brick"),
        .target(name: "CDoor", dependencies: ["Brick"]),
        .target(name: "House", dependencies: ["Brick", "CDoor"]),
        .testTarget(name: "HouseTests", dependencies: ["House"], path: "Tests/Houses"),
      """
    let files = [
      "Sources/Brick": "import Foundation", "Sources/CDoor": "#include \"Brick.h\"", "Sources/House": "public import Brick",
      "Tests/Houses": "import House\n#if os(Linux)\n  @testable import Brick\n#endif",
    ]
    let faults = Self.faults(package) { ["\($0)/File.swift": files[$0] ?? ""] }
    #expect(
      faults == [
        "Package.swift names CDoor as a dependency of House, which does not import it.",
        "Tests/Houses/File.swift:3 imports Brick, which is no dependency of HouseTests in Package.swift.",
      ])
  }
}
