/// Finds anchors and aliases, which would make a small file a text without end.
enum YAMLAlias {
  /// Where the first anchor or alias stands.
  ///
  /// Only a node can begin with one: a text that merely has such a character in it, quoted or not, is none.
  static func first(in text: String) -> ScenarioProblem.Place? {
    var state = State()
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      if let column = state.firstColumn(in: Array(line.unicodeScalars)) { return .init(line: index + 1, column: column) }
    }
    return nil
  }

  /// What a line continues from.
  private struct State {
    private var quote: Unicode.Scalar?
    /// The indentation of the line whose text continues in the lines below it (`|` and `>`).
    private var blockIndent: Int?

    mutating func firstColumn(in line: [Unicode.Scalar]) -> Int? {
      let indent = line.prefix { $0 == " " }.count
      if let blockIndent, quote == nil {
        if indent == line.count || indent > blockIndent { return nil }
        self.blockIndent = nil
      }
      var canBegin = quote == nil
      var index = 0
      while index < line.count {
        let scalar = line[index]
        let next = index + 1 < line.count ? line[index + 1] : " "
        if let open = quote {
          if scalar == "\\", open == "\"" { index += 1 }
          if scalar == open, open == "'", next == "'" { index += 1 } else if scalar == open { quote = nil }
        } else {
          switch scalar {
          case "\"", "'": if canBegin { quote = scalar }
          case "&", "*": if canBegin, next != " " { return index + 1 }
          case "#": if index == 0 || line[index - 1] == " " { return nil }
          case "|", ">": if canBegin { blockIndent = indent }
          default: break
          }
          switch scalar {
          case " ", "[", "{", ",": canBegin = canBegin || scalar != " "
          case "-", ":", "?": canBegin = next == " "
          default: canBegin = false
          }
        }
        index += 1
      }
      return nil
    }
  }
}
