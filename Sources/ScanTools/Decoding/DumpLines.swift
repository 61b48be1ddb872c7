import WiFi

/// The lines of dumps in a text of other lines: what tshark and tcpdump print of several frames, the log of a kernel
/// (`print_hex_dump`) or of wpa_supplicant, a message that quotes a dump.
enum DumpLines {
  /// What dumps a text has.
  enum Reading: Hashable {
    /// None, though lines of words may look like some.
    case none
    /// The bytes of each, which begins with the offset 0.
    case dumps([[UInt8]])
    /// Lines of one are missing or cannot be read: one clause.
    case damaged(problem: String)

    /// The number of bytes that were read.
    var count: Int {
      guard case .dumps(let dumps) = self else { return 0 }
      return dumps.reduce(0) { $0 + $1.count }
    }
  }

  /// Reads the dumps of a text from `start` on.
  ///
  /// - Parameter skipsComments: whether lines that begin with a comment, and what stands in a comment, are skipped.
  static func read(_ text: [UInt8], from start: Int, skipsComments: Bool = false) -> Reading {
    var isInComment = false
    var dumps: [[UInt8]] = []
    var dump = Dump()
    // Bytes without a line of “*” are fewer than their digits.
    var room = text.count + HexDump.repetitionLimit
    for line in text[start...].split(omittingEmptySubsequences: true, whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      if skipsComments {
        let content = line.drop(while: HexText.isSpace)
        let isBegun = isInComment || content.starts(with: "/*".utf8)
        // The star that begins one does not end it, too.
        isInComment = isBegun && (isInComment ? line : content.dropFirst(2)).firstRange(of: Array("*/".utf8)) == nil
        if isBegun || content.first == UInt8(ascii: "#") || content.starts(with: "//".utf8) { continue }
      }
      if let bytes = bytesOfLog(line) {
        if let problem = dump.end(into: &dumps, room: &room) { return .damaged(problem: problem) }
        dumps.append(bytes)
        continue
      }
      guard let row = Row(line) else {
        // As many lines as the next offset says are like the one before.
        if !dump.text.isEmpty, line.filter({ !HexText.isSpace($0) }) == [UInt8(ascii: "*")] { dump.text += [UInt8(ascii: "*"), 0x0A] }
        continue
      }
      let words = line[..<row.text.startIndex]
      if skipsComments, words.contains(UInt8(ascii: "#")) || ["//", "/*"].contains(where: { words.firstRange(of: Array($0.utf8)) != nil }) {
        continue
      }
      switch dump.place(row) {
      case .prose: continue
      case .damaged:
        let number = text[start..<line.startIndex].count { $0 == 0x0A } + 1
        return .damaged(problem: "line \(number) looks like one of a dump, and does not fit the line before it")
      case .first:
        if let problem = dump.end(into: &dumps, room: &room) { return .damaged(problem: problem) }
        fallthrough
      case .next: dump.take(row)
      }
    }
    if let problem = dump.end(into: &dumps, room: &room) { return .damaged(problem: problem) }
    return dumps.isEmpty ? .none : .dumps(dumps)
  }

  /// The lines of a dump that were collected.
  private struct Dump {
    var text: [UInt8] = []
    /// The last line, and how much its offset is behind that of the line before; of the first line, the most that a
    /// line has.
    private var last: Row?
    private var step: UInt64 = 64
    /// Whether a line is one that words cannot be.
    private var isCertain = false

    enum Place { case first, next, prose, damaged }

    /// Where a line belongs.
    func place(_ row: Row) -> Place {
      let isNext = last.map { $0.digits == row.digits && $0.offset < row.offset } ?? false
      if row.hasOnlyBytes {
        if row.offset == 0 { return .first }
        if isNext, row.isCertain || !isCertain || row.group == 0 { return .next }
        return row.isCertain && row.text.first == UInt8(ascii: "0") ? .damaged : .prose
      }
      // A damaged line of the dump, or one of words: tshark prints `0000 0001 0000 .... = Sequence number: 16`.
      if isNext, let last, row.offset - last.offset <= step, row.group == last.group { return .damaged }
      let isWords = !row.isCertain || row.isMostlyWords
      return isWords || !isNext && row.text.first != UInt8(ascii: "0") ? .prose : .damaged
    }

    mutating func take(_ row: Row) {
      if row.offset > 0, let last { step = row.offset - last.offset }
      last = row
      isCertain = isCertain || row.isCertain
      text += row.text
      text.append(0x0A)
    }

