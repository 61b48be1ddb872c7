import WiFi

/// Reads what ``CompactScanWriter`` wrote.
struct CompactScanReader: Sendable {
  /// The most bytes of attributes that a scan and what is kept for the next may have together.
  static let maximumLength = 64 << 20

  private var entries: [CompactBSS] = []
  private var length = 0

  /// The attributes of the BSSs of a scan.
  ///
  /// - Throws: ``Recording/Failure`` where an entry refers to what is not there.
  mutating func attributes(
    of items: [JSONValue], isFull: Bool, scanEnd: Int64, line: Int
  ) throws(Recording.Failure) -> [[UInt8]] {
    if isFull { (entries, length) = ([], 0) }
    var result: [[UInt8]] = []
    var resultLength = 0
    var next = 0
    var ageOffsetMs: Int64?
    for (index, item) in items.enumerated() {
      func failure(_ reason: String) -> Recording.Failure { Recording.Failure(line: line, reason: "bss \(index): \(reason)") }
      let number: Int
      if let text = item.text {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let step = words.first ?? ""
        guard let step = step.isEmpty ? 0 : Int(step) else {
          throw failure("“\(PrintableText.escape(text.utf8.prefix(60)))” is no number")
        }
        let (sum, overflow) = next.addingReportingOverflow(step)
        guard !overflow, entries.indices.contains(sum) else { throw failure("it changes number \(sum), and there are \(entries.count)") }
        number = sum
        if let reason = entries[number].apply(words.dropFirst(), scanEnd: scanEnd, ageOffsetMs: &ageOffsetMs) { throw failure(reason) }
      } else {
        guard let content = item["attributes"]?.text.flatMap({ Hex.bytes($0) }) else { throw failure("\"attributes\" is not hexadecimal") }
        number = item["replaces"]?.integer ?? entries.count
        let new = CompactBSS(bytes: content, scanEnd: scanEnd)
        if number == entries.count {
          entries.append(new)
        } else {
          guard entries.indices.contains(number) else { throw failure("it replaces number \(number), and there are \(entries.count)") }
          length -= entries[number].bytes.count
          entries[number] = new
        }
        length += content.count
      }
      result.append(entries[number].bytes)
      resultLength += entries[number].bytes.count
      guard length + resultLength <= Self.maximumLength else {
        throw failure("its scan has more than \(Self.maximumLength >> 20) MiB of attributes, which is not read")
      }
      next = number + 1
    }
    return result
  }
}
