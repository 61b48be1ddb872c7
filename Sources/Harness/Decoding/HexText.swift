import WiFi

/// Hexadecimal text as people paste it.
enum HexText {
  /// What octets are, read as text.
  enum Reading: Hashable {
    /// Hexadecimal text, and the octets that it stands for.
    case octets([UInt8])
    /// Text of something else, and what is wrong with it: one clause.
    case text(problem: String)
    /// Octets that no text has.
    case binary
  }

  /// Reads digits, plain or in groups with white space, colons, dashes, commas or semicolons between, `0x` in front;
  /// an array of C or Swift; a string of `\xHH`; and what xxd, hexdump, od, tcpdump and Wireshark print: an offset in
  /// front of each line, text behind it.
  ///
  /// The offsets of a dump say how many octets a line has, so text beside it that looks like digits is not taken for
  /// some.
  static func read(_ input: [UInt8]) -> Reading {
    let input = input.starts(with: [0xEF, 0xBB, 0xBF]) ? input.dropFirst(3) : input[...]
    guard input.allSatisfy({ (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }) else { return .binary }
    let lines = input.split { $0 == 0x0A || $0 == 0x0D }.map(trimmed).filter { line in
      !line.isEmpty && line.first != UInt8(ascii: "#") && !line.starts(with: Array("//".utf8))
    }
    if let octets = dump(lines) { return .octets(octets) }
    return plain(lines)
  }

  private static func isSpace(_ octet: UInt8) -> Bool { octet == 0x20 || (0x09...0x0D).contains(octet) }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let rest = line.drop(while: isSpace)
    return rest.prefix((rest.lastIndex { !isSpace($0) } ?? rest.startIndex - 1) - rest.startIndex + 1)
  }

  // MARK: Dumps

  /// A line of a dump: its offset as digits, and what stands behind.
  private struct DumpLine {
    var offsetDigits: ArraySlice<UInt8>
    var hasColon: Bool
    var rest: ArraySlice<UInt8>

    init?(_ line: ArraySlice<UInt8>) {
      let line = line.starts(with: Array("0x".utf8)) ? line.dropFirst(2) : line
      offsetDigits = line.prefix { Hex.value($0) != nil }
      rest = line.dropFirst(offsetDigits.count)
      guard (4...16).contains(offsetDigits.count) else { return nil }
      hasColon = rest.first == UInt8(ascii: ":")
      if hasColon { rest = rest.dropFirst() }
      guard rest.first.map(HexText.isSpace) ?? !hasColon else { return nil }
    }

    func offset(radix: Int) -> Int? { Int(String(decoding: offsetDigits, as: UTF8.self), radix: radix) }
  }

  private static func dump(_ lines: [ArraySlice<UInt8>]) -> [UInt8]? {
    // tcpdump says in front what it captured.
    let first = lines.firstIndex { DumpLine($0) != nil } ?? 0
    guard let start = lines[first...].first.flatMap(DumpLine.init), first == 0 || start.hasColon else { return nil }
    let rest = Array(lines[first...])
    let (hexadecimal, octal) = (dump(rest, radix: 16), dump(rest, radix: 8))
    guard let hexadecimal, let octal, hexadecimal != octal else { return hexadecimal ?? octal }
    // Lines left out make both readings fit. Of what prints offsets of seven digits, od counts octets in octal, hexdump
    // words in hexadecimal; words of od cannot be told from those.
    return start.offsetDigits.count != 7 ? hexadecimal : isGroupsOfFour(start.rest) ? nil : octal
  }

  private static func dump(_ lines: [ArraySlice<UInt8>], radix: Int) -> [UInt8]? {
    var result: [UInt8] = []
    var origin: Int?
    // The octets of the last line, which `*` repeats, and whether it stands for more.
    var previous: ArraySlice<UInt8> = []
    var isRepeated = false
    var hasGap = false
    for (index, text) in lines.enumerated() {
      if Array(text) == [UInt8(ascii: "*")] {
        isRepeated = true
        continue
      }
      guard let line = DumpLine(text), let offset = line.offset(radix: radix) else { return nil }
      let start = origin ?? offset
      origin = start
      if isRepeated {
        let missing = offset - start - result.count
        guard !previous.isEmpty, missing >= 0, missing % previous.count == 0, missing <= 1 << 24 else { return nil }
        for _ in 0..<missing / previous.count { result += previous }
        isRepeated = false
      }
      guard offset - start == result.count else { return nil }
      let next = lines[(index + 1)...].first.flatMap(DumpLine.init)?.offset(radix: radix)
      let isLast = index == lines.count - 1
      guard isLast || next != nil || lines[index + 1] == [UInt8(ascii: "*")] else { return nil }
      if hasGapAfterEight(line.rest) { hasGap = true }
      // hexdump and od print words of the machine, unless told otherwise.
      let isWords = !line.hasColon && line.offsetDigits.count == 7 && isGroupsOfFour(line.rest)
      let count = next.map { $0 - offset }
      if count == 0, !line.rest.isEmpty { return nil }
      guard let octets = octets(line.rest, count: count.flatMap { $0 <= 256 ? $0 : nil }, hasGap: hasGap, isWords: isWords)
      else { return nil }
      previous = octets[...]
      result += octets
    }
    // One line with an offset other than 0 is rather two groups of digits.
    guard lines.count > 1 || origin == 0 || DumpLine(lines[0])?.hasColon == true else { return nil }
    return result.isEmpty ? nil : result
  }

