import Models
import WiFi

/// Draws the page about one network: everything that is known of it, to be scrolled.
struct DetailPagePicture {
  let viewer: Viewer
  let page: NetworkDetailModel
  let state: PanelState
  let area: Area

  func draw(into picture: inout Picture) {
    let row = viewer[page.network.id] ?? ViewedRow(page.network, isJoined: page.isSelected, lostAt: page.networkIsLost ? viewer.now : nil)
    let lines = DetailLines(viewer: viewer, row: row)
    let back = "‹ Back"
    picture.put(back, column: area.column + 1, row: area.row, style: .heading)
    picture.target(Area(column: area.column + 1, row: area.row, columns: back.count, rows: 1), .back)
    if page.canForget, viewer.forgetHint == nil {
      let forget = "[ Forget ]"
      let column = area.column + area.columns - forget.count - 1
      picture.put(forget, column: column, row: area.row, style: Style(.alarm, bold: true))
      picture.target(Area(column: column, row: area.row, columns: forget.count, rows: 1), .forget)
    }
    let body = area.dropFirst(1).inset(columns: 1)
    var all = lines.summary
    if page.networkIsLost { all.append(DetailLines.Line("Not in range: this is what was known last.", Style(.warning))) }
    all.append(DetailLines.Line(""))
    all += lines.members(maximum: 100) + lines.slowFacts + lines.protection + lines.load
    let chart = min(max(body.rows / 3, 5), 10)
    let before = all.count
    all += Array(repeating: DetailLines.Line(""), count: chart + 1) + lines.elements
    let top = min(state.pageScroll, Self.maximumScroll(lines: all.count, rows: body.rows))
    for (index, line) in all.dropFirst(top).prefix(body.rows).enumerated() {
      picture.put(line, column: body.column, row: body.row + index, width: body.columns)
    }
    let chartTop = before + 1 - top
    if chartTop >= 0, chartTop + chart <= body.rows {
      ChartPicture(
        viewer: viewer, id: row.id, area: Area(column: body.column, row: body.row + chartTop, columns: body.columns, rows: chart),
        span: .seconds(300)
      ).draw(into: &picture)
    }
    let below = all.count - top - body.rows
    if below > 0 {
      picture.put("↓ \(below) more lines", column: area.column + area.columns / 2 - 8, row: area.row, style: .muted, width: 24)
    }
  }

  /// How far a page of so many lines can be scrolled.
  static func maximumScroll(lines: Int, rows: Int) -> Int { max(lines - rows, 0) }

  /// The number of lines of the page of a row.
  static func lineCount(_ viewer: Viewer, _ page: NetworkDetailModel, rows: Int) -> Int {
    let row = viewer[page.network.id] ?? ViewedRow(page.network)
    let lines = DetailLines(viewer: viewer, row: row)
    return lines.summary.count + (page.networkIsLost ? 1 : 0) + 1 + lines.members(maximum: 100).count + lines.slowFacts.count
      + lines.protection.count + lines.load.count + min(max(rows / 3, 5), 10) + 1 + lines.elements.count
  }
}
