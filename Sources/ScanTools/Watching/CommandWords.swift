/// The words of a command that is started without a shell.
///
/// Words are divided by spaces, tabs and line ends. What stands between single quotes is taken as it is; between double
/// quotes a backslash takes `"` and `\` as they are; elsewhere a backslash takes any character as it is. Nothing is
/// expanded, and what would need a shell is refused, so that it does not seem to work.
public struct CommandWords: Hashable, Sendable {
  /// The program and its arguments; at least one word.
  public let words: [String]

  /// Why a command cannot be divided into words.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no word, or the first is empty.
    case noProgram
    /// A quote is never closed.
    case openQuote(Character)
    /// A backslash is the last character.
    case lastBackslash
    /// A character that only a shell gives a meaning, and is not quoted.
    case needsShell(Character)

    /// What is wrong and what to do.
    public var description: String {
      switch self {
      case .noProgram: "name a program"
      case .openQuote(let quote): "the quote \(quote) is not closed"
      case .lastBackslash: "nothing follows the last backslash"
      case .needsShell(let character):
        "no shell is started, so \(character) has no meaning: quote it, or start a shell yourself: sh -c '…'"
      }
    }
  }

  /// What a shell would act on; a tilde and braces too, but they are part of many names.
  private static let special: Set<Character> = ["|", "&", ";", "<", ">", "(", ")", "$", "`", "*", "?", "["]

  /// Divides a command into words.
  public init(_ text: String) throws(Failure) {
    var words: [String] = []
    var word: String?
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case " ", "\t", "\n", "\r\n", "\r":
        if let word { words.append(word) }
        word = nil
      case "'":
        guard let end = rest.firstIndex(of: "'") else { throw .openQuote("'") }
        word = (word ?? "") + rest[..<end]
        rest = rest[end...].dropFirst()
      case "\"": word = (word ?? "") + (try Self.quoted(&rest))
      case "\\":
        guard let next = rest.popFirst() else { throw .lastBackslash }
        word = (word ?? "") + String(next)
      case let special where Self.special.contains(special): throw .needsShell(special)
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    guard let program = words.first, !program.isEmpty else { throw .noProgram }
    self.words = words
  }

  /// What stands up to the closing double quote, which is taken too.
  private static func quoted(_ rest: inout Substring) throws(Failure) -> String {
    var text = ""
    while let character = rest.popFirst() {
      switch character {
      case "\"": return text
      case "\\":
        guard let next = rest.popFirst() else { throw .openQuote("\"") }
        if next != "\"" && next != "\\" { text.append("\\") }
        text.append(next)
      default: text.append(character)
      }
    }
    throw .openQuote("\"")
  }
}
