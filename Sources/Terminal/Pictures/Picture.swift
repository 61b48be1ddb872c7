/// The size of a picture in cells.
public struct Size: Hashable, Sendable {
  /// The number of columns.
  public var columns: Int
  /// The number of rows.
  public var rows: Int

  /// Makes a size from its parts.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The largest that is drawn.
  public static let largest = Size(columns: 1000, rows: 1000)

  /// Reads a size such as `100x30`; `nil` where it is none.
  public init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1], (1...Self.largest.columns).contains(columns),
      (1...Self.largest.rows).contains(rows)
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}

/// A part of a picture.
public struct Area: Hashable, Sendable {
  /// The first column.
  public var column: Int
  /// The first row.
  public var row: Int
  /// The number of columns.
  public var columns: Int
  /// The number of rows.
  public var rows: Int

  /// Makes an area from its parts.
  public init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
  }

  /// The first column behind it.
  var endColumn: Int { column + columns }
  /// The first row below it.
  var endRow: Int { row + rows }

  /// Whether a cell lies in it.
  public func contains(column: Int, row: Int) -> Bool {
    column >= self.column && column < endColumn && row >= self.row && row < endRow
  }

  /// The area without its first `count` rows.
  func dropFirst(_ count: Int = 1) -> Area { Area(column: column, row: row + count, columns: columns, rows: rows - count) }

  /// The area without cells at its edges.
  func inset(columns: Int, rows: Int = 0) -> Area {
    Area(column: column + columns, row: row + rows, columns: self.columns - 2 * columns, rows: self.rows - 2 * rows)
  }
}

/// A grid of cells as a value: what a terminal is to show.
///
/// Text reaches it through ``put(_:column:row:style:width:align:target:)`` alone, which escapes what could act on a
/// terminal and keeps every grapheme within its columns. So no byte of a name can be a control byte of a terminal.
public struct Picture: Hashable, Sendable {
  /// Its size.
  public let size: Size
  /// Where the cursor of the terminal stands; `nil` where it is hidden.
  public var cursor: Position?
  private(set) var cells: [Cell]
  /// What a click means, the latest on top.
  private(set) var targets: [(area: Area, target: Target)] = []

  /// A cell by its place.
  public struct Position: Hashable, Sendable {
    /// The column, from 0.
    public var column: Int
    /// The row, from 0.
    public var row: Int
  }

  /// An empty picture.
  public init(_ size: Size) {
    self.size = size
    cells = Array(repeating: .blank, count: max(size.columns, 0) * max(size.rows, 0))
  }

  /// All of it.
  public var area: Area { Area(column: 0, row: 0, columns: size.columns, rows: size.rows) }

  /// A cell by its place.
  ///
  /// - Precondition: it lies in the picture.
  public subscript(column: Int, row: Int) -> Cell { cells[row * size.columns + column] }

  /// Where text stands in the columns that it has.
  public enum Alignment: Hashable, Sendable {
    /// At the left.
    case left
    /// At the right.
    case right
    /// In the middle.
    case center
  }

  /// Writes text on one row, cut with `…` to the columns that there are.
  ///
  /// - Parameters:
  ///   - width: the most columns; the rest of the row where it is not given. With an alignment other than left, text
  ///     stands within these columns.
  ///   - target: what a click on the whole text means.
  /// - Returns: the columns that the text took.
  @discardableResult
  public mutating func put(
    _ text: String, column: Int, row: Int, style: Style = .normal, width: Int? = nil, align: Alignment = .left, target: Target? = nil
  ) -> Int {
    if let target { self.target(Area(column: column, row: row, columns: text.columns, rows: 1), target) }
    let limit = min(width ?? .max, size.columns - column)
    guard row >= 0, row < size.rows, column >= 0, limit > 0 else { return 0 }
    var parts = SafeText.parts(of: text)
    var used = parts.reduce(0) { $0 + $1.width }
    if used > limit {
      while used > limit - 1, let last = parts.popLast() { used -= last.width }
      parts.append(("…", 1))
      used += 1
    }
    let free = width == nil ? 0 : limit - used
    var place = column + (align == .left ? 0 : align == .right ? free : free / 2)
    for (character, width) in parts {
      set(Cell(character: character, style: style, width: UInt8(width)), column: place, row: row)
      place += width
    }
    return used
  }

  /// Writes text in lines, as many as the area has.
  mutating func put(_ text: String, in area: Area, style: Style = .normal, align: Alignment = .left) {
    for (index, line) in TextWrapping.lines(text, width: area.columns).prefix(max(area.rows, 0)).enumerated() {
      put(line, column: area.column, row: area.row + index, style: style, width: area.columns, align: align)
    }
  }

  /// Writes what is said in place of a list: in the middle of each line, a third of the way down.
  mutating func putInstead(_ text: String, of area: Area, style: Style) {
    let room = area.inset(columns: 2)
    let top = max((room.rows - TextWrapping.lines(text, width: room.columns).count) / 3, 0)
    put(text, in: room.dropFirst(top), style: style, align: .center)
  }

