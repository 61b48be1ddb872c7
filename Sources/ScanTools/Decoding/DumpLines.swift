import WiFi

/// The lines of dumps in a text of other lines: what tshark and tcpdump print of several frames, the log of a kernel
/// (`print_hex_dump`) or of wpa_supplicant, a message that quotes a dump.
enum DumpLines {
  /// The bytes of each dump, which begins with the offset 0; `nil` where there is none, or lines of one are missing.
  static func read(_ text: [UInt8], from start: Int) -> [[UInt8]]? {
    var dumps: [[UInt8]] = []
    var dump: [UInt8] = []
    // The digits of the offsets of the dump, and the last of them.
    var width = 0
    var last: UInt64 = 0
    /// Reads the lines that were collected.
    func isRead() -> Bool {
      guard !dump.isEmpty else { return true }
      guard let bytes = HexDump.read(dump, from: 0) else { return false }
      dumps.append(bytes)
      dump = []
      return true
    }
    for line in text[start...].split(omittingEmptySubsequences: true, whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      if let bytes = bytesOfLog(line) {
        guard isRead() else { return nil }
        dumps.append(bytes)
        continue
      }
      guard let (rest, digits, offset) = offset(in: line) else {
        // As many lines as the next offset says are like the one before.
        if !dump.isEmpty, line.filter({ !HexText.isSpace($0) }) == [UInt8(ascii: "*")] { dump += [UInt8(ascii: "*"), 0x0A] }
        continue
      }
      if offset == 0 {
        guard isRead() else { return nil }
        width = digits
      } else if dump.isEmpty || digits != width || offset <= last {
        // A line whose dump is not there, or one of words.
        if line[rest] == UInt8(ascii: "0") { return nil }
        continue
      }
      last = offset
      dump += line[rest...]
      dump.append(0x0A)
    }
    return isRead() && !dumps.isEmpty ? dumps : nil
  }

  /// The bytes of a line such as `BSS: IEs - hexdump(len=2): 00 00` (`wpa_hexdump` of wpa_supplicant and hostapd); `nil` where it is none, or
  /// not all of them are there.
  private static func bytesOfLog(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard let mark = line.firstRange(of: Array("hexdump(len=".utf8)), let end = line[mark.upperBound...].firstRange(of: Array("):".utf8)),
      let count = Int(String(decoding: line[mark.upperBound..<end.lowerBound], as: UTF8.self)), count > 0
    else { return nil }
    let bytes = Hex.bytes(String(decoding: line[end.upperBound...].filter { !HexText.isSpace($0) }, as: UTF8.self))
    return bytes?.count == count ? bytes : nil
  }

  /// Where the offset of a line begins, how many digits it has and its value: at the start or, with a colon, behind
  /// other words.
  private static func offset(in line: ArraySlice<UInt8>) -> (start: Int, digits: Int, value: UInt64)? {
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
      if isOffset, next.allSatisfy({ Hex.value($0) != nil }), let value = value(of: digits) { return (word, digits.count, value) }
      isFirst = false
    }
    return nil
  }

  private static func value(of digits: ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for digit in digits {
      guard let digit = Hex.value(digit) else { return nil }
      value = value << 4 | UInt64(digit)
    }
    return value
  }
}
