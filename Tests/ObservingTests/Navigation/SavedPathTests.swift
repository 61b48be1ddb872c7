import Foundation
import Observing
import Testing

private enum Page: Codable, Equatable {
  case known
  case network(String)
  case edit(network: String)
}

@Suite struct SavedPathTests {
  private func read(_ json: String) throws -> SavedPath<Page> {
    try JSONDecoder().decode(SavedPath<Page>.self, from: Data(json.utf8))
  }

  @Test(arguments: [[], [.known], [.known, .network("Home"), .edit(network: "Home")]] as [[Page]])
  fileprivate func `a path that is saved is read back`(pages: [Page]) throws {
    let saved = try JSONEncoder().encode(SavedPath(pages))
    let read = try JSONDecoder().decode(SavedPath<Page>.self, from: saved)
    #expect(read.pages == pages)
    #expect(read.cut == nil)
  }

  @Test func `an unknown page is cut with all above it, and reported`() throws {
    let saved = try read(#"[{"known":{}},{"share":{"_0":"Home"}},{"network":{"_0":"Home"}}]"#)
    #expect(saved.pages == [.known])
    let cut = try #require(saved.cut)
    #expect(cut.index == 1)
    #expect(cut.count == 2)
    #expect(cut.description.hasPrefix("Pages 2 to 3 of the saved path are left out: "))
  }

  @Test func `a page whose content is not what it was is cut, too`() throws {
    let saved = try read(#"[{"known":{}},{"network":{"_0":7}}]"#)
    #expect(saved.pages == [.known])
    #expect(saved.cut?.description.hasPrefix("Page 2 of the saved path is left out: ") == true)
  }

  @Test func `nothing known at all is an empty path with a report`() throws {
    let saved = try read(#"[null, 3]"#)
    #expect(saved.pages.isEmpty)
    #expect(saved.cut?.index == 0)
  }

  @Test func `what is no array is an error`() {
    #expect(throws: DecodingError.self) { try read(#"{"pages":[]}"#) }
  }
}
