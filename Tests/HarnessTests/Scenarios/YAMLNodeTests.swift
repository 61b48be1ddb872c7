import Testing

@testable import Harness

struct YAMLNodeTests {
  /// The nodes of a text as text, each with its place.
  private func shape(_ node: YAMLNode) -> String {
    let place = "\(node.place.line):\(node.place.column)"
    return switch node.content {
    case .scalar(let text): "\(place) \(text)"
    case .sequence(let nodes): "\(place) [" + nodes.map(shape).joined(separator: ", ") + "]"
    case .mapping(let pairs): "\(place) {" + pairs.map { "\(shape($0.key)): \(shape($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  private func shapes(_ text: String) throws -> [String] { try YAMLNode.documents(of: text).map(shape) }

  @Test func `every node knows its line and column`() throws {
    #expect(try shapes("a: 1\nb:\n  - x\n  - {c: 'd'}\n") == ["1:1 {1:1 a: 1:4 1, 2:1 b: 3:3 [3:5 x, 4:5 {4:6 c: 4:9 d}]}"])
  }

  @Test func `columns count characters, not bytes`() throws {
    #expect(try shapes("é😀: x\n") == ["1:1 {1:1 é😀: 1:5 x}"])
  }

  @Test func `a value that is not written is empty`() throws {
    #expect(try shapes("a:\n") == ["1:1 {1:1 a: 1:3 }"])
    #expect(try shapes("") == [])
    #expect(try shapes("# nothing\n") == [])
  }

  @Test func `block scalars and folded lines are one text`() throws {
    #expect(try shapes("|\n  a\n  b\n") == ["1:1 a\nb\n"])
    #expect(try shapes("- one\n  two\n") == ["1:1 [1:3 one two]"])
  }

  @Test func `documents come one after another`() throws {
    #expect(try shapes("a\n---\nb\n") == ["1:1 a", "3:1 b"])
  }

  @Test(arguments: [
    ("a: 1\nb: 2\na: 3\n", "3:1 the key “a” stands here twice"),
    ("x: {a: 1, a: 2}\n", "1:11 the key “a” stands here twice"),
    ("a: &x 1\nb: *x\n", "2:4 an alias stands here"),
    ("a: b: c\n", "1:5 mapping values are not allowed in this context"),
    ("a: [1, 2\n", "2:1 did not find expected ',' or ']' while parsing a flow sequence"),
    ("a: 'x\n", "2:1 found unexpected end of stream while scanning a quoted scalar"),
    ("a: \u{7}\n", "1:4 control characters are not allowed"),
    ("ab\ncd: é\u{7}\n", "2:6 control characters are not allowed"),
  ])
  func `what is wrong is said, and where`(_ text: String, _ sentence: String) {
    let error = #expect(throws: YAMLError.self) { try YAMLNode.documents(of: text) }
    #expect(error.map { "\($0.place.line):\($0.place.column) \($0.reason)" } == sentence)
  }

  @Test func `a thousand lists in each other are read, and one more is not`() throws {
    let deep = YAMLNode.maximumDepth
    #expect(try YAMLNode.documents(of: String(repeating: "[", count: deep) + String(repeating: "]", count: deep)).count == 1)
    let error = #expect(throws: YAMLError.self) { try YAMLNode.documents(of: String(repeating: "[", count: 100_000)) }
    #expect(error?.reason == "lists and mappings are nested too deeply")
    #expect(error?.place.column == deep + 1)
  }
}
