import Models

/// Draws the line with keys, and above it the place in a recording.
struct KeysPicture {
  let viewer: Viewer
  let area: Area
  let keys: [(key: String, word: String)]
  let message: String?

  func draw(into picture: inout Picture) {
    let row = area.endRow - 1
    if let playback = viewer.playback, area.rows > 1 { drawTimeBar(playback, into: &picture) }
    if let message {
      picture.put(message, column: area.column + 1, row: row, style: Style(.warning, bold: true), width: area.columns - 2)
      return
    }
    // The last two keys, help and quit, have room before the others.
    let kept = keys.suffix(2)
    var room = area.columns - 2 - kept.reduce(0) { $0 + width($1) }
    var shown: [(key: String, word: String)] = []
    for key in keys.dropLast(2) where width(key) <= room {
      shown.append(key)
      room -= width(key)
    }
    var column = area.column + 1
    for (key, word) in shown + kept {
      column += picture.put(key, column: column, row: row, style: .heading)
      column += 1 + picture.put(word, column: column + 1, row: row, style: .muted)
      column += 2
    }
  }

  private func width(_ key: (key: String, word: String)) -> Int { key.key.columns + key.word.columns + 3 }

  private func drawTimeBar(_ playback: Playback, into picture: inout Picture) {
    let left = "\(playback.isPlaying ? "▶" : "‖") scan \(playback.position) of \(playback.count) "
    let right = " \(clock(playback.time.components.seconds)) of \(clock(playback.duration.components.seconds))"
    var column = area.column + 1
    column += picture.put(left, column: column, row: area.row, style: .heading)
    let width = area.columns - 1 - column - right.columns
    if width >= 4 {
      let place = playback.count > 1 ? (playback.position - 1) * (width - 1) / (playback.count - 1) : 0
      picture.put(
        String(repeating: "━", count: place) + "●" + String(repeating: "─", count: width - 1 - place), column: column, row: area.row,
        style: Style(.accent))
      column += width
    }
    picture.put(right, column: column, row: area.row, style: .muted)
  }

  private func clock(_ seconds: Int64) -> String { "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)" }
}
