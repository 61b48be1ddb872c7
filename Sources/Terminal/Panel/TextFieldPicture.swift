import WiFi

/// Draws a text field: the part of its text around the cursor, or marks where it is secret.
struct TextFieldPicture {
  let text: String
  /// The cursor in characters; `nil` where the field has no focus.
  let cursor: Int?
  let isSelected: Bool
  let isSecret: Bool
  var placeholder = ""

  func draw(into picture: inout Picture, _ area: Area) {
    guard area.columns > 2 else { return }
    let isFocused = cursor != nil
    picture.clear(area, style: Style(underlined: true))
    if text.isEmpty, !isFocused {
      picture.put(placeholder, column: area.column, row: area.row, style: Style(.muted, underlined: true), width: area.columns)
      return
    }
    // Each character as it is shown: what could act on the terminal is escaped, which takes more columns.
    var shown: [(text: String, width: Int)] = []
    for character in text {
      guard !isSecret else {
        shown.append(("•", 1))
        continue
      }
      let parts = SafeText.parts(of: String(character))
      shown.append((String(parts.map(\.character)), parts.reduce(0) { $0 + $1.width }))
    }
    let cursor = min(cursor ?? 0, shown.count)
    // The first character that is shown: as far left as the cursor allows.
    var first = 0
    while shown[first..<cursor].reduce(0, { $0 + $1.width }) > area.columns - 1 { first += 1 }
    var column = area.column
    var cursorColumn = column
    for (index, piece) in shown.enumerated().dropFirst(first) {
      if index == cursor { cursorColumn = column }
      guard column + piece.width <= area.endColumn else { break }
      picture.put(
        piece.text, column: column, row: area.row, style: Style(bold: isFocused, reversed: isSelected && isFocused, underlined: true))
      column += piece.width
    }
    if cursor >= shown.count { cursorColumn = column }
    if isFocused { picture.cursor = .init(column: min(cursorColumn, area.endColumn - 1), row: area.row) }
  }
}
