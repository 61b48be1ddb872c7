import WiFi

/// The payload of an `NL80211_ATTR_BSS`, and what is different in the next one of the same BSS.
///
/// What changes at each scan is a clock, so it is written as what a clock does not explain: the time since boot
/// (`NL80211_BSS_LAST_SEEN_BOOTTIME`) less the time between the scans, the timestamps of the BSS (`NL80211_BSS_TSF`)
/// less that of the machine, those of its beacons (`NL80211_BSS_BEACON_TSF`) in intervals of 100 TU, its age
/// (`NL80211_BSS_SEEN_MS_AGO`) less what follows from the times. Whatever else changed is written as bytes. Nothing is
/// lost, whatever the bytes are.
struct CompactBSS: Hashable, Sendable {
  /// The bytes, as the kernel sent them.
  private(set) var bytes: [UInt8]
  /// The time since boot, in ns, at which the results of its scan were read.
  private(set) var scanEnd: Int64
  private var fields: [Field]

  /// A number among the attributes.
  private struct Field: Hashable, Sendable {
    var attribute: UInt16
    var range: Range<Int>
  }

  /// The attributes that are numbers which change all the time, with their widths, in the order in which they are
  /// written.
  private static let numbers: [(attribute: UInt16, width: Int)] = [
    (NL80211.BSSAttribute.lastSeenBootTime, 8), (NL80211.BSSAttribute.tsf, 8), (NL80211.BSSAttribute.beaconTSF, 8),
    (NL80211.BSSAttribute.seenMsAgo, 4), (NL80211.BSSAttribute.signalMBm, 4),
  ]

  /// The interval of most beacons, 100 TU, in µs.
  private static let beaconIntervalUs: Int64 = 102_400

  /// The bytes of a BSS in a scan.
  init(bytes: [UInt8], scanEnd: Int64) {
    self.bytes = bytes
    self.scanEnd = scanEnd
    fields = []
    var first: [UInt16: Range<Int>] = [:]
    for header in AttributeWalk(bytes) where first[header.type] == nil { first[header.type] = header.payload }
    for (attribute, width) in Self.numbers {
      if let range = first[attribute], range.count == width { fields.append(Field(attribute: attribute, range: range)) }
    }
  }

  private func number(_ range: Range<Int>) -> Int64 {
    let bits = bytes[range].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return range.count == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
  }

  private mutating func set(_ range: Range<Int>, _ value: Int64) {
    for (place, index) in range.enumerated() { bytes[index] = UInt8(truncatingIfNeeded: value >> Int64(8 * place)) }
  }

  private func value(_ attribute: UInt16) -> Int64? { fields.first { $0.attribute == attribute }.map { number($0.range) } }

  /// The age in ms that follows from the times; `nil` where one of them is missing.
  private var expectedAgeMs: Int64? { value(NL80211.BSSAttribute.lastSeenBootTime).map { (scanEnd &- $0) / 1_000_000 } }

  // MARK: Writing

  /// The words for what is different from `old`, separated by spaces; `nil` where the attributes are not the same ones.
  ///
  /// - Parameter ageOffsetMs: what the ages of this scan have in common; taken from the first that has one.
  func words(since old: CompactBSS, ageOffsetMs: inout Int64?) -> String? {
    guard bytes.count == old.bytes.count, fields == old.fields else { return nil }
    var words: [String] = []
    let elapsed = scanEnd &- old.scanEnd
    var sinceHeard: Int64 = 0
    for (attribute, _) in Self.numbers {
      guard let new = value(attribute), let before = old.value(attribute) else {
        words.append("")
        continue
      }
      let change = new &- before
      switch attribute {
      case NL80211.BSSAttribute.lastSeenBootTime:
        sinceHeard = change
        words.append(change == 0 ? "=" : Self.word(change &- elapsed))
      case NL80211.BSSAttribute.tsf: words.append(Self.word(change &- sinceHeard / 1000))
      case NL80211.BSSAttribute.beaconTSF:
        let rest = change % Self.beaconIntervalUs
        words.append(Self.word(change / Self.beaconIntervalUs) + (rest == 0 ? "" : ",\(rest)"))
      case NL80211.BSSAttribute.seenMsAgo:
        let difference = new &- (expectedAgeMs ?? before)
        if expectedAgeMs != nil {
          words.append(Self.word(difference &- (ageOffsetMs ?? 0)))
          if ageOffsetMs == nil { ageOffsetMs = difference }
        } else {
          words.append(Self.word(difference))
        }
      default: words.append(Self.word(change))
      }
    }
    while words.last == "" { words.removeLast() }
    let runs = runs(since: old)
    if !runs.isEmpty {
      words += [String](repeating: "", count: Self.numbers.count - words.count)
      words += runs
    }
    return words.joined(separator: " ")
  }

