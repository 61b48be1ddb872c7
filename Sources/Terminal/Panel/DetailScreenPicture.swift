import Models
import WiFi

/// Draws the page about one network: everything that is known of it, to be scrolled.
struct DetailScreenPicture {
  let viewer: Viewer
  let page: NetworkDetailModel
  let state: PanelState
  let area: Area

  func draw(into picture: inout Picture) {
    picture.put("‹ Back", column: area.column + 1, row: area.row, style: .heading, target: .back)
    // Between Back and Forget stand what is searched and how much lies below, cut where there is little room.
    var (left, right) = (area.column + 10, area.endColumn - 1)
    if page.canForget, viewer.forgetHint == nil {
      let forget = "[ Forget ]"
      right -= forget.count
      picture.put(forget, column: right, row: area.row, style: Style(.alarm, bold: true), target: .forget)
      right -= 1
    }
    if state.isSearching || !state.pageSearch.isEmpty {
      left += picture.put("/" + state.pageSearch, column: left, row: area.row, style: .heading, width: min(24, right - left - 1))
      if state.isSearching { picture.cursor = .init(column: left, row: area.row) }
      left += 1
    }
    let body = area.dropFirst(1).inset(columns: 1)
    let (all, before, chart) = Self.lines(viewer, page, state, rows: body.rows)
    let top = min(state.pageScroll, Self.maximumScroll(lines: all.count, rows: body.rows))
    let wanted = state.pageSearch.lowercased()
    for (index, line) in all.dropFirst(top).prefix(body.rows).enumerated() {
      picture.put(line, column: body.column, row: body.row + index, width: body.columns)
      if line.contains(wanted) {
        picture.restyle(Area(column: body.column, row: body.row + index, columns: body.columns, rows: 1)) { $0.isReversed = true }
      }
    }
    let chartTop = before + 1 - top
    if chartTop < body.rows, chartTop + chart > 0 {
      var drawn = Picture(Size(columns: body.columns, rows: chart))
      ChartPicture(viewer: viewer, id: page.network.id, area: drawn.area, span: .seconds(300)).draw(into: &drawn)
      picture.put(drawn, at: chartTop, in: body)
    }
    let below = all.count - top - body.rows
    if below > 0 {
      left = max(left, area.column + area.columns / 2 - 8)
      picture.put("↓ \(below.counted("more line"))", column: left, row: area.row, style: .muted, width: min(24, right - left))
    }
  }

  /// How far a page of so many lines can be scrolled.
  static func maximumScroll(lines: Int, rows: Int) -> Int { max(lines - rows, 0) }

  /// The lines of the page, and where its chart stands and how many of them it takes.
  static func lines(
    _ viewer: Viewer, _ page: NetworkDetailModel, _ state: PanelState, rows: Int
  ) -> (all: [DetailLines.Line], before: Int, chart: Int) {
    let lines = DetailLines(viewer: viewer, row: viewer.row(of: page))
    var all = lines.summary
    if page.networkIsLost { all.append(DetailLines.Line("Not in range: this is what was known last.", Style(.warning))) }
    all.append(DetailLines.Line(""))
    all += lines.link + lines.members(maximum: 100) + lines.slowFacts + lines.protection + lines.load
    let (before, chart) = (all.count, min(max(rows / 3, 5), 10))
    all += Array(repeating: DetailLines.Line(""), count: chart + 1) + lines.elements(isFolded: state.isFolded)
    return (all, before, chart)
  }
}
