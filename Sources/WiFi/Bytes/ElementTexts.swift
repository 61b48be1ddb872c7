/// The JSON of elements that were written before, by their bytes.
///
/// Access points of one kind send the same elements: of a thousand BSSs most are found here, and copying is a tenth of
/// describing them again.
struct ElementTexts: Sendable {
  /// What was written for some bytes.
  struct Entry: Sendable {
    fileprivate var hash: UInt64
    fileprivate var key: Range<Int>
    /// Where the text in front of the field `offset` stands in ``ElementTexts/bytes``.
    var head: Range<Int>
    /// Where the text behind it stands.
    var tail: Range<Int>
  }

  /// The bytes of elements, and the texts.
  private(set) var bytes: [UInt8] = []
  private var entries: [Entry] = []
  private var slots = [Int32](repeating: -1, count: slotCount)

  /// A power of two; half of them are used at the most.
  private static let slotCount = 4096
  /// The most bytes that are kept.
  private static let maximumBytes = 1 << 21

  /// What was written for an element.
  func entry(_ element: ArraySlice<UInt8>) -> Entry? {
    let hash = Self.hash(element)
    var slot = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
    while slots[slot] >= 0 {
      let entry = entries[Int(slots[slot])]
      if entry.hash == hash, entry.key.count == element.count, isEqual(entry.key, element) { return entry }
      slot = (slot + 1) & (Self.slotCount - 1)
    }
    return nil
  }

  /// Keeps what was written for an element that there is no entry of, unless there is no room.
  mutating func add(_ element: ArraySlice<UInt8>, head: ArraySlice<UInt8>, tail: ArraySlice<UInt8>) {
    guard entries.count < Self.slotCount / 2, bytes.count + element.count + head.count + tail.count <= Self.maximumBytes else { return }
    let hash = Self.hash(element)
    var slot = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
    while slots[slot] >= 0 { slot = (slot + 1) & (Self.slotCount - 1) }
    slots[slot] = Int32(entries.count)
    func append(_ part: ArraySlice<UInt8>) -> Range<Int> {
      let start = bytes.count
      bytes += part
      return start..<bytes.count
    }
    entries.append(Entry(hash: hash, key: append(element), head: append(head), tail: append(tail)))
  }

  private func isEqual(_ key: Range<Int>, _ element: ArraySlice<UInt8>) -> Bool {
    var place = key.lowerBound
    for byte in element {
      if bytes[place] != byte { return false }
      place += 1
    }
    return true
  }

  /// FNV-1a, whose low bits are mixed once more.
  private static func hash(_ element: ArraySlice<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in element { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash ^ hash >> 29
  }
}
