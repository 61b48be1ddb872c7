import Models
import WiFi

/// Draws what happened, a line each, the latest last.
struct EventsPicture {
  let viewer: Viewer
  let area: Area
  var scroll = 0

  func draw(into picture: inout Picture) {
    picture.put("EVENTS", column: area.column + 1, row: area.row, style: .heading)
    let height = area.rows - 1
    let all = viewer.events.all
    if all.isEmpty { picture.put("nothing yet", column: area.column + 9, row: area.row, style: .muted) }
    let end = all.count - min(scroll, Self.maximumScroll(viewer, area))
    for (index, event) in all.prefix(end).suffix(height).enumerated() {
      draw(event, row: area.row + 1 + index, into: &picture)
    }
  }

  /// How many of the latest events can be scrolled out of an area, whose first row is the title.
  static func maximumScroll(_ viewer: Viewer, _ area: Area) -> Int { max(viewer.events.all.count - (area.rows - 1), 0) }

  private func draw(_ event: NetworkEvents.Event, row: Int, into picture: inout Picture) {
    picture.put(viewer.timeStyle.text(event.time), column: area.column + 1, row: row, style: .muted, width: 10, align: .right)
    let (word, ink, detail) = words(event)
    picture.put(word, column: area.column + 13, row: row, style: Style(ink, bold: true))
    let column = area.column + 21
    let room = area.columns - 22
    let nameWidth = min(max(room / 2, 12), 34)
    picture.put(ShortWords.name(event.network), column: column, row: row, width: nameWidth)
    picture.put(detail, column: column + nameWidth + 1, row: row, style: .muted, width: max(room - nameWidth - 1, 0))
  }

  private func words(_ event: NetworkEvents.Event) -> (String, Style.Ink, String) {
    let facts = "\(event.network.security.summary), \(SignalMarks.text(event.network)), \(ShortWords.bands(event.network)) GHz"
    return switch event.kind {
    case .found: ("found", .good, facts)
    case .lost: ("lost", .poor, facts)
    case .changed(let difference): ("changed", .fair, difference)
    case .joined: ("joined", .good, facts)
    case .left: ("left", .muted, facts)
    case .disconnected(let loss): ("link", .poor, "\(loss)")
    case .roamed(let from, let to, let reason): ("roamed", .fair, NetworkEvents.roamingText(from: from, to: to, reason))
    }
  }
}
