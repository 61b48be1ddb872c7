import WiFi

/// Bytes in text that people write to each other: quoted, between the fences of Markdown, or behind words.
enum PastedText {
  /// Reads what ``HexText`` finds no dump in; `nil` where it has none of these.
  static func read(_ text: [UInt8]) -> HexText.Reading? {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A || $0 == 0x0D })
    if let text = unquoted(lines) { return HexText.read(text) }
    return fenced(lines, room: text.count + HexDump.repetitionLimit) ?? labelled(lines)
  }

  /// The text without the marks of quoted mail, `>` or `> > `; `nil` where no line has one.
  private static func unquoted(_ lines: [ArraySlice<UInt8>]) -> [UInt8]? {
    var hasMarks = false
    let plain = lines.map { line -> ArraySlice<UInt8> in
      var rest = line.drop(while: HexText.isSpace)
      while rest.first == UInt8(ascii: ">") {
        hasMarks = true
        rest = rest.dropFirst().drop(while: HexText.isSpace)
      }
      return rest
    }
    return hasMarks ? Array(plain.joined(separator: [0x0A])) : nil
  }

  /// What stands between fences, where something of it can be read, which has at most `room` bytes.
  private static func fenced(_ lines: [ArraySlice<UInt8>], room: Int) -> HexText.Reading? {
    var dumps: [[UInt8]] = []
    var count = 0
    let parts = lines.split(omittingEmptySubsequences: false) { line in
      let text = line.drop(while: HexText.isSpace)
      return text.starts(with: "```".utf8) || text.starts(with: "~~~".utf8)
    }
    // Each second part is between fences.
    for (index, part) in parts.enumerated() where index % 2 == 1 {
      switch HexText.read(Array(part.joined(separator: [0x0A]))) {
      case .bytes(let bytes):
        dumps.append(bytes)
        count += bytes.count
      case .dumps(let list):
        dumps += list
        count += list.reduce(0) { $0 + $1.count }
      case .text(HexDump.disagreement): return .text(problem: HexDump.disagreement)
      case .text(HexDump.excess): return .text(problem: HexDump.excess)
      case .text, .binary: continue
      }
      if count > room { return .text(problem: HexDump.excess) }
    }
    return dumps.isEmpty ? nil : HexText.Reading(dumps)
  }

  /// Bytes at the end of a line, behind a word with a colon or an equals sign, and lines of nothing but bytes; those
  /// that follow each other belong together.
  private static func labelled(_ lines: [ArraySlice<UInt8>]) -> HexText.Reading? {
    var dumps: [[UInt8]] = []
    var isOpen = false
    for line in lines {
      let words = line.split(whereSeparator: HexText.isSpace)
      let label = words.lastIndex { $0.last == UInt8(ascii: ":") || $0.last == UInt8(ascii: "=") }
      let rest = words[(label.map { $0 + 1 } ?? 0)...]
      let isDigits = !rest.isEmpty && rest.allSatisfy { $0.count % 2 == 0 && $0.allSatisfy { Hex.value($0) != nil } }
      // A few digits may be any number.
      let isEnough =
        rest.count >= 4 && rest.allSatisfy { $0.count == 2 } || label != nil && rest.count == 1 && rest[rest.startIndex].count >= 16
      let isMore = isOpen && label == nil
      guard isDigits, isEnough || isMore, line.firstRange(of: Array("hexdump(len=".utf8)) == nil else {
        isOpen = false
        continue
      }
      if let label, let row = DumpLines.Row(line), row.hasColon {
        let word = PrintableText.escape(words[label].prefix(32))
        return .text(
          problem: "“\(word)” is an offset of a dump that begins elsewhere, or a word before bytes; without it the bytes are read")
      }
      if !isMore { dumps.append([]) }
      dumps[dumps.count - 1] += Hex.bytes(String(decoding: rest.joined(), as: UTF8.self)) ?? []
      isOpen = true
    }
    return dumps.isEmpty ? nil : HexText.Reading(dumps)
  }
}
