import WiFi

/// What xxd, hexdump, od, tcpdump and Wireshark print: an offset in front of each line, often text behind it.
struct HexDump {
  /// The bytes of a dump, or `nil` where the text is none, or one that can be read in two ways.
  ///
  /// - Throws: ``Excess`` where its lines of `*` stand for more than ``repetitionLimit``.
  static func read(_ text: [UInt8], from start: Int) throws(Excess) -> [UInt8]? {
    guard let dump = HexDump(text, from: start) else { return nil }
    return try dump.read()
  }

  /// A few lines that stand for more bytes than are read.
  struct Excess: Error {}

  /// The most bytes that all lines of `*` in a text stand for.
  static let repetitionLimit = 1 << 26

  /// What is wrong with a text whose lines of `*` stand for more.
  static let excess = "its lines of “*” stand for more than \(repetitionLimit >> 20) MiB, which is not read"

  /// Whether the text is a dump of decimal numbers, as `od -t u1`, `od -d`, `od -i` and `hexdump -d` print it.
  ///
  /// Such numbers are aligned to the right in columns of a width that no hexadecimal dump has, and filled with spaces;
  /// many of them would be hexadecimal ones, too.
  static func isDecimal(_ text: [UInt8], from start: Int) -> Bool {
    guard case .line(let line) = item(text, at: start), !line.hasColon, (6...8).contains(line.offsetDigits.count) else { return false }
    var ends: [Int] = []
    var lengths: [Int] = []
    var hasSign = false
    var position = line.rest.lowerBound
    while position < line.rest.upperBound {
      while position < line.rest.upperBound, HexText.isSpace(text[position]) { position += 1 }
      let start = position
      while position < line.rest.upperBound, !HexText.isSpace(text[position]) {
        let isSign = position == start && text[position] == UInt8(ascii: "-")
        guard isSign || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[position]) else { return false }
        if isSign { hasSign = true }
        position += 1
      }
      if position > start {
        ends.append(position - line.rest.lowerBound)
        lengths.append(position - start)
      }
      guard ends.count <= 64 else { return false }
    }
    guard let width = ends.first, ends.enumerated().allSatisfy({ $1 == width * ($0 + 1) }) else { return false }
    switch width {
    case 6, 11, 21: return true
    case 4, 5, 7, 12: return hasSign || lengths.contains { $0 < width - 1 }
    // hexdump fills with zeros, and prints five digits in a column of eight.
    case 8: return lengths.allSatisfy { $0 == 5 }
    default: return false
    }
  }

  /// Whether the first lines are those of a dump: an offset of the same number of digits in front of each, and bytes
  /// behind.
  ///
  /// Where ``read(_:from:)`` makes nothing of such text, its offsets are not to be taken for bytes.
  static func looksLikeDump(_ text: [UInt8], from start: Int) -> Bool {
    guard let dump = HexDump(text, from: start), case .line(let second) = item(text, at: dump.first.end),
      second.offsetDigits.count == dump.first.offsetDigits.count, second.hasColon == dump.hasColon
    else { return false }
    if dump.hasColon { return true }
    let widths = [dump.first, second].flatMap { line in
      text[line.rest].split(maxSplits: 2, omittingEmptySubsequences: true, whereSeparator: HexText.isSpace).prefix(2).map { group in
        group.allSatisfy { Hex.value($0) != nil } ? group.count : 0
      }
    }
    // Groups of another width than the offset; of words, only where the first offset is zero.
    guard let width = widths.first, widths.count == 4, widths.allSatisfy({ $0 == width }) else { return false }
    let isFirst = text[dump.first.offsetDigits].allSatisfy { $0 == UInt8(ascii: "0") }
    return width == 2 || isFirst && [4, 8, 16].contains(width) && width != dump.first.offsetDigits.count
  }

  /// What is wrong with a dump that ``read(_:from:)`` makes nothing of.
  static let disagreement = "it looks like a dump, but its offsets and its lines do not add up"

  /// How the numbers of a dump are written.
  private struct Style: Hashable {
    /// The base of the offsets.
    var offsetRadix: Int
    /// The digits of a group and their base.
    var digits: Int
    var digitRadix: Int
    /// The bytes of a group, and whether the last is in front: a number of the machine.
    var bytes: Int
    var isReversed: Bool
  }

  /// A line: its offset as digits, and where the rest is.
  private struct Line {
    var offsetDigits: Range<Int>
    var hasColon: Bool
    var rest: Range<Int>
    /// The start of the next line.
    var end: Int
  }

  private enum Item {
    case line(Line)
    /// `*`: as many lines as the next offset says are like the one before.
    case repetition(end: Int)
    case other(end: Int)
    case end
  }

  private let text: [UInt8]
  /// Where the first line of the dump begins.
  private let start: Int
  private let first: Line
  private let hasColon: Bool

  private init?(_ text: [UInt8], from start: Int) {
    self.text = text
    var position = start
    var isAtStart = true
    while true {
      switch Self.item(text, at: position) {
      case .end: return nil
      case .line(let line):
        // tcpdump says in front what it captured.
        guard isAtStart || line.hasColon else { return nil }
        self.start = position
        first = line
        hasColon = line.hasColon
        return
      case .repetition(let end), .other(let end):
        position = end
        isAtStart = false
      }
    }
  }

  /// The next line that is neither empty nor a comment.
  private static func item(_ text: [UInt8], at start: Int) -> Item {
    var position = start
    while true {
      while position < text.count, HexText.isSpace(text[position]) { position += 1 }
      guard position < text.count else { return .end }
      var end = position
      while end < text.count, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
      let isComment = text[position] == UInt8(ascii: "#") || text[position..<end].starts(with: [0x2F, 0x2F])
      if !isComment {
        var last = end
        while HexText.isSpace(text[last - 1]) { last -= 1 }
        if last == position + 1, text[position] == UInt8(ascii: "*") { return .repetition(end: end) }
        return line(text, position..<last, end: end).map(Item.line) ?? .other(end: end)
      }
      position = end
    }
  }

  private static func line(_ text: [UInt8], _ range: Range<Int>, end: Int) -> Line? {
    var position = range.lowerBound
    if text[range].starts(with: [0x30, 0x78]) { position += 2 }
    let digits = position
    while position < range.upperBound, position - digits <= 16, Hex.value(text[position]) != nil { position += 1 }
    guard (4...16).contains(position - digits) else { return nil }
    var line = Line(offsetDigits: digits..<position, hasColon: false, rest: position..<range.upperBound, end: end)
    if position < range.upperBound, text[position] == UInt8(ascii: ":") {
      line.hasColon = true
      line.rest = position + 1..<range.upperBound
    }
    guard line.rest.isEmpty ? !line.hasColon : HexText.isSpace(text[line.rest.lowerBound]) else { return nil }
    return line
  }

  // MARK: Styles

  /// Reads the dump in the style that fits, or in the likeliest of those that do.
  private func read() throws(Excess) -> [UInt8]? {
    var found: (radix: Int, bytes: [UInt8])?
    var isExcessive = false
    for style in styles() {
      let bytes: [UInt8]
      do throws(Excess) {
        guard let content = try read(style) else { continue }
        bytes = content
      } catch {
        isExcessive = true
        continue
      }
      guard let other = found else {
        found = (style.offsetRadix, bytes)
        continue
      }
      if other.bytes == bytes { continue }
      // Lines left out, or a short last line, make two readings fit. Of words behind seven digits, those of hexdump
      // count in hexadecimal and those of od in octal: they cannot be distinguished. Otherwise the first is likelier.
      if style.isReversed, style.digits == 4, first.offsetDigits.count == 7, [other.radix, style.offsetRadix] == [16, 8] { return nil }
    }
    if found == nil, isExcessive { throw Excess() }
    return found?.bytes
  }

  /// The styles that the first lines may have, the likeliest first.
  private func styles() -> [Style] {
    let width = firstGroupWidth
    let group: (digits: Int, radix: Int, bytes: Int, isReversed: Bool) =
      switch (hasColon, width) {
      case (false, 3): (3, 8, 1, false)
      // od prints words in octal by default.
      case (false, 6): (6, 8, 2, true)
      // hexdump and od print words of the machine; Wireshark, with four digits of offset, and xxd, with a colon, bytes.
      case (false, 4) where isOffsetOfWords, (false, 8) where isOffsetOfWords, (false, 16) where isOffsetOfWords:
        (width, 16, width / 2, true)
      default: (2, 16, 1, false)
      }
    // Of what prints seven digits without a colon, od counts in octal or in decimal; nothing else counts in octal.
    let isOfSeven = first.offsetDigits.count == 7 && !hasColon
    let radices = !isOfSeven ? [16, 10] : width == 4 ? [16, 8, 10] : [8, 10, 16]
    return radices.map {
      Style(offsetRadix: $0, digits: group.digits, digitRadix: group.radix, bytes: group.bytes, isReversed: group.isReversed)
    }
  }

  private var isOffsetOfWords: Bool { first.offsetDigits.count == 6 || first.offsetDigits.count == 7 }

  private var firstGroupWidth: Int { text[first.rest].drop(while: HexText.isSpace).prefix { !HexText.isSpace($0) }.count }

  // MARK: Lines

  private func offset(_ line: Line, radix: Int) -> Int? {
    var value = 0
    for index in line.offsetDigits {
      guard let digit = Hex.value(text[index]), digit < radix else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: radix)
      guard !overflow, product <= Int.max - 16 else { return nil }
      value = product + Int(digit)
    }
    return value
  }

  private func read(_ style: Style) throws(Excess) -> [UInt8]? {
    guard let origin = offset(first, radix: style.offsetRadix) else { return nil }
    var result: [UInt8] = []
    // The bytes of the last line, which `*` repeats, and whether it stands for more.
    var previous = 0..<0
    var isRepeated = false
    var repeatedCount = 0
    var hasGap = false
    var lineCount = 0
    var item = Self.item(text, at: start)
    while true {
      switch item {
      case .end:
        guard !isRepeated, !result.isEmpty, lineCount > 1 || isOneLine(origin, result) else { return nil }
        return result
      case .other: return nil
      case .repetition(let end):
        guard !isRepeated else { return nil }
        isRepeated = true
        item = Self.item(text, at: end)
      case .line(let line):
        guard let offset = offset(line, radix: style.offsetRadix), offset >= origin else { return nil }
        if isRepeated {
          let missing = offset - origin - result.count
          guard !previous.isEmpty, missing >= 0, missing % previous.count == 0, missing <= 1 << 24 else { return nil }
          repeatedCount += missing
          guard repeatedCount <= Self.repetitionLimit else { throw Excess() }
          let bytes = result[previous]
          for _ in 0..<missing / previous.count { result += bytes }
          isRepeated = false
        }
        guard offset - origin == result.count else { return nil }
        lineCount += 1
        item = Self.item(text, at: line.end)
        var count: Int?
        if case .line(let next) = item {
          guard let next = self.offset(next, radix: style.offsetRadix) else { return nil }
          let difference = next.subtractingReportingOverflow(offset)
          guard !difference.overflow, difference.partialValue >= 0 else { return nil }
          count = difference.partialValue
        }
        if count == 0, !line.rest.isEmpty { return nil }
        if !hasGap, hasGapAfterEight(line.rest) { hasGap = true }
        let from = result.count
        // A line has so many bytes at most; a larger step is one that `*` should have announced.
        guard count ?? 0 <= 1 << 16, append(line.rest, count: count, hasGap: hasGap, style, to: &result) else { return nil }
        previous = from..<result.count
      }
    }
  }

  /// Whether a dump of one line is one: with another offset than 0, or as many digits in each group as in the offset,
  /// it is rather groups of digits.
  private func isOneLine(_ origin: Int, _ result: [UInt8]) -> Bool {
    if hasColon { return true }
    return origin == 0 && result.count <= 64 && firstGroupWidth != first.offsetDigits.count
  }

  /// Appends the bytes of a line of `count` of them, or, on the last line, of those in front of the text.
  private func append(_ rest: Range<Int>, count: Int?, hasGap: Bool, _ style: Style, to result: inout [UInt8]) -> Bool {
    let from = result.count
    var position = rest.lowerBound
    while position < rest.upperBound, count.map({ result.count - from < $0 }) ?? true {
      var spaces = 0
      while position < rest.upperBound, HexText.isSpace(text[position]) {
        position += 1
        spaces += 1
      }
      guard position < rest.upperBound else { break }
      if count == nil {
        let character = text[position]
        if character == UInt8(ascii: "|") || character == UInt8(ascii: ">") { break }
        let isGap = hasGap && spaces == 2 && result.count - from == 8
        if spaces > 1, result.count > from, !isGap, !isWideSpaced(rest) { break }
      }
      guard position + style.digits <= rest.upperBound, let value = group(position..<position + style.digits, style) else { return false }
      for index in 0..<style.bytes {
        let place = style.isReversed ? index : style.bytes - 1 - index
        result.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place)))
      }
      position += style.digits
    }
    // A word has zeros where the bytes end within it.
    if style.isReversed, let count {
      while result.count - from > count {
        guard result.count - from - count < style.bytes, result.last == 0 else { return false }
        result.removeLast()
      }
    }
    // Behind the bytes stands nothing, or their text; behind groups that are far apart, no text.
    if count != nil, position < rest.upperBound {
      if isWideSpaced(rest) { return false }
      guard HexText.isSpace(text[position]), position + 1 >= rest.upperBound || HexText.isSpace(text[position + 1]) else { return false }
    }
    return count.map { $0 == result.count - from } ?? true
  }

  private func group(_ range: Range<Int>, _ style: Style) -> UInt64? {
    var value: UInt64 = 0
    for index in range {
      guard let digit = Hex.value(text[index]), digit < style.digitRadix else { return nil }
      value = value &* UInt64(style.digitRadix) &+ UInt64(digit)
    }
    return style.bytes == 8 || value < 1 << UInt64(8 * style.bytes) ? value : nil
  }

  /// Whether groups are far apart, as `hexdump -x` prints them.
  private func isWideSpaced(_ rest: Range<Int>) -> Bool {
    text[rest].prefix(4).allSatisfy { $0 == 0x20 } && !hasColon && first.offsetDigits.count == 7
  }

  private func hasGapAfterEight(_ rest: Range<Int>) -> Bool {
    let gap = text[rest].drop(while: HexText.isSpace).startIndex + 23
    guard gap + 4 <= rest.upperBound else { return false }
    return text[gap] == 0x20 && text[gap + 1] == 0x20 && Hex.value(text[gap + 2]) != nil && Hex.value(text[gap + 3]) != nil
  }
}
