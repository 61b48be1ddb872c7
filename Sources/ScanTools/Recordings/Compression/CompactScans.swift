import WiFi

/// Writes the scans of a recording of which most only say what changed (`wifi-harness/recording/2`).
///
/// An access point that is heard for the first time is written as in every recording, and gets the next number from 0
/// on; with `replaces` it takes the place of a number that there is. Later it is text: how far its number is behind the
/// one that follows its predecessor's in the list (nothing for 0), then what changed, as ``CompactBSS`` writes it. A
/// scan with `full` begins the numbers again, so that reading can begin there.
struct CompactScanWriter {
  /// How many scans there are from one that is written in full to the next.
  static let period = 256

  private var entries: [CompactBSS] = []
  private var numbers: [Identity: Int] = [:]
  private var count = 0

  /// A BSS, for which its latest bytes are kept.
  private struct Identity: Hashable {
    var bssid: MACAddress
    var ssid: SSID
  }

  /// The line of one scan, with its line end.
  mutating func line(_ scan: Scan) -> [UInt8] {
    let isFull = count % Self.period == 0
    count += 1
    if isFull { (entries, numbers) = ([], [:]) }
    let end = scan.end.wholeNanoseconds
    var next = 0
    var ageOffsetMs: Int64?
    return FieldWriter.bytes { fields in
      // In front, so that a reader that only looks for a time need not read on.
      fields.field("startNs", scan.start.wholeNanoseconds)
      fields.field("endNs", end)
      if isFull { fields.field("full", true) }
      fields.field("interface", scan.interface)
      Recording.describeOutcome(of: scan, into: &fields)
      fields.array("bss", scan.bss) { fields, bss in
        let ssid = Recording.ssid(bss)
        let identity = Identity(bssid: bss.bssid, ssid: ssid)
        let new = CompactBSS(bytes: bss.encode(), scanEnd: end)
        let known = numbers[identity]
        // One that stands twice in a list is two.
        if let known, entries[known].scanEnd != end, let words = new.words(since: entries[known], ageOffsetMs: &ageOffsetMs) {
          let step = known - next
          fields.item((step == 0 ? "" : "\(step)") + (words.isEmpty ? "" : " " + words))
          entries[known] = new
          next = known + 1
          return
        }
        let number = known ?? entries.count
        fields.object { fields in
          fields.field("bssid", bss.bssid.description)
          fields.field("ssid", ssid.description)
          if known != nil { fields.field("replaces", number) }
          fields.field("attributes", hex: new.bytes)
        }
        if known == nil { entries.append(new) } else { entries[number] = new }
        numbers[identity] = number
        next = number + 1
      }
    }
  }
}

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
          throw failure("“\(PrintableText.escape(Array(text.utf8.prefix(60))))” is no number")
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
