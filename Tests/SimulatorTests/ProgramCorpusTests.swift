import Foundation
import Testing

/// The part of `fixtures/corpus` that is about what programs send to the simulated kernel; see `CorpusTests`.
@Suite struct ProgramCorpusTests {
  @Test func `what programs sent keeps every property`() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "fixtures/corpus/programs.base64")
    let inputs = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    #expect(!inputs.isEmpty)
    for line in inputs {
      do {
        #expect(try ProgramProperties.check(Array(try #require(Data(base64Encoded: String(line))))))
      } catch {
        Issue.record("\(error): \(line)")
      }
    }
  }
}
