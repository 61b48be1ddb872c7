import Models
import WiFi

/// Draws the list: its titles, and the rows that there is room for.
struct ListPicture {
  let viewer: Viewer
  let area: Area

  /// One column of the list.
  private struct Column {
    var title: String
    var width: Int
    var alignment: Picture.Alignment = .left
    var criterion: NetworkSort.Criterion?
  }

  func draw(into picture: inout Picture) {
    let columns = columns
    let height = max(area.rows - 1, 0)
    let window = viewer.window(height: height)
    drawTitles(columns, window, into: &picture)
    if window.isEmpty { return drawEmpty(into: &picture) }
    for (line, index) in window.enumerated() {
      draw(viewer[row: index], columns, row: area.row + 1 + line, into: &picture)
    }
  }

  /// The columns that the width has room for; the name takes what is left.
  private var columns: [Column] {
    let width = area.columns
    var columns = [
      Column(title: "NAME", width: 0, criterion: .name), Column(title: "SIGNAL", width: 8, criterion: .signal),
      Column(title: "CH", width: 3, alignment: .right, criterion: .channel),
      Column(title: "SECURITY", width: 8, criterion: .security),
    ]
    if width >= 90 {
      columns += [
        Column(title: "BAND", width: 7), Column(title: "MHZ", width: 4, alignment: .right), Column(title: "WI-FI", width: 7),
        Column(title: "APS", width: 3, alignment: .right), Column(title: "HEARD", width: 10),
      ]
    }
    if width >= 54 { columns.append(Column(title: "LAST 60 s", width: width >= 110 ? 20 : 10)) }
    let taken = columns.reduce(0) { $0 + $1.width } + columns.count - 1
    columns[0].width = max(width - 2 - taken - 1, 6)
    return columns
  }

  private func drawTitles(_ columns: [Column], _ window: Range<Int>, into picture: inout Picture) {
    var column = area.column + 2
    for one in columns {
      var title = one.title
      if let criterion = one.criterion, criterion == viewer.sort.criterion { title += viewer.sort.isReversed ? "▴" : "▾" }
      picture.put(title, column: column, row: area.row, style: .heading, width: max(one.width, title.columns), align: one.alignment)
      if let criterion = one.criterion {
        picture.target(Area(column: column, row: area.row, columns: one.width, rows: 1), .sort(criterion))
      }
      column += one.width + 1
    }
    let (above, below) = (window.lowerBound, viewer.rowCount - window.upperBound)
    let more = [above > 0 ? "↑\(above)" : nil, below > 0 ? "↓\(below)" : nil].compactMap(\.self).joined(separator: " ")
    let room = columns[0].width - 6
    if !more.isEmpty, room >= more.columns {
      picture.put(more, column: area.column + 2 + columns[0].width - more.columns, row: area.row, style: .muted)
    }
  }

  private func draw(_ row: ViewedRow, _ columns: [Column], row line: Int, into picture: inout Picture) {
    let isHighlighted = row.id == viewer.cursor
    let whole = Area(column: area.column, row: line, columns: area.columns - 1, rows: 1)
    picture.put(isHighlighted ? "▌" : " ", column: area.column, row: line, style: .heading)
    if row.isJoined {
      let ink: Style.Ink = row.isLost ? .muted : row.associationLoss == nil ? .good : .warning
      picture.put("●", column: area.column + 1, row: line, style: Style(ink))
    } else if row.id == viewer.followed {
      picture.put("◆", column: area.column + 1, row: line, style: .heading)
    }
    var column = area.column + 2
    for one in columns {
      let (text, style) = content(one, row)
      picture.put(text, column: column, row: line, style: row.isLost ? .muted : style, width: one.width, align: one.alignment)
      column += one.width + 1
    }
    if isHighlighted { picture.restyle(whole) { $0.isReversed = true } }
    picture.target(whole, .row(row.id))
  }

  private func content(_ column: Column, _ row: ViewedRow) -> (String, Style) {
    let network = row.listed
    switch column.title {
    case "NAME": return (ShortWords.name(network), network.ssid.isHidden ? .muted : Style(bold: row.isJoined))
    case "SIGNAL": return row.isLost ? ("··· lost", .muted) : SignalMarks.cell(network)
    case "CH": return (network.members.first?.channel.number.map(String.init) ?? "-", .normal)
    case "SECURITY": return (ShortWords.security(network.security), network.security.isWeak ? Style(.warning) : .normal)
    case "BAND": return (ShortWords.bands(network), .normal)
    case "MHZ": return (network.members.first.map { "\($0.channel.width.megahertz)" } ?? "-", .normal)
    case "WI-FI": return (network.generation.map { $0.summary.replacing("Wi-Fi ", with: "") } ?? "-", .normal)
    case "APS": return ("\(network.members.count)", .normal)
    case "HEARD": return (viewer.age(of: row.id).map(TimeStyle.age) ?? "-", .muted)
    default: return (SignalMarks.line(viewer.signals(of: row.id, last: .seconds(60), count: column.width)), .muted)
    }
  }

  private func drawEmpty(into picture: inout Picture) {
    let status = viewer.status
    var text: String
    var style = Style.normal
    if !viewer.settings.isOn {
      text = "Wi-Fi is off.\nPress w to turn it on."
    } else if let problem = status.problem {
      (text, style) = (problem, Style(.alarm))
    } else if viewer.totalCount > 0 {
      text = "No network matches the filter; it hides \(viewer.totalCount).\nEsc clears it."
    } else if status.count == 0 {
      text = "Scanning…"
    } else if viewer.playback != nil {
      text = "No network was heard in this scan.\n← and → go to others."
    } else {
      text = "No network was heard.\nScan again with r, or look with wifi-harness doctor."
    }
    if let note = viewer.note, viewer.settings.isOn || viewer.settings.radioProblem != nil { text += "\n\n" + note }
    picture.putInstead(text, of: area.dropFirst(), style: style)
  }
}
