import Foundation
import Testing

/// The part of `fixtures/corpus` that is about files; see `CorpusTests`.
@Suite struct FileCorpusTests {
  @Test(arguments: ["recordings", "decodings", "text"])
  func `what fuzzing found keeps every property`(name: String) throws {
    let inputs = try String(contentsOf: fixtures.appending(path: "corpus/\(name).base64"), encoding: .utf8).split(separator: "\n")
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
