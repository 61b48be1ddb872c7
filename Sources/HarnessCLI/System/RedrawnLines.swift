/// Lines on a terminal that are redrawn in place: only those that differ from what is there.
struct RedrawnLines {
  private var shown: [String] = []
  private var columns: Int?

  /// Shows `lines`, cut to the height of the terminal.
  mutating func draw(_ lines: [String], on size: (columns: Int, rows: Int)?) throws(Failure) {
    var lines = lines
    // A terminal of another width has wrapped the lines again, and in one that is too low some have left it: their
    // places are unknown.
    let isTooLow = size.map { shown.count >= $0.rows } ?? false
    if let old = columns, old != size?.columns || isTooLow, !shown.isEmpty {
      try StandardStreams.write("\u{1B}[H\u{1B}[2J")
      shown = []
    }
    columns = size?.columns
    if let rows = size?.rows, lines.count > rows - 1 {
      let kept = max(rows - 2, 1)
      let more = lines.count - kept
      lines = Array(lines.prefix(kept)) + ["… \(more) more"]
    }
    let output = RedrawnLines.update(from: shown, to: lines)
    shown = lines
    if !output.isEmpty { try StandardStreams.write(output) }
  }

  /// The control sequences that turn one picture into another; the cursor is below the last line before and after.
  static func update(from old: [String], to new: [String]) -> String {
    if old == new { return "" }
    var output = ""
    // The line that the cursor is on, counted from the first.
    var cursor = old.count
    func move(to line: Int) {
      if line < cursor { output += "\u{1B}[\(cursor - line)A" }
      if line > cursor { output += String(repeating: "\n", count: line - cursor) }
      cursor = line
    }
    for (index, line) in new.enumerated() where index >= old.count || old[index] != line {
      move(to: index)
      output += "\r\(line)\u{1B}[K\n"
      cursor += 1
    }
    if new.count < old.count {
      move(to: new.count)
      output += "\r\u{1B}[J"
    }
    move(to: new.count)
    return output
  }
}
