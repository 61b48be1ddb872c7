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
  static func forEach(_ text: String, _ body: (Character, Int) -> Bool) {
    // Most text is plain ASCII, and bytes are found faster than graphemes.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      for byte in text.utf8 where !body(Character(Unicode.Scalar(byte)), 1) { return }
      return
    }
    for character in text {
      let scalars = character.unicodeScalars
      if zip(scalars, [nil] + scalars.map(Optional.some)).contains(where: { PrintableText.mustEscape($0, after: $1) }) {
        var previous: Unicode.Scalar?
        for scalar in scalars {
          let safe = PrintableText.mustEscape(scalar, after: previous) ? PrintableText.escaped(scalar) : String(scalar)
          previous = scalar
          for part in safe where !body(part, max(DisplayWidth.columns(part), 1)) { return }
        }
        continue
      }
      let width = DisplayWidth.columns(character)
      // A mark without a letter would join the grapheme of the cell before.
      if !body(width == 0 ? Character("\u{25CC}" + String(character)) : character, max(width, 1)) { return }
    }
  }
}
