import Models
import WiFi

/// Draws the sheet that asks for a password and joins.
struct SheetPicture {
  let sheet: ConnectToNetworkModel
  let viewer: Viewer
  let state: PanelState
  let isOnTop: Bool

  func draw(into picture: inout Picture, _ main: Area) {
    let width = min(main.columns - 2, 56)
    // How it goes has two lines, and more where it needs them: why a join failed is not to be cut.
    let progress = progress
    let lineCount = progress.map { TextWrapping.lines($0.text, width: width - 4).count } ?? 0
    let height = min(8 + max(lineCount, 2), main.rows)
    let inner = picture.openBox(columns: width, rows: height, in: main, part: 3, title: "Join \(name)", style: Style(.accent))
    let network = sheet.network
    var facts = "\(network.security.summary) · \(SignalMarks.bars(network.bars)) \(SignalMarks.text(network))"
    if sheet.networkIsLost { facts += " · out of range" }
    picture.put(facts, column: inner.column, row: inner.row, style: .muted, width: inner.columns)
    if network.isSecured {
      drawField(inner, into: &picture)
    } else {
      let text = "This network needs no password" + (network.security.isEncrypted ? "." : ", and anyone near can read what is sent.")
      picture.put(text, in: Area(column: inner.column, row: inner.row + 2, columns: inner.columns, rows: 2))
    }
    if let progress {
      let room = Area(column: inner.column, row: inner.row + 5, columns: inner.columns, rows: inner.rows - 6)
      picture.put(progress.text, in: room, style: progress.style)
    }
    picture.putButtons(
      [
        (title: sheet.isConnecting ? "Stop" : "Cancel", style: style(.cancel), target: .focus(.cancel)),
        (title: "Join", style: style(.join, bold: true), target: .focus(.join)),
      ], row: inner.endRow - 1, in: inner)
  }

  private func drawField(_ inner: Area, into picture: inout Picture) {
    let label = "Password "
    picture.put(label, column: inner.column, row: inner.row + 2)
    let field = Area(column: inner.column + label.count, row: inner.row + 2, columns: inner.columns - label.count, rows: 1)
    TextFieldPicture(
      text: sheet.password, focus: .password, isFocused: isOnTop && state.focus == .password, state: state,
      isSecret: !state.showsPassword, placeholder: "none typed"
    ).draw(into: &picture, field)
    let show = "[\(state.showsPassword ? "x" : " ")] show password"
    picture.put(show, column: field.column, row: inner.row + 3, style: style(.show), target: .focus(.show))
  }

  private var name: String { sheet.network.ssid.isHidden ? "hidden network" : "“\(DisplayName.of(sheet.network.ssid))”" }

  private func style(_ focus: Focus, bold: Bool = false) -> Style {
    let isFocused = isOnTop && state.focus == focus
    return Style(isFocused ? .accent : .normal, bold: bold || isFocused, reversed: isFocused)
  }

  /// How the attempt goes, or why the last one failed.
  private var progress: (text: String, style: Style)? {
    if sheet.isConnecting { return ("Joining: \(viewer.joinNote ?? "waiting for the access point")…", Style(.accent)) }
    return sheet.failure.map { (viewer.joinNote ?? $0.sentence, Style(.alarm)) }
  }
}