  /// Writes buttons two columns apart on one row of an area, at its right or at its left.
  mutating func putButtons(_ buttons: [(title: String, style: Style, target: Target)], row: Int, in area: Area, align: Alignment = .right) {
    let texts = buttons.map { "[ \($0.title) ]" }
    var column = align == .left ? area.column : area.endColumn - texts.reduce(-2) { $0 + $1.columns + 2 }
    for (text, button) in zip(texts, buttons) {
      put(text, column: column, row: row, style: button.style, target: button.target)
      column += text.columns + 2
    }
  }

  /// Puts another picture into an area, its first row on a row that may lie outside; what lies outside is left out.
  mutating func put(_ other: Picture, at row: Int, in area: Area) {
    for line in (row..<(row + other.size.rows)).clamped(to: 0..<area.rows) {
      for column in 0..<min(other.size.columns, area.columns) {
        set(other[column, line - row], column: area.column + column, row: area.row + line)
      }
    }
  }

  /// Puts one character, where that lies in the picture.
  private mutating func mark(_ character: Character, _ style: Style, column: Int, row: Int) {
    guard 0..<size.columns ~= column, 0..<size.rows ~= row else { return }
    set(Cell(character: character, style: style, width: 1), column: column, row: row)
  }

  private mutating func set(_ cell: Cell, column: Int, row: Int) {
    let start = row * size.columns
    for covered in column..<(column + Int(cell.width)) { split(column: covered, row: row) }
    cells[start + column] = cell
    if cell.width == 2 { cells[start + column + 1] = Cell(character: " ", style: cell.style, width: 0) }
  }

  /// Removes the other half of a wide grapheme of which one half is written over.
  private mutating func split(column: Int, row: Int) {
    let index = row * size.columns + column
    let cell = cells[index]
    if cell.width == 0, column > 0 { cells[index - 1] = Cell(character: " ", style: cells[index - 1].style, width: 1) }
    if cell.width == 2, column + 1 < size.columns { cells[index + 1] = Cell(character: " ", style: cell.style, width: 1) }
    if cell.width == 0 { cells[index] = Cell(character: " ", style: cell.style, width: 1) }
  }

  /// Blanks an area.
  package mutating func clear(_ area: Area, style: Style = .normal) {
    for row in (area.row..<area.endRow).clamped(to: 0..<size.rows) {
      for column in (area.column..<area.endColumn).clamped(to: 0..<size.columns) {
        set(Cell(character: " ", style: style, width: 1), column: column, row: row)
      }
    }
  }

  /// Changes the style of what is in an area.
  package mutating func restyle(_ area: Area, _ change: (inout Style) -> Void) {
    for row in (area.row..<area.endRow).clamped(to: 0..<size.rows) {
      for column in (area.column..<area.endColumn).clamped(to: 0..<size.columns) {
        change(&cells[row * size.columns + column].style)
      }
    }
  }

  /// Draws a border at the edge of an area, with a title in its upper side.
  public mutating func frame(_ area: Area, title: String = "", style: Style = .muted) {
    guard area.columns >= 2, area.rows >= 2 else { return }
    let (right, bottom) = (area.endColumn - 1, area.endRow - 1)
    for column in area.column...right {
      let (isLeft, isRight) = (column == area.column, column == right)
      mark(isLeft ? "╭" : isRight ? "╮" : "─", style, column: column, row: area.row)
      mark(isLeft ? "╰" : isRight ? "╯" : "─", style, column: column, row: bottom)
    }
    for row in (area.row + 1)..<bottom {
      mark("│", style, column: area.column, row: row)
      mark("│", style, column: right, row: row)
    }
    if !title.isEmpty, area.columns > 6 {
      put(" \(title) ", column: area.column + 2, row: area.row, style: .heading, width: area.columns - 4)
    }
  }

  /// Draws an empty box in the middle of an area, the `part`-th of the room above it, and gives what is inside of it.
  ///
  /// It covers all else: no click means anything but what is drawn from here on.
  mutating func openBox(columns: Int, rows: Int, in area: Area, part: Int, title: String = "", style: Style) -> Area {
    let (column, row) = (area.column + (area.columns - columns) / 2, area.row + max((area.rows - rows) / part, 0))
    let box = Area(column: column, row: row, columns: columns, rows: rows)
    targets = []
    clear(box)
    frame(box, title: title, style: style)
    return box.inset(columns: 2, rows: 1)
  }

  /// Says what a click in an area means.
  mutating func target(_ area: Area, _ target: Target) { targets.append((area, target)) }

  /// What a click on a cell means.
  public func target(column: Int, row: Int) -> Target? {
    targets.last { $0.area.contains(column: column, row: row) }?.target
  }

  /// The text of each row, without blanks at its end.
  public var lines: [String] {
    (0..<size.rows).map { row in
      var line = ""
      for cell in cells[(row * size.columns)..<((row + 1) * size.columns)] where cell.width > 0 { line.append(cell.character) }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  public static func == (left: Picture, right: Picture) -> Bool {
    left.size == right.size && left.cursor == right.cursor && left.cells == right.cells
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    hasher.combine(cursor)
    hasher.combine(cells)
  }
}

extension Picture: CustomStringConvertible {
  /// The ``lines``, each with a line feed.
  public var description: String { lines.map { $0 + "\n" }.joined() }
}
