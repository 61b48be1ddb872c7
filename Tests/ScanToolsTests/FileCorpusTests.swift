import Foundation
import Testing

/// The part of `fixtures/corpus` that is about files; see `CorpusTests`.
@Suite struct FileCorpusTests {
  @Test(arguments: ["recordings", "decodings", "text"])
  func `what fuzzing found keeps every property`(name: String) throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "fixtures/corpus/\(name).base64")
    let inputs = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    #expect(!inputs.isEmpty)
    for line in inputs {
      do {
        #expect(try FileProperties.check(Array(try #require(Data(base64Encoded: String(line))))))
      } catch {
        Issue.record("\(error): \(line)")
      }
    }
  }
}
