/// A source file of a test target with its tests wrapped, line for line.
struct WrappedSource {
  /// The file as the copy has it.
  var text: String
  /// Whether anything was wrapped.
  var isChanged: Bool

  /// Gives each `@Test` the trait `.suiteWrapped`, and each class of XCTest the superclass `SuiteWrappedTestCase`.
  init(_ source: String) {
    let tokens = SwiftTokens.tokens(of: source)
    var edits = Self.traits(tokens) + Self.superclasses(tokens)
    isChanged = !edits.isEmpty
    if isChanged { edits.append(Self.importing(tokens)) }
    var bytes = Array(source.utf8)
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(edit.range, with: Array(edit.text.utf8))
    }
    text = String(decoding: bytes, as: UTF8.self)
  }

  private struct Edit {
    var range: Range<Int>
    var text: String
  }

  private static func traits(_ tokens: [SwiftToken]) -> [Edit] {
    tokens.indices.compactMap { index in
      guard tokens[index].text == "@", var name = tokens.indices.last(where: { $0 == index + 1 }) else { return nil }
      if tokens[name].text == "Testing", name + 2 < tokens.count, tokens[name + 1].text == "." { name += 2 }
      guard tokens[name].text == "Test" else { return nil }
      let end = tokens[name].range.upperBound
      // An attribute has its parenthesis directly behind it.
      guard name + 2 < tokens.count, tokens[name + 1].text == "(", tokens[name + 1].range.lowerBound == end else {
        return Edit(range: end..<end, text: "(.suiteWrapped)")
      }
      let first = tokens[name + 2]
      // The name that is shown stands before the traits.
      if first.kind == .string { return Edit(range: first.range.upperBound..<first.range.upperBound, text: ", .suiteWrapped") }
      let start = tokens[name + 1].range.upperBound
      return Edit(range: start..<start, text: first.text == ")" ? ".suiteWrapped" : ".suiteWrapped, ")
    }
  }

  private static func superclasses(_ tokens: [SwiftToken]) -> [Edit] {
    tokens.indices.flatMap { index -> [Edit] in
      guard tokens[index].text == "class", index + 2 < tokens.count, tokens[index + 1].kind == .word else { return [] }
      let inheritance = tokens[(index + 2)...].prefix { $0.text != "{" && $0.text != "where" && $0.text != "}" && $0.text != "=" }
      guard inheritance.contains(where: { $0.text == ":" }) else { return [] }
      return inheritance.indices.compactMap { place in
        guard tokens[place].text == "XCTestCase" else { return nil }
        let isQualified = tokens[place - 1].text == "."
        let start = isQualified ? tokens[place - 2].range.lowerBound : tokens[place].range.lowerBound
        return Edit(range: start..<tokens[place].range.upperBound, text: "SuiteWrappedTestCase")
      }
    }
  }

  /// On the line of an import, so that all lines keep their numbers.
  private static func importing(_ tokens: [SwiftToken]) -> Edit {
    for index in tokens.indices.dropLast() where tokens[index].text == "import" {
      guard ["Testing", "XCTest"].contains(tokens[index + 1].text) else { continue }
      let end = tokens[index + 1].range.upperBound
      return Edit(range: end..<end, text: "; import SimulatedSuitesSupport")
    }
    return Edit(range: 0..<0, text: "import SimulatedSuitesSupport; ")
  }
}
