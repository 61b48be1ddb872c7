import WiFi

/// Digits without offsets.
enum HexDigits {
  /// Reads the digits of a text without comments from `start` on.
  static func read(_ text: [UInt8], from start: Int) -> HexText.Reading {
    let groups = groups(in: text, from: start)
    var (found, failure): (HexText.Reading?, HexText.Reading?)
    for group in groups {
      var reader = Reader(text: text)
      let reading = reader.read(group)
      guard case .bytes = reading else {
        failure = reading
        continue
      }
      if found != nil { return .text(problem: "there are several arrays in it, and one is read at a time") }
      found = reading
    }
    if let found {
      // Of a program one would not know which numbers are meant.
      guard groups.count <= maximumGroups else {
        return .text(problem: "there are \(groups.count) pairs of brackets in it, and one array is read")
      }
      return found
    }
    if let failure { return failure }
    var reader = Reader(text: text)
    return reader.read(start..<text.count)
  }

  /// The pairs of brackets that one array has, with its type and its size.
  private static let maximumGroups = 3

  /// Arrays of a programming language: what is between brackets without others between.
  private static func groups(in text: [UInt8], from start: Int) -> [Range<Int>] {
    for (opening, closing) in [(UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "["), UInt8(ascii: "]"))] {
      var (groups, from): ([Range<Int>], Int?) = ([], nil)
      for index in start..<text.count {
        if text[index] == opening { from = index + 1 }
        guard text[index] == closing, let begin = from else { continue }
        groups.append(begin..<index)
        from = nil
      }
      if !groups.isEmpty { return groups }
    }
    return []
  }

  /// Takes digits two by two.
  private struct Reader {
    let text: [UInt8]
    var result: [UInt8] = []
    /// The first word whose odd number of digits is wrong.
    var oddWord: Range<Int>?
    /// The first word of one digit.
    var firstSingle: Range<Int>?
    /// Whether a word has more than two digits.
    var hasLongWord = false

    mutating func read(_ range: Range<Int>) -> HexText.Reading {
      var position = range.lowerBound
      // A string of Python begins with b, one of any language has `\x` in front of each byte.
      let hasEscapes = text[range].contains(UInt8(ascii: "\\"))
      while position < range.upperBound, HexText.isSpace(text[position]) { position += 1 }
      if hasEscapes, position < range.upperBound, text[position] == UInt8(ascii: "b") { position += 1 }
      result.reserveCapacity(range.count / 3)
      while position < range.upperBound {
        if let length = separator(at: position, range.upperBound, hasEscapes) {
          position += length
          continue
        }
        let start = position
        while position < range.upperBound, separator(at: position, range.upperBound, hasEscapes) == nil { position += 1 }
        guard take(start..<position) else {
          return .text(problem: "“\(PrintableText.escape(text[start..<position].prefix(32)))” has other characters than digits")
        }
      }
      if let oddWord {
        let more = oddWord.count > 32 ? "…" : ""
        return .text(
          problem:
            "“\(PrintableText.escape(text[oddWord].prefix(32)))\(more)” has an odd number of digits; numbers are read as hexadecimal ones"
        )
      }
      return result.isEmpty ? .text(problem: "there are no digits in it") : .bytes(result)
    }

    /// The length of the separator at a place, or `nil` where there is none.
    private func separator(at position: Int, _ end: Int, _ hasEscapes: Bool) -> Int? {
      switch text[position] {
      case 0x20, 0x09...0x0D, UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\""),
        UInt8(ascii: "'"):
        return 1
      case UInt8(ascii: "\\") where hasEscapes && position + 1 < end:
        switch text[position + 1] {
        case UInt8(ascii: "x"), 0x0A, 0x0D: return 2
        default: return nil
        }
      default: return nil
      }
    }

    /// Takes a word; `false` where it has other characters than digits.
    private mutating func take(_ word: Range<Int>) -> Bool {
      var start = word.lowerBound
      if word.count >= 2, text[start] == UInt8(ascii: "0"), text[start + 1] | 0x20 == UInt8(ascii: "x") { start += 2 }
      let count = word.upperBound - start
      guard count > 0 else { return false }
      if count > 2 { hasLongWord = true }
      var index = start
      if count % 2 == 1 {
        guard let digit = Hex.value(text[index]) else { return false }
        index += 1
        // One digit is a byte where each word is one.
        if count == 1 { result.append(digit) }
        if oddWord == nil, count > 1 { oddWord = word }
        if count == 1, firstSingle == nil { firstSingle = word }
      }
      while index < word.upperBound {
        guard let high = Hex.value(text[index]), let low = Hex.value(text[index + 1]) else { return false }
        result.append(high << 4 | low)
        index += 2
      }
      if let single = firstSingle, hasLongWord, oddWord.map({ single.lowerBound < $0.lowerBound }) ?? true { oddWord = single }
      return true
    }
  }
}
