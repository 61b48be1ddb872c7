/// Hexadecimal text as people paste it.
enum HexText {
  /// What bytes are, read as text.
  enum Reading: Hashable {
    /// Hexadecimal text, and the bytes that it stands for.
    case bytes([UInt8])
    /// Several dumps, and the bytes of each.
    case dumps([[UInt8]])
    /// Text of something else, and what is wrong with it: one clause.
    case text(problem: String)
    /// Bytes that no text has.
    case binary

    /// The bytes of one dump or of several.
    init(_ dumps: [[UInt8]]) { self = dumps.count == 1 ? .bytes(dumps[0]) : .dumps(dumps) }
  }

  /// Reads hexadecimal text in any of the styles that people paste.
  ///
  /// ASCII, also in UTF-16, and among other letters of UTF-8. Digits, plain or in groups with white space, colons,
  /// dashes, commas or semicolons between, `0x` in front; an array of C or Swift; a string of `\xHH`; and what xxd,
  /// hexdump, od, tcpdump and Wireshark print: an offset in front of each line, text behind it. Comments are passed
  /// over: from `#` or `//` to the end of a line, and `/* */`. Of dumps in a text, such as a log or what tshark prints,
  /// each is read that begins with the offset 0. Where there is none, quoted mail, what stands between the fences of
  /// Markdown, and bytes behind words (``PastedText``).
  ///
  /// The offsets of a dump say how many bytes a line has, so text beside it that looks like digits is not taken for
  /// some. Costs time that is linear in the input, and the memory of the bytes; with comments that of a copy, too.
  static func read(_ input: [UInt8]) -> Reading {
    do throws(HexDump.Excess) { return try reading(input) } catch { return .text(problem: HexDump.excess) }
  }

  private static func reading(_ input: [UInt8]) throws(HexDump.Excess) -> Reading {
    let start = input.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard isText(input, from: start) else { return (narrowed(input) ?? withoutOtherLetters(input)).map(read) ?? .binary }
    if HexDump.isDecimal(input, from: start) {
      return .text(problem: "it is a dump of decimal numbers; print it with “od -A x -t x1z” or “xxd”")
    }
    if let bytes = try HexDump.read(input, from: start) { return .bytes(bytes) }
    // A dump may have any text beside it, so comments are looked for only where it is none as it stands.
    guard let stripped = withoutComments(input, from: start) else {
      return digits(input, from: start) ?? lines(DumpLines.read(input, from: start), input, from: start, of: input)
    }
    let plain: DumpLines.Reading
    if let bytes = try HexDump.read(stripped, from: 0) {
      plain = .dumps([bytes])
    } else if let reading = digits(stripped, from: 0) {
      return reading
    } else {
      plain = DumpLines.read(stripped, from: 0)
    }
    // The text of a dump may look like the beginning of a comment, and then lines are missing without it.
    let whole = DumpLines.read(input, from: start, skipsComments: true)
    return lines(whole.count > plain.count ? whole : plain, stripped, from: 0, of: input)
  }

  /// Digits without offsets; `nil` where there are others, or it looks like a dump.
  private static func digits(_ text: [UInt8], from start: Int) -> Reading? {
    if HexDump.looksLikeDump(text, from: start) { return nil }
    guard case .bytes(let bytes) = HexDigits.read(text, from: start) else { return nil }
    return .bytes(bytes)
  }

  /// What lines of dumps are, or else what people paste; `text` is `input` without comments.
  private static func lines(_ lines: DumpLines.Reading, _ text: [UInt8], from start: Int, of input: [UInt8]) -> Reading {
    let isDump = HexDump.looksLikeDump(text, from: start)
    switch lines {
    case .dumps(let dumps): return Reading(dumps)
    case .damaged(HexDump.excess): return .text(problem: HexDump.excess)
    case .damaged(let problem): return .text(problem: isDump ? HexDump.disagreement : problem)
    case .none where isDump: return .text(problem: HexDump.disagreement)
    case .none: return PastedText.read(input) ?? PastedText.read(text) ?? HexDigits.read(text, from: start)
    }
  }

  /// The bytes of base64 (RFC 4648, sections 4 and 5) in lines of any length; `nil` where the text is none, as where it
  /// has spaces.
  static func base64(_ text: [UInt8]) -> [UInt8]? {
    var (result, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    var isPadded = false
    for character in text where character != 0x0A && character != 0x0D {
      let value: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character + 4
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      case UInt8(ascii: "="):
        isPadded = true
        continue
      default: return nil
      }
      if isPadded { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    // What is left over of the last character is zero.
    return count < 6 && bits & (1 << UInt32(count) - 1) == 0 ? result : nil
  }

  /// The characters of UTF-16, as Windows writes it, in one byte each; `nil` where the input is none, or has others
  /// than ASCII.
  private static func narrowed(_ input: [UInt8]) -> [UInt8]? {
    guard input.count >= 8, input.count % 2 == 0 else { return nil }
    // The byte of each pair that is zero.
    let zero = input[0] == 0xFE || input[0] == 0 ? 0 : 1
    let start = [[0xFF, 0xFE], [0xFE, 0xFF]].contains(Array(input.prefix(2))) ? 2 : 0
    let pairs = stride(from: start, to: input.count, by: 2)
    guard pairs.allSatisfy({ input[$0 + zero] == 0 && isCharacter(input[$0 + 1 - zero]) }) else { return nil }
    return pairs.map { input[$0 + 1 - zero] }
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// Text of UTF-8 with a full stop for each byte of a character that is not of ASCII; `nil` where it is no text.
  private static func withoutOtherLetters(_ input: [UInt8]) -> [UInt8]? {
    let plain = input.map { $0 < 0x80 ? $0 : UInt8(ascii: ".") }
    return isText(plain, from: 0) && String(validating: input, as: UTF8.self) != nil ? plain : nil
  }

  private static func isText(_ input: [UInt8], from start: Int) -> Bool { input[start...].allSatisfy(isCharacter) }

  /// Whether a byte is a printable character of ASCII or white space.
  private static func isCharacter(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) || (0x09...0x0D).contains(byte) }

  /// The text with a space for each comment, or `nil` where there is none.
  private static func withoutComments(_ input: [UInt8], from start: Int) -> [UInt8]? {
    let (slash, star, hash) = (UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "#"))
    guard input.contains(where: { $0 == slash || $0 == hash }) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(input.count)
    var position = start
    while position < input.count {
      let byte = input[position]
      let next = position + 1 < input.count ? input[position + 1] : 0
      if byte == hash || byte == slash && next == slash {
        while position < input.count, input[position] != 0x0A, input[position] != 0x0D { position += 1 }
      } else if byte == slash, next == star {
        position += 2
        let content = position
        while position < input.count, !(input[position] == slash && input[position - 1] == star && position > content) { position += 1 }
        position += 1
        result.append(0x20)
      } else {
        result.append(byte)
        position += 1
      }
    }
    return result
  }
}
