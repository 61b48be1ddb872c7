import Models
import WiFi

/// Draws the two lines on top: what is scanned and how it goes, and the controls of the view.
struct HeaderPicture {
  let viewer: Viewer
  let state: PanelState
  let area: Area

  func draw(into picture: inout Picture) {
    drawStatus(into: &picture)
    drawControls(into: &picture)
  }

  private func drawStatus(into picture: inout Picture) {
    let (isOn, status) = (viewer.settings.isOn, viewer.status)
    var column = area.column + 1
    let hasAdapter = viewer.hasAdapter
    let toggle = !hasAdapter ? "[none]" : isOn ? "[on]" : "[off]"
    column += picture.put("Wi-Fi ", column: column, row: area.row, style: Style(bold: true))
    let style = Style(!hasAdapter ? .alarm : isOn ? .good : .muted, bold: true, reversed: state.focus == .wifi)
    column += picture.put(toggle, column: column, row: area.row, style: style, target: .focus(.wifi))
    let isNarrow = area.columns < 72
    var parts = statusParts(isOn)
    func width() -> Int { parts.map(\.text.columns).reduce(0, +) + 3 * max(parts.count - 1, 0) }
    if isNarrow { parts.removeAll { $0.rank > 2 } }
    let names = isNarrow ? [status.interface ?? status.source] : [status.interface, status.country, status.source]
    let place = names.compactMap { $0 }.joined(separator: "  ")
    let room = isNarrow ? area.columns - 2 - width() - column - 3 : max(area.columns / 3, 12)
    if !place.isEmpty, room >= min(place.columns, 12) {
      column += 2 + picture.put(place, column: column + 2, row: area.row, style: .muted, width: room)
    }
    // The least important part goes first where there is no room.
    while parts.count > 1, column + 2 + width() > area.columns - 1 {
      guard let least = parts.indices.max(by: { parts[$0].rank < parts[$1].rank }) else { break }
      parts.remove(at: least)
    }
    var place2 = max(area.columns - 1 - width(), column + 2)
    for (index, part) in parts.enumerated() {
      if index > 0 { place2 += picture.put(" · ", column: place2, row: area.row, style: .muted) }
      place2 += picture.put(part.text, column: place2, row: area.row, style: part.style)
    }
  }

  private func statusParts(_ isOn: Bool) -> [(text: String, style: Style, rank: Int)] {
    let status = viewer.status
    guard isOn else { return [("off", .muted, 0)] }
    guard viewer.hasAdapter || status.count > 0 else { return [phase] }
    var parts: [(text: String, style: Style, rank: Int)] = []
    let count = viewer.rowCount
    let total = viewer.totalCount
    let word = area.columns < 60 ? "" : total == 1 ? " network" : " networks"
    parts.append(((count == total ? "\(total)" : "\(count) of \(total)") + word, .normal, 1))
    if status.count > 0 { parts.append(("scan \(status.count)", .muted, 4)) }
    if let text = status.completionText { parts.append((text, Style(.warning), 2)) }
    if let end = status.lastEnd { parts.append((viewer.timeStyle.text(end), .muted, 3)) }
    parts.append(phase)
    return parts
  }

  private var phase: (text: String, style: Style, rank: Int) {
    if viewer.isPaused { return ("paused", Style(.warning, bold: true), 0) }
    return switch viewer.status.phase {
    case .starting, .scanning: ("scanning…", Style(.accent), 0)
    case .waiting: (viewer.playback == nil ? "waiting" : "playing", Style(.muted), 0)
    case .joining: ("scans wait for the join", Style(.accent), 0)
    case .ended: ("end", Style(.muted), 0)
    case .failing: ("not scanning", Style(.alarm, bold: true), 0)
    case .absent: ("no adapter", Style(.alarm, bold: true), 0)
    }
  }

  private func drawControls(into picture: inout Picture) {
    let row = area.row + 1
    let isNarrow = area.columns < 100
    var column = area.column + 1
    let filter = viewer.filter
    column += picture.put(isNarrow ? "/" : "Filter ", column: column, row: row, style: .heading)
    let width = min(max(area.columns / 8, 9), 24)
    let field = Area(column: column, row: row, columns: width, rows: 1)
    TextFieldPicture(
      text: filter.text, focus: .filter, isFocused: state.focus == .filter, state: state, isSecret: false, placeholder: "by name"
    ).draw(into: &picture, field)
    column += width + 2
    if !isNarrow { column += picture.put("Band ", column: column, row: row, style: .heading) }
    for (index, choice) in BandSegments.choices.enumerated() {
      let isChosen = filter.bands == choice.bands
      let text = isChosen ? "[\(choice.title)]" : " \(choice.title) "
      let style = Style(isChosen ? .normal : .muted, bold: isChosen, reversed: isChosen && state.focus == .bands)
      column += picture.put(text, column: column, row: row, style: style, target: .segment(.bands, index))
    }
    column += 1
    let slider = Area(column: column, row: row, columns: isNarrow ? 9 : 18, rows: 1)
    guard slider.endColumn < area.columns else { return }
    let value = filter.minimumSignalDBm
    let focused = state.focus == .signal
    var used = picture.put(
      value.map { "≥ \($0)" } ?? "≥ all", column: column, row: row,
      style: Style(value == nil ? .muted : .normal, bold: value != nil, reversed: focused))
    if !isNarrow {
      used = 8
      let steps = 9
      let range = NetworkFilter.signalRange
      let position = value.map { ($0 - range.lowerBound) * (steps - 1) / (range.upperBound - range.lowerBound) } ?? 0
      let track = (0..<steps).map { $0 == position ? "●" : "─" }.joined()
      picture.put(track, column: column + used, row: row, style: Style(focused ? .accent : .muted))
    }
    picture.target(slider, .focus(.signal))
    column = slider.endColumn + 1
    // The rest where there is room.
    var extras: [(Focus?, String, Style)] = []
    if viewer.playback == nil {
      let seconds = FixedPlaces.text(Double(viewer.interval.wholeMilliseconds) / 1000, places: 3)
      extras.append((.interval, "every \(seconds) s", Style(reversed: state.focus == .interval)))
    }
    extras.append(
      (.pause, viewer.isPaused ? "[paused]" : "[running]", Style(viewer.isPaused ? .warning : .muted, reversed: state.focus == .pause)))
    if filter.protection != .any { extras.append((nil, filter.protection.rawValue, Style(bold: true))) }
    if let generation = filter.minimumGeneration { extras.append((nil, "Wi-Fi ≥ \(generation)", Style(bold: true))) }
    if viewer.followed != nil { extras.append((nil, "following", Style(.accent))) }
    for (focus, text, style) in extras where column + text.columns < area.columns {
      column += picture.put(text, column: column, row: row, style: style, target: focus.map { .focus($0) }) + 2
    }
  }
}

/// The bands that can be chosen.
enum BandSegments {
  static let choices: [(title: String, bands: NetworkFilter.Bands)] = [
    ("all", []), ("2.4", .ghz2_4), ("5", .ghz5), ("6", .ghz6),
  ]
}

extension String {
  /// The columns that it takes on a terminal.
  var columns: Int { DisplayWidth.columns(self) }
}
