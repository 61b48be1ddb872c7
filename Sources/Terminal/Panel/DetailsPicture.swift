import Models
import WiFi

/// Draws the details of the subject beside the list: summary, signal over time, access points, protection.
struct DetailsPicture {
  let viewer: Viewer
  let area: Area

  func draw(into picture: inout Picture) {
    for row in area.row..<area.endRow { picture.put("│", column: area.column, row: row, style: .muted) }
    guard viewer.settings.isOn, let id = viewer.subject, let row = viewer[id] else { return }
    let inner = Area(column: area.column + 2, row: area.row, columns: area.columns - 3, rows: area.rows)
    let lines = DetailLines(viewer: viewer, row: row, width: inner.columns)
    var next = inner.row
    let end = inner.endRow
    for line in lines.summary {
      picture.put(line, column: inner.column, row: next, width: inner.columns)
      next += 1
    }
    let memberCount = min(row.network.members.count, max((end - next) / 3, 1))
    let chartRows = min(max(end - next - memberCount - lines.link.count - 3, 5), max(inner.rows / 2, 6), 16)
    next += inner.rows > 14 ? 1 : 0
    ChartPicture(
      viewer: viewer, id: id, area: Area(column: inner.column, row: next, columns: inner.columns, rows: min(chartRows, end - next))
    ).draw(into: &picture)
    next += chartRows + 1
    for line in lines.link + lines.members(maximum: memberCount) + lines.slowFacts + lines.protection + lines.load where next < end {
      picture.put(line, column: inner.column, row: next, width: inner.columns)
      next += 1
    }
  }
}
