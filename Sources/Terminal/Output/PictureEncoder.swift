/// Turns pictures into what a terminal is sent: only cells that differ from those that it shows.
///
/// The sequences are those of ECMA-48: Cursor Position, Select Graphic Rendition, Erase in Page. Behind each grapheme
/// of which terminals may think differently the cursor is placed again, so that a wrong width shifts nothing.
public struct PictureEncoder: Sendable {
  /// The colours.
  public var palette: Palette
  private var shown: Picture?

  /// Knows nothing of what the terminal shows.
  public init(_ palette: Palette) { self.palette = palette }

  /// Forgets what the terminal shows: the next picture is drawn in full.
  public mutating func reset() { shown = nil }

  /// The bytes that make the terminal show a picture.
  public mutating func encode(_ picture: Picture) -> [UInt8] {
    var output = ""
    let old = shown?.size == picture.size ? shown : nil
    if old == nil { output += "\u{1B}[0m\u{1B}[2J" }
    var style: Style?
    var place: (column: Int, row: Int)?
    let columns = picture.size.columns
    for row in 0..<picture.size.rows {
      for column in 0..<columns where old.map({ $0.cells[row * columns + column] != picture.cells[row * columns + column] }) ?? true {
        let cell = picture[column, row]
        if cell.width == 0 || old == nil && cell == .blank { continue }
        if place?.column != column || place?.row != row { output += "\u{1B}[\(row + 1);\(column + 1)H" }
        if style != cell.style {
          output += "\u{1B}[\(palette.parameters(cell.style))m"
          style = cell.style
        }
        // Where a terminal takes it for narrower than it is here, what stood in its second cell would stay.
        if cell.width == 2, cell.character.unicodeScalars.count > 1 { output += "  \u{1B}[\(row + 1);\(column + 1)H" }
        output.append(cell.character)
        let isPlain = cell.width == 1 && cell.character.unicodeScalars.count == 1
        place = isPlain ? (column + 1, row) : nil
      }
    }
    if let cursor = picture.cursor {
      if !output.isEmpty || shown?.cursor != cursor || old == nil {
        output += "\u{1B}[0m\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
      }
    } else if shown?.cursor != nil || old == nil {
      output += "\u{1B}[0m\u{1B}[?25l"
    }
    shown = picture
    return Array(output.utf8)
  }

  /// A picture as lines of text with colours, for a terminal that scrolls on.
  public static func lines(_ picture: Picture, _ palette: Palette) -> [String] {
    guard palette.depth != .none else { return picture.lines }
    return (0..<picture.size.rows).map { row in
      var line = ""
      var style = Style.normal
      var last = picture.size.columns
      while last > 0, picture[last - 1, row] == .blank { last -= 1 }
      for column in 0..<last {
        let cell = picture[column, row]
        if cell.width == 0 { continue }
        if cell.style != style {
          line += "\u{1B}[\(palette.parameters(cell.style))m"
          style = cell.style
        }
        line.append(cell.character)
      }
      return style == .normal ? line : line + "\u{1B}[0m"
    }
  }
}