  /// The octets of a line of `count` of them, or, on the last line, of those in front of the text.
  private static func octets(_ rest: ArraySlice<UInt8>, count: Int?, hasGap: Bool, isWords: Bool) -> [UInt8]? {
    var result: [UInt8] = []
    var position = rest.startIndex
    while position < rest.endIndex, count.map({ result.count < $0 }) ?? true {
      let spaces = rest[position...].prefix(while: isSpace).count
      position += spaces
      guard position < rest.endIndex else { break }
      if count == nil {
        if rest[position] == UInt8(ascii: "|") { break }
        if spaces > 1, !result.isEmpty, !(hasGap && spaces == 2 && result.count == 8) { break }
      }
      let width = isWords ? 4 : 2
      guard position + width <= rest.endIndex, let group = Hex.bytes(String(decoding: rest[position..<position + width], as: UTF8.self))
      else { return nil }
      result += isWords ? group.reversed() : group
      position += width
    }
    if isWords, let count, result.count == count + 1 { result.removeLast() }
    // Behind the octets stands nothing, or their text.
    let behind = rest[position...]
    if count != nil, !behind.isEmpty, !behind.prefix(2).allSatisfy(isSpace) { return nil }
    return count.map { $0 == result.count } ?? true ? result : nil
  }

  private static func hasGapAfterEight(_ rest: ArraySlice<UInt8>) -> Bool {
    let eight = trimmed(rest).dropFirst(23)
    return eight.prefix(2) == [0x20, 0x20] && eight.dropFirst(2).prefix(2).allSatisfy { Hex.value($0) != nil }
  }

  private static func isGroupsOfFour(_ rest: ArraySlice<UInt8>) -> Bool {
    rest.split(whereSeparator: isSpace).allSatisfy { $0.count == 4 }
  }

  // MARK: Digits

  private static func plain(_ lines: [ArraySlice<UInt8>]) -> Reading {
    var text = Array(lines.joined(separator: [0x0A]))[...]
    // An array of a programming language: what is between its brackets.
    for (opening, closing) in [("{", "}"), ("[", "]")] {
      if let from = text.lastIndex(of: Character(opening).asciiValue ?? 0),
        let to = text[from...].firstIndex(of: Character(closing).asciiValue ?? 0)
      {
        text = text[(from + 1)..<to]
        break
      }
    }
    // A string of a programming language: `\x0a` for each octet.
    if text.contains(UInt8(ascii: "\\")) {
      if text.first == UInt8(ascii: "b") { text = text.dropFirst() }
      text = Array(String(decoding: text, as: UTF8.self).replacing("\\x", with: " 0x").replacing("\\\n", with: "\n").utf8)[...]
    }
    let words = text.split { isSpace($0) || ":-,;\"'".utf8.contains($0) }
    let digits = words.map { $0.starts(with: Array("0x".utf8)) || $0.starts(with: Array("0X".utf8)) ? $0.dropFirst(2) : $0 }
    if let wrong = digits.firstIndex(where: { $0.isEmpty || !$0.allSatisfy { Hex.value($0) != nil } }) {
      return .text(problem: "“\(PrintableText.escape(Array(words[wrong].prefix(32))))” has other characters than digits")
    }
    let isOctetEach = words.count > 1 && digits.allSatisfy { $0.count <= 2 }
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 2)
    for (word, digits) in zip(words, digits) {
      let padded = digits.count == 1 && isOctetEach ? [0x30] + digits : Array(digits)
      guard let octets = Hex.bytes(String(decoding: padded, as: UTF8.self)) else {
        return .text(problem: "“\(PrintableText.escape(Array(word.prefix(32))))\(word.count > 32 ? "…" : "")” has an odd number of digits")
      }
      result += octets
    }
    return result.isEmpty ? .text(problem: "there are no digits in it") : .octets(result)
  }
}
