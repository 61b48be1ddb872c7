import Models
import WiFi

/// Draws the signal of one network over time: time to the right, dBm upwards; a gap where it was not heard.
struct ChartPicture {
  let viewer: Viewer
  let id: NetworkID
  let area: Area
  var span: Duration = .seconds(120)

  func draw(into picture: inout Picture) {
    let axis = 5
    let width = area.columns - axis
    let height = area.rows - 1
    guard width >= 8, height >= 2 else { return }
    let range = SignalMarks.chartRange
    // Labels at round numbers, where a row begins with one.
    for row in 0..<height {
      let isLabelled = row == 0 || row == height - 1 || row == height / 2 && height % 2 == 1
      let dBm = row == 0 ? range.upperBound : row == height - 1 ? range.lowerBound : (range.lowerBound + range.upperBound) / 2
      let label = isLabelled ? "\(dBm)" : ""
      picture.put(label, column: area.column, row: area.row + row, style: .muted, width: 4, align: .right)
      picture.put(isLabelled ? "┤" : "│", column: area.column + 4, row: area.row + row, style: .muted)
    }
    let signals = viewer.signals(of: id, last: span, count: width)
    for (index, signal) in signals.enumerated() {
      guard let signal else { continue }
      for (row, mark) in SignalMarks.column(signal, height: height).enumerated() where mark != " " {
        picture.put(mark, column: area.column + axis + index, row: area.row + height - 1 - row, style: Style(SignalMarks.ink(dBm: signal)))
      }
    }
    let bottom = area.row + height
    let seconds = span.components.seconds
    picture.put("\(seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s") ago", column: area.column + axis, row: bottom, style: .muted)
    picture.put("now", column: area.column + axis + width - 3, row: bottom, style: .muted)
  }
}
