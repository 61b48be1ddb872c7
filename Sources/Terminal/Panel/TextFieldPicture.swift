/// Draws a text field: the part of its text around the cursor, or marks where it is secret.
struct TextFieldPicture {
  let text: String
  /// What gives it the focus.
  let focus: Focus
  let isFocused: Bool
  let state: PanelState
  let isSecret: Bool
  let placeholder: String

  func draw(into picture: inout Picture, _ area: Area) {
    picture.target(area, .focus(focus))
    guard area.columns > 2 else { return }
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
    let cursor = min(isFocused ? state.fieldCursor : 0, shown.count)
    // The first character that is shown: as far left as the cursor allows.
    var first = 0
    while shown[first..<cursor].reduce(0, { $0 + $1.width }) > area.columns - 1 { first += 1 }
    var column = area.column
    var cursorColumn = column
    for (index, piece) in shown.enumerated().dropFirst(first) {
      if index == cursor { cursorColumn = column }
      guard column + piece.width <= area.endColumn else { break }
      picture.put(
        piece.text, column: column, row: area.row,
        style: Style(bold: isFocused, reversed: state.fieldIsSelected && isFocused, underlined: true))
      column += piece.width
    }
    if cursor >= shown.count { cursorColumn = column }
    if isFocused { picture.cursor = .init(column: min(cursorColumn, area.endColumn - 1), row: area.row) }
  }
}
