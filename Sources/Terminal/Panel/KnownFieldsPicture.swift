import Models
import Observing
import WiFi

/// Draws the fields of a known network, the result of the last request, and the buttons.
struct KnownFieldsPicture {
  let form: KnownNetworkForm
  let state: PanelState
  let isOnTop: Bool
  /// Whether there is room between fields, status and buttons.
  let isRoomy: Bool

  private var isEdit: Bool { if case .edit = form.subject { true } else { false } }

  func draw(into picture: inout Picture, _ area: Area) {
    var row = area.row
    for field in form.fields {
      draw(field, Area(column: area.column, row: row, columns: area.columns, rows: 1), into: &picture)
      row += 1
    }
    let last = area.endRow - 1
    let buttons = isEdit ? min(row + (isRoomy ? 1 : 0), last) : last
    let statusRow = isEdit ? buttons + (isRoomy ? 2 : 1) : row
    if let (sentence, isFailure) = form.status {
      for (index, line) in TextWrapping.lines(sentence, width: area.columns).enumerated() {
        guard statusRow + index <= last, isEdit || statusRow + index < last else { break }
        picture.put(line, column: area.column, row: statusRow + index, style: Style(isFailure ? .alarm : .accent), width: area.columns)
      }
    }
    drawButtons(buttons, area, into: &picture)
  }

  private func hasFocus(_ focus: Focus) -> Bool { isOnTop && state.focus == focus }

  private func style(_ focus: Focus, _ style: Style = .normal) -> Style { style.reversed(hasFocus(focus)) }

  private func draw(_ field: KnownNetworkForm.Field, _ line: Area, into picture: inout Picture) {
    picture.put(title(field), column: line.column, row: line.row, style: .muted)
    let width = 13
    let value = Area(column: line.column + width, row: line.row, columns: line.columns - width, rows: 1)
    switch field {
    case .name: drawText(form.name?.wrappedValue ?? "", .name, isSecret: false, "the name on the air", value, into: &picture)
    case .password:
      let show = "[\(state.showsPassword ? "x" : " ")] show"
      var text = value
      text.columns -= show.columns + 2
      drawText(form.password.wrappedValue, .password, isSecret: !state.showsPassword, passwordHint, text, into: &picture)
      let column = text.endColumn + 2
      picture.put(show, column: column, row: line.row, style: style(.show), target: .focus(.show))
    case .security: drawSecurity(value, into: &picture)
    case .priority:
      let number = "\(form.priority.wrappedValue)"
      var column = value.column
      column += picture.put("‹ ", column: column, row: line.row, style: .muted)
      column += picture.put(number, column: column, row: line.row, style: style(.priority, Style(bold: true)))
      column += picture.put(" ›", column: column, row: line.row, style: .muted)
      putHint("the higher is joined first", column: column + 2, value, into: &picture)
      picture.target(value, .focus(.priority))
    case .autoconnect: drawSwitch(form.autoconnect.wrappedValue, .autoconnect, "joined whenever it is in range", value, into: &picture)
    case .hidden: drawSwitch(form.hidden.wrappedValue, .hidden, "asked for by name", value, into: &picture)
    }
  }

  private func title(_ field: KnownNetworkForm.Field) -> String {
    switch field {
    case .name: "Name"
    case .security: "Security"
    case .password: isEdit ? "New password" : "Password"
    case .priority: "Priority"
    case .autoconnect: "Auto-join"
    case .hidden: "Hidden name"
    }
  }

  private var passwordHint: String {
    if case .add(let sheet) = form.subject {
      sheet.original == nil ? (sheet.security == .psk ? "8 to 63 characters" : "needed") : "that of the original"
    } else {
      "unchanged"
    }
  }

  private func drawText(_ text: String, _ focus: Focus, isSecret: Bool, _ placeholder: String, _ area: Area, into picture: inout Picture) {
    TextFieldPicture(text: text, focus: focus, isFocused: hasFocus(focus), state: state, isSecret: isSecret, placeholder: placeholder)
      .draw(into: &picture, area)
  }

  private func drawSwitch(_ isOn: Bool, _ focus: Focus, _ hint: String, _ area: Area, into picture: inout Picture) {
    let style = self.style(focus, Style(isOn ? .good : .normal, bold: true))
    picture.put(isOn ? "[on]" : "[off]", column: area.column, row: area.row, style: style, target: .focus(focus))
    putHint(hint, column: area.column + 7, area, into: &picture)
  }

  /// Writes what a field means, where there is room for all of it.
  private func putHint(_ hint: String, column: Int, _ area: Area, into picture: inout Picture) {
    if column + hint.columns <= area.endColumn { picture.put(hint, column: column, row: area.row, style: .muted) }
  }

  private func drawSecurity(_ area: Area, into picture: inout Picture) {
    let (choices, chosen) = (form.securityChoices, form.security.wrappedValue)
    guard choices.reduce(0, { $0 + $1.shortTitle.columns + 2 }) <= area.columns else {
      picture.put("‹ ", column: area.column, row: area.row, style: .muted)
      let used = picture.put(chosen.shortTitle, column: area.column + 2, row: area.row, style: style(.security, Style(bold: true)))
      picture.put(" ›", column: area.column + 2 + used, row: area.row, style: .muted)
      return picture.target(area, .focus(.security))
    }
    var column = area.column
    for (index, choice) in choices.enumerated() {
      let isChosen = choice == chosen
      let text = isChosen ? "[\(choice.shortTitle)]" : " \(choice.shortTitle) "
      column += picture.put(
        text, column: column, row: area.row,
        style: Style(isChosen ? .normal : .muted, bold: isChosen, reversed: isChosen && hasFocus(.security)),
        target: .segment(.security, index))
    }
  }

  private func drawButtons(_ row: Int, _ area: Area, into picture: inout Picture) {
    var buttons: [(focus: Focus, title: String, style: Style)] = []
    switch form.subject {
    case .edit(let page):
      buttons.append((.save, page.isSaving ? "Saving…" : "Save", form.canSave ? Style(bold: true) : .muted))
      if page.features.contains(.duplicate) { buttons.append((.duplicate, "Duplicate", .normal)) }
      if page.features.contains(.forget) { buttons.append((.forget, "Forget", Style(.alarm))) }
    case .add(let sheet):
      buttons.append((.cancel, sheet.isSaving ? "Stop" : "Cancel", .normal))
      buttons.append((.save, sheet.original == nil ? "Add" : "Duplicate", Style(bold: true)))
    }
    picture.putButtons(
      buttons.map { (title: $0.title, style: style($0.focus, $0.style), target: Target.focus($0.focus)) }, row: row, in: area,
      align: isEdit ? .left : .right)
  }
}
