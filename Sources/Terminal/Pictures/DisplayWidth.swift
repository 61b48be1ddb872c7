/// How many columns text takes on a terminal.
public enum DisplayWidth {
  /// The columns of `text`: 2 for wide East Asian characters and emoji, 0 for combining marks, 1 for the rest.
  ///
  /// Follows Unicode Standard Annex #11 as far as terminals do: a grapheme is as wide as its widest scalar, and a
  /// pictograph is wide where it is an emoji by itself or made one by a variation selector.
  public static func columns(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }

  /// The columns of one grapheme.
  public static func columns(_ character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
    var width = 0
    for scalar in character.unicodeScalars {
      if scalar == "\u{FE0F}" { return 2 }
      width = max(width, columns(scalar))
    }
    return width
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD:
      return 2
    default:
      return scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }

  /// `text` with spaces behind it up to `width` columns, or cut to `width` columns with `…` at the end.
  public static func fit(_ text: String, to width: Int, alignRight: Bool = false) -> String {
    let columns = columns(text)
    if columns <= width {
      let space = String(repeating: " ", count: width - columns)
      return alignRight ? space + text : text + space
    }
    var result = ""
    var used = 0
    for character in text {
      let next = Self.columns(character)
      if used + next > width - 1 { break }
      result.append(character)
      used += next
    }
    return result + "…" + String(repeating: " ", count: max(width - used - 1, 0))
  }
}
