public import Observing

/// Edits a text through a binding, key by key.
public struct TextField {
  /// The text.
  public let text: Binding<String>
  /// The cursor in characters from the start.
  public var cursor: Int
  /// Whether the text is selected as a whole: what is typed next replaces it.
  public var isSelected: Bool

  /// The keys that erase something.
  private static let erasing: [Key] = [.backspace, .delete, .control("d"), .control("u"), .control("k"), .control("w")]

  /// A field over a text.
  public init(_ text: Binding<String>, cursor: Int, isSelected: Bool = false) {
    self.text = text
    self.cursor = min(max(cursor, 0), text.wrappedValue.count)
    self.isSelected = isSelected
  }

  /// Takes a key; `false` where it is none for a field.
  public mutating func handle(_ key: Key) -> Bool {
    var characters = Array(text.wrappedValue)
    cursor = min(cursor, characters.count)
    switch key {
    case .character(let character):
      insert(String(character))
      return true
    case _ where isSelected && Self.erasing.contains(key): (characters, cursor) = ([], 0)
    case .backspace:
      if cursor > 0 { characters.remove(at: cursor - 1) }
      cursor = max(cursor - 1, 0)
    case .delete, .control("d"): if cursor < characters.count { characters.remove(at: cursor) }
    case .left, .control("b"): cursor = isSelected ? 0 : max(cursor - 1, 0)
    case .right, .control("f"): cursor = isSelected ? characters.count : min(cursor + 1, characters.count)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = characters.count
    case .control("u"):
      characters.removeFirst(cursor)
      cursor = 0
    case .control("k"): characters.removeLast(characters.count - cursor)
    case .control("w"):
      var start = cursor
      while start > 0, characters[start - 1] == " " { start -= 1 }
      while start > 0, characters[start - 1] != " " { start -= 1 }
      characters.removeSubrange(start..<cursor)
      cursor = start
    default: return false
    }
    isSelected = false
    write(String(characters))
    return true
  }

  /// Inserts text at the cursor, or in place of what is selected.
  ///
  /// Characters may join: the cursor stands behind all of the text that was inserted.
  public mutating func insert(_ new: String) {
    let characters = isSelected ? [] : Array(text.wrappedValue)
    let place = isSelected ? 0 : min(cursor, characters.count)
    isSelected = false
    let head = String(characters[..<place]) + new
    write(head + String(characters[place...]))
    cursor = min(head.count, text.wrappedValue.count)
  }

  private func write(_ new: String) {
    if new != text.wrappedValue { text.wrappedValue = new }
  }
}
