import Terminal
import WiFi

/// The picture of a terminal as a person reads it: lines, columns, and the box on top.
struct TerminalLines {
  private let picture: Picture
  private let wholeLines: [String]
  /// The text of each row, without blanks at its ends.
  let lines: [String]

  init(_ picture: Picture) {
    (self.picture, wholeLines) = (picture, picture.lines)
    lines = wholeLines.map(\.trimmed)
  }

  /// The line with the cursor; `nil` where there is none.
  var cursorLine: String? { picture.cursor.map { lines[$0.row] } }

  var columns: Int { picture.size.columns }

  /// What stands in some columns of a row, without blanks at its ends.
  func text(_ row: Int, _ columns: Range<Int>) -> String {
    guard row < picture.size.rows else { return "" }
    let cells = columns.clamped(to: 0..<picture.size.columns).map { picture[$0, row] }
    return cells.filter { $0.width > 0 }.reduce(into: "") { $0.append($1.character) }.trimmed
  }

  /// The row of the titles of a list, and where each of these titles begins.
  func heading(_ titles: [String]) -> (row: Int, places: [Int])? {
    for (row, line) in wholeLines.enumerated() {
      let places = titles.compactMap { line.firstRange(of: $0).map { line.distance(from: line.startIndex, to: $0.lowerBound) } }
      if places.count == titles.count, places == places.sorted() { return (row, places) }
    }
    return nil
  }

  /// The title and the lines of the box that begins last: it lies on top.
  var box: (title: String, lines: [String])? {
    let all = (0..<picture.size.rows).flatMap { row in (0..<columns).map { ($0, row) } }
    guard let (left, top) = all.last(where: { picture[$0, $1].character == "╭" }),
      let right = (left..<columns).last(where: { picture[$0, top].character == "╮" }),
      let bottom = (top..<picture.size.rows).first(where: { picture[left, $0].character == "╰" })
    else { return nil }
    var title = text(top, left + 2..<right)
    while title.last == "─" || title.last == " " { title.removeLast() }
    return (title.trimmed, (top + 1..<bottom).map { text($0, left + 1..<right) })
  }
}

extension StringProtocol {
  /// Without blanks at its ends.
  var trimmed: String {
    let rest = drop { $0 == " " }
    return String(rest.prefix(rest.count - rest.reversed().prefix { $0 == " " }.count))
  }

  /// Its characters without blanks, at which lines are broken, and without the circle below a mark that has no letter.
  var plain: String { String(String.UnicodeScalarView(unicodeScalars.filter { $0 != " " && $0 != "\u{25CC}" })) }

  /// Whether it is a text, or as much of it as there was room for, before `…`.
  func shows(_ text: String) -> Bool {
    let (shown, whole) = (Array(plain.unicodeScalars), Array(text.plain.unicodeScalars))
    return shown == whole || shown.last == "…" && shown.count > 4 && whole.starts(with: shown.dropLast())
  }

  /// Whether it begins as a text does, or says the first of it, before `…`.
  func begins(with text: String) -> Bool {
    plain.unicodeScalars.starts(with: text.plain.unicodeScalars) || (String(prefix { $0 != "…" }) + "…").shows(text)
  }
}

extension [String] {
  /// Whether they say a sentence, broken wherever, at least the first of it.
  func say(_ sentence: String) -> Bool { joined().plain.contains(String(sentence.plain.prefix(20))) }
}

extension PrintableText {
  /// A name as it is shown: escaped, and with the blanks at its ends made visible.
  static func shown(_ name: [UInt8]) -> String {
    let text = escape(name)
    let head = text.prefix { $0 == " " }
    let tail = text.dropFirst(head.count).reversed().prefix { $0 == " " }
    let blanks = { String(repeating: #"\x20"#, count: $0) }
    return name.isEmpty ? "(hidden)" : blanks(head.count) + text.dropFirst(head.count).dropLast(tail.count) + blanks(tail.count)
  }
}
