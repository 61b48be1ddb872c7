import WiFi

/// One cell of a ``Picture``.
public struct Cell: Hashable, Sendable {
  /// What it shows: one grapheme without any character that could act on a terminal.
  public let character: Character
  /// How it looks.
  public var style: Style
  /// The columns that it takes: 1, or 2 for a wide grapheme, or 0 for the column that a wide one to its left covers.
  public let width: UInt8

  /// A space.
  public static let blank = Cell(character: " ", style: .normal, width: 1)
}

/// Text as a ``Picture`` may hold it.
enum SafeText {
  /// The graphemes of `text` with their widths; what could act on a terminal is escaped as in ``/WiFi/PrintableText``.
  static func parts(of text: String) -> [(character: Character, width: Int)] {
    var parts: [(character: Character, width: Int)] = []
    for character in text {
      if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7F {
        parts.append((character, 1))
        continue
      }
      let scalars = character.unicodeScalars
      if zip(scalars, [nil] + scalars.map(Optional.some)).contains(where: { PrintableText.mustEscape($0, after: $1) }) {
        var previous: Unicode.Scalar?
        for scalar in scalars {
          let safe = PrintableText.mustEscape(scalar, after: previous) ? PrintableText.escaped(scalar) : String(scalar)
          previous = scalar
          for part in safe { parts.append((part, max(DisplayWidth.columns(part), 1))) }
        }
        continue
      }
      let width = DisplayWidth.columns(character)
      // A mark without a letter would join the grapheme of the cell before.
      parts.append((width == 0 ? Character("\u{25CC}" + String(character)) : character, max(width, 1)))
    }
    return parts
  }
}
