import Models
import WiFi

/// Draws the list of the known networks.
struct KnownListPicture {
  let viewer: Viewer
  let known: KnownNetworksModel
  let area: Area

  private enum Fact {
    case name, range, security, priority, autoconnect
  }
  private typealias Column = (fact: Fact, title: String, width: Int)

  func draw(into picture: inout Picture) {
    let rows = known.rows
    let column = area.column + 1
    let back = "‹ Back"
    picture.put(back, column: column, row: area.row, style: .heading, target: .back)
    var title = area.columns < 56 ? "Known" : "Known networks"
    if !rows.isEmpty { title += ": \(rows.count)" + (area.columns < 56 ? "" : ", \(rows.count { $0.isInRange }) in range") }
    if known.isLoading { title += " · listing…" }
    let add = "[ Add ]"
    let canAdd = known.features.contains(.add)
    picture.put(
      title, column: column + back.columns + 3, row: area.row, style: Style(bold: true),
      width: area.columns - back.columns - 6 - (canAdd ? add.columns + 1 : 0))
    if canAdd {
      let column = area.endColumn - add.columns - 1
      picture.put(add, column: column, row: area.row, style: Style(.accent, bold: true), target: .addKnown)
    }
    var body = area.dropFirst()
    // The last line is that of a sentence; a failure to list any has the whole room.
    if !known.isSaved || known.failure != nil && !rows.isEmpty { body.rows -= 1 }
    guard !rows.isEmpty else { return drawEmpty(body, into: &picture) }
    let columns = columns
    drawTitles(columns, body.row, into: &picture)
    let height = max(body.rows - 1, 0)
    let cursor = viewer.knownCursor(in: rows)
    let index = rows.firstIndex { $0.id == cursor } ?? 0
    let top = max(min(index - height / 2, rows.count - height), 0)
    for (line, row) in rows.dropFirst(top).prefix(height).enumerated() {
      draw(row, columns, isHighlighted: row.id == cursor, line: body.row + 1 + line, into: &picture)
    }
    let sentence = known.failure.map { ("\($0)", Style(.alarm)) } ?? (known.isSaved ? nil : (Self.unsaved, Style(.warning)))
    if let sentence {
      picture.put(sentence.0, column: area.column + 2, row: area.endRow - 1, style: sentence.1, width: area.columns - 4)
    }
  }

  private static let unsaved = "The daemon forgets the change when it ends: wpa_supplicant needs update_config=1 to keep it."

  private var columns: [Column] {
    let isWide = area.columns >= 72
    var columns: [Column] = [(.name, "NAME", 0), (.range, "IN RANGE", isWide ? 12 : 8)]
    if area.columns >= 56 { columns.append((.security, "SECURITY", isWide ? 18 : 8)) }
    columns.append((.priority, isWide ? "PRIORITY" : "PRIO", isWide ? 8 : 4))
    columns.append((.autoconnect, isWide ? "AUTO-JOIN" : "AUTO", isWide ? 9 : 4))
    // A list that is wider than its names are harder to read: the rest of the line stays empty.
    let taken = columns.reduce(0) { $0 + $1.width + 2 }
    columns[0].width = min(max(area.columns - 4 - taken, 6), 40)
    return columns
  }

  private func drawTitles(_ columns: [Column], _ row: Int, into picture: inout Picture) {
    var column = area.column + 3
    for one in columns {
      picture.put(one.title, column: column, row: row, style: .heading, width: one.width, align: one.fact == .priority ? .right : .left)
      column += one.width + 2
    }
  }

  private func draw(_ row: KnownNetworkRow, _ columns: [Column], isHighlighted: Bool, line: Int, into picture: inout Picture) {
    let whole = Area(column: area.column, row: line, columns: area.columns - 1, rows: 1)
    picture.put(isHighlighted ? "▌" : " ", column: area.column, row: line, style: .heading)
    if row.isJoined { picture.put("●", column: area.column + 1, row: line, style: Style(.good)) }
    var column = area.column + 3
    for one in columns {
      let (text, style) = content(one.fact, row, isWide: one.width > 8)
      picture.put(text, column: column, row: line, style: style, width: one.width, align: one.fact == .priority ? .right : .left)
      column += one.width + 2
    }
    if isHighlighted { picture.restyle(whole) { $0.isReversed = true } }
    picture.target(whole, .knownRow(row.id))
  }

  private func content(_ fact: Fact, _ row: KnownNetworkRow, isWide: Bool) -> (String, Style) {
    let name = row.isInRange || row.isJoined ? Style(bold: row.isJoined) : Style.muted
    switch fact {
    case .name: return (row.name.isEmpty ? "(hidden)" : DisplayName.of(row.id.ssid), name)
    case .range:
      if let network = viewer.heard(row) { return SignalMarks.cell(network) }
      return row.isInRange ? ("yes", .normal) : row.isJoined ? ("joined", .normal) : ("no", .muted)
    case .security: return (isWide ? "\(row.security)" : row.security.shortTitle, row.security.isWeak ? Style(.warning) : .normal)
    case .priority: return (row.priority.map(String.init) ?? "-", row.priority ?? 0 == 0 ? .muted : .normal)
    case .autoconnect: return (row.joinsAutomatically ? "yes" : "no", row.joinsAutomatically ? .normal : .muted)
    }
  }

  private func drawEmpty(_ body: Area, into picture: inout Picture) {
    let (text, style): (String, Style) =
      if let failure = known.failure {
        ("\(failure)\nr asks again.", Style(.alarm))
      } else if known.isLoading {
        ("Asking which networks are known…", .normal)
      } else {
        (
          "No network is known."
            + (known.features.contains(.add) ? "\na adds one; joining one does, too." : "\nJoining one makes it known."), .normal
        )
      }
    picture.putInstead(text, of: body, style: style)
  }
}

extension JoinSecurity {
  /// The name in a control, at most six columns.
  var shortTitle: String {
    switch self {
    case .open: "open"
    case .owe: "OWE"
    case .psk: "WPA2"
    case .sae: "WPA3"
    case .pskOrSAE: "WPA2/3"
    case .enterprise: "WPA-E"
    case .wep: "WEP"
    }
  }
}
