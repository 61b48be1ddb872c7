import Observing

/// Draws a question over all.
struct QuestionPicture {
  let question: Question<Int>
  /// The highlighted button.
  let button: Int

  func draw(into picture: inout Picture, _ main: Area) {
    let width = min(main.columns - 2, 50)
    let message = TextWrapping.lines(question.message ?? "", width: width - 4).filter { !$0.isEmpty }
    let title = TextWrapping.lines(question.title, width: width - 4)
    // A name may take so many lines that there is no room for the one above the buttons.
    let height = min(4 + title.count + message.count, main.rows)
    let inner = picture.openBox(columns: width, rows: height, in: main, part: 2, style: Style(.warning))
    picture.cursor = nil
    let lines = title.map { ($0, Style(bold: true)) } + message.map { ($0, Style()) }
    for (index, (line, style)) in lines.prefix(inner.rows - 1).enumerated() {
      picture.put(line, column: inner.column, row: inner.row + index, style: style, width: inner.columns)
    }
    let texts = question.buttons.map { "[ \($0.title) ]" }
    var column = inner.endColumn - texts.reduce(0) { $0 + $1.columns } - 2 * max(texts.count - 1, 0)
    for (index, text) in texts.enumerated() {
      let isDestructive = question.buttons[index].role == .destructive
      picture.put(
        text, column: column, row: inner.endRow - 1,
        style: Style(isDestructive ? .alarm : index == button ? .accent : .normal, bold: index == button, reversed: index == button),
        target: .answer(index))
      column += text.columns + 2
    }
  }
}