    /// Reads the lines, which have at most `room` bytes; gives what is wrong with them, if anything.
    mutating func end(into dumps: inout [[UInt8]], room: inout Int) -> String? {
      defer { self = Dump() }
      guard !text.isEmpty else { return nil }
      let content: [UInt8]?
      do throws(HexDump.Excess) { content = try HexDump.read(text, from: 0) } catch { return HexDump.excess }
      guard let bytes = content else {
        // Groups of digits, as many as in the offset, are words.
        return isCertain ? dumps.isEmpty ? HexDump.disagreement : "dump \(dumps.count + 1): \(HexDump.disagreement)" : nil
      }
      room -= bytes.count
      if room < 0 { return HexDump.excess }
      dumps.append(bytes)
      return nil
    }
  }

  /// The bytes of a line such as `BSS: IEs - hexdump(len=2): 00 00` (`wpa_hexdump` of wpa_supplicant and hostapd);
  /// `nil` where it is none, or not all of them are there.
  private static func bytesOfLog(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard let mark = line.firstRange(of: Array("hexdump(len=".utf8)), let end = line[mark.upperBound...].firstRange(of: Array("):".utf8)),
      let count = Int(String(decoding: line[mark.upperBound..<end.lowerBound], as: UTF8.self)), count > 0
    else { return nil }
    let bytes = Hex.bytes(String(decoding: line[end.upperBound...].filter { !HexText.isSpace($0) }, as: UTF8.self))
    return bytes?.count == count ? bytes : nil
  }

  /// A line with an offset at the start or, with a colon, behind other words.
  struct Row {
    /// The line from the offset on.
    let text: ArraySlice<UInt8>
    /// The number of digits of the offset, and its value.
    let digits: Int
    let offset: UInt64
    let hasColon: Bool
    /// The number of digits of the first word behind it.
    let group: Int

    init?(_ line: ArraySlice<UInt8>) {
      var position = line.startIndex
      var isFirst = true
      while position < line.endIndex {
        while position < line.endIndex, HexText.isSpace(line[position]) { position += 1 }
        let word = position
        while position < line.endIndex, !HexText.isSpace(line[position]) { position += 1 }
        var digits = line[word..<position]
        if digits.starts(with: [0x30, 0x78]) { digits = digits.dropFirst(2) }
        let hasColon = digits.last == UInt8(ascii: ":")
        if hasColon { digits = digits.dropLast() }
        let next = line[position...].drop(while: HexText.isSpace).prefix { !HexText.isSpace($0) }
        // The last line of some dumps is an offset alone.
        let isOffset = (4...16).contains(digits.count) && (hasColon || isFirst) && (next.count > 1 || next.isEmpty && isFirst && !hasColon)
        if isOffset, [digits, next].allSatisfy({ $0.allSatisfy { Hex.value($0) != nil } }) {
          (text, self.digits, self.hasColon, group) = (line[word...], digits.count, hasColon, next.count)
          offset = digits.reduce(0) { $0 << 4 | UInt64(Hex.value($1) ?? 0) }
          return
        }
        isFirst = false
      }
      return nil
    }

    /// Whether it cannot be a line of groups of digits.
    var isCertain: Bool { hasColon || group > 0 && group != digits }

    /// Whether all words are bytes up to the text behind them.
    var hasOnlyBytes: Bool { words.all == words.ofDigits }

    var isMostlyWords: Bool { words.ofDigits * 2 <= words.all }

    /// The number of words behind the offset, up to the text that stands apart from them.
    private var words: (all: Int, ofDigits: Int) {
      var (all, ofDigits) = (0, 0)
      var rest = text.drop { !HexText.isSpace($0) }.drop(while: HexText.isSpace)
      while let first = rest.first, first != UInt8(ascii: "|"), first != UInt8(ascii: ">") {
        let word = rest.prefix { !HexText.isSpace($0) && $0 != UInt8(ascii: "|") && $0 != UInt8(ascii: ">") }
        all += 1
        if word.allSatisfy({ Hex.value($0) != nil }) { ofDigits += 1 }
        rest = rest[word.endIndex...]
        let next = rest.drop(while: HexText.isSpace)
        if next.startIndex - rest.startIndex > 1 { break }
        rest = next
      }
      return (all, ofDigits)
    }
  }
}
