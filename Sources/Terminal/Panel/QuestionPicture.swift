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
    let buttons: [(title: String, style: Style, target: Target)] = question.buttons.enumerated().map { index, one in
      let ink: Style.Ink = one.role == .destructive ? .alarm : index == button ? .accent : .normal
      return (title: one.title, style: Style(ink, bold: index == button, reversed: index == button), target: .answer(index))
    }
    picture.putButtons(buttons, row: inner.endRow - 1, in: inner)
  }
}