  /// A number, and nothing for none.
  private static func word(_ value: Int64) -> String { value == 0 ? "" : "\(value)" }

  /// The bytes that are different outside of the numbers, each run as `offset:hexadecimal`.
  private func runs(since old: CompactBSS) -> [String] {
    var (before, after) = (old.bytes, bytes)
    if before == after { return [] }
    for field in fields {
      for index in field.range { (before[index], after[index]) = (0, 0) }
    }
    var result: [String] = []
    var index = 0
    while index < after.count {
      guard before[index] != after[index] else {
        index += 1
        continue
      }
      let start = index
      while index < after.count, before[index] != after[index] { index += 1 }
      result.append("\(start):\(Hex.string(after[start..<index]))")
    }
    return result
  }

  // MARK: Reading

  /// Makes the bytes those of a later scan.
  ///
  /// - Returns: what is wrong with the words, where they do not fit; the bytes are then of no use.
  mutating func apply(_ words: ArraySlice<Substring>, scanEnd newEnd: Int64, ageOffsetMs: inout Int64?) -> String? {
    let elapsed = newEnd &- scanEnd
    scanEnd = newEnd
    var sinceHeard: Int64 = 0
    for (index, (attribute, _)) in Self.numbers.enumerated() {
      let word = index < words.count ? words[words.startIndex + index] : ""
      guard let field = fields.first(where: { $0.attribute == attribute }) else {
        if !word.isEmpty { return "there is no such attribute to change" }
        continue
      }
      let before = number(field.range)
      let parts = word.split(separator: ",", omittingEmptySubsequences: false)
      let mostParts = attribute == NL80211.BSSAttribute.beaconTSF ? 2 : 1
      let isUnheard = attribute == NL80211.BSSAttribute.lastSeenBootTime && word == "="
      guard parts.count <= mostParts, let change = isUnheard ? 0 : Self.number(parts.first ?? "") else {
        return "“\(PrintableText.escape(word))” is no number"
      }
      switch attribute {
      case NL80211.BSSAttribute.lastSeenBootTime:
        sinceHeard = isUnheard ? 0 : change &+ elapsed
        set(field.range, before &+ sinceHeard)
      case NL80211.BSSAttribute.tsf: set(field.range, before &+ change &+ sinceHeard / 1000)
      case NL80211.BSSAttribute.beaconTSF:
        guard let rest = parts.count == 2 ? Self.number(parts[1]) : 0 else {
          return "“\(PrintableText.escape(word))” is no number"
        }
        set(field.range, before &+ change &* Self.beaconIntervalUs &+ rest)
      case NL80211.BSSAttribute.seenMsAgo:
        if let expected = expectedAgeMs {
          let difference = change &+ (ageOffsetMs ?? 0)
          if ageOffsetMs == nil { ageOffsetMs = difference }
          set(field.range, expected &+ difference)
        } else {
          set(field.range, before &+ change)
        }
      default: set(field.range, before &+ change)
      }
    }
    for word in words.dropFirst(Self.numbers.count) {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let offset = Int(parts[0]), let content = Hex.bytes(parts[1]), offset >= 0,
        offset <= bytes.count, content.count <= bytes.count - offset
      else { return "“\(PrintableText.escape(word.utf8.prefix(60)))” changes no bytes that there are" }
      bytes.replaceSubrange(offset..<offset + content.count, with: content)
    }
    return nil
  }

  private static func number(_ word: Substring) -> Int64? { word.isEmpty ? 0 : Int64(word) }
}
