public import WiFi

extension Viewer {
  /// The rows that a list of `height` lines shows.
  ///
  /// The highlighted row keeps its line while rows come and go above it, as far as the ends of the list allow.
  public func window(height: Int) -> Range<Int> {
    let count = rowCount
    guard count > height, height > 0 else { return 0..<min(count, max(height, 0)) }
    guard let cursor, let index = index(of: cursor) else { return 0..<height }
    let top = min(max(index - min(cursorLine, height - 1), 0), count - height)
    return top..<(top + height)
  }

  /// Highlights the row that is `lines` further down, or up where that is negative, in a list of `height` lines.
  ///
  /// The first step highlights the first row that is shown, or the last for a step up.
  public func moveCursor(by lines: Int, height: Int) {
    guard rowCount > 0, lines != 0 else { return }
    if let cursor, let index = index(of: cursor) {
      highlightRow(index + lines, height: height)
    } else if let cursor, let place = rows.insertionIndex(of: cursor) {
      // A row that the filter hides: the next one from where it would stand.
      highlightRow(lines > 0 ? place : place - 1, height: height)
    } else {
      highlightRow(lines > 0 ? 0 : min(height, rowCount) - 1, height: height)
    }
  }

  /// Highlights a row by its place, in a list of `height` lines.
  public func highlightRow(_ target: Int, height: Int) {
    guard rowCount > 0 else { return }
    let target = min(max(target, 0), rowCount - 1)
    let window = window(height: height)
    let line = min(max(target - window.lowerBound, 0), max(height - 1, 0))
    highlight(self[row: target].id)
    cursorLine = line
  }

  /// Highlights the first row, or the last.
  public func highlightEnd(first: Bool, height: Int) { highlightRow(first ? 0 : rowCount - 1, height: height) }

  /// Highlights the row of a network that is listed.
  public func show(_ id: NetworkID, height: Int) {
    guard let index = index(of: id) else { return highlight(id) }
    highlightRow(index, height: height)
  }
}
