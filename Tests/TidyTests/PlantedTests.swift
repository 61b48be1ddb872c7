import Foundation
import Testing

/// The planted bugs fit the sources: `make mutation` and `make check NAME=kernel-mutation` plant them much later.
@Suite struct PlantedTests {
  /// What a patch changes: a file, and lines that stand there one behind the other.
  private struct Hunk {
    var path: String
    var lines: [Substring] = []
  }

  private static func hunks(_ patch: String) -> [Hunk] {
    var hunks: [Hunk] = []
    var path = ""
    for line in patch.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("--- a/") {
        path = String(line.dropFirst(6).prefix { $0 != "\t" })
      } else if line.hasPrefix("@@") {
        hunks.append(Hunk(path: path))
      } else if !hunks.isEmpty, !line.hasPrefix("+"), !line.hasPrefix("---"), !line.hasPrefix("\\"), !line.isEmpty {
        hunks[hunks.count - 1].lines.append(line.dropFirst())
      }
    }
    return hunks
  }

  private static func fits(_ hunk: Hunk, _ text: String) -> Bool {
    ("\n" + text + "\n").contains("\n" + hunk.lines.joined(separator: "\n") + "\n")
  }

  @Test(arguments: ["Tests/Mutations", "Tests/KernelMutations"]) func `planted bugs fit the sources`(folder: String) throws {
    let folder = SourceFile.root.appending(path: folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".patch") }
    #expect(names.count >= 10)
    for name in names.sorted() {
      #expect(name.wholeMatch(of: /[0-9]+-[a-z0-9-]+\.patch/) != nil, "\(name) is not NUMBER-name.patch")
      let hunks = Self.hunks(try String(contentsOf: folder.appending(path: name), encoding: .utf8))
      #expect(!hunks.isEmpty, "\(name)")
      for hunk in hunks {
        let text = try String(contentsOf: SourceFile.root.appending(path: hunk.path), encoding: .utf8)
        if !Self.fits(hunk, text) { Issue.record("\(name) does not fit \(hunk.path) any more: make it anew") }
      }
    }
  }

  @Test func `a patch of other lines does not fit`() {
    let hunk = Self.hunks("Broken: x.\n--- a/x.c\n+++ b/x.c\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n")[0]
    #expect(hunk.path == "x.c" && Self.fits(hunk, "z\na\nb") && !Self.fits(hunk, "a\nc"))
  }
}
