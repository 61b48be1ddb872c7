import WiFi

/// Addresses that stand for others.
struct MadeUpAddresses: Sendable {
  /// By the first five bytes: which one it is, and what its last bytes are counted from.
  private var families: [UInt64: (number: UInt64, base: UInt8)] = [:]

  /// The address that stands for `address`.
  mutating func address(_ address: MACAddress) -> MACAddress {
    if address.isGroup || address.value == 0 { return address }
    let key = address.value >> 8
    let last = UInt8(truncatingIfNeeded: address.value)
    let family = families[key] ?? (UInt64(families.count) + 1, last & 0xF0)
    families[key] = family
    return MACAddress(0x0A00_0000_0000 | family.number << 8 & 0xFFFF_FF00 | UInt64(last &- family.base))
  }

  /// Puts another address over the six bytes at `start`, if there are six.
  mutating func replace(in bytes: inout [UInt8], at start: Int) {
    guard start + 6 <= bytes.count, let old = MACAddress(bytes[start..<start + 6]) else { return }
    bytes.overwrite(at: start, with: address(old).bytes)
  }
}

/// Names that stand for others, each as long and as hostile as the one it stands for.
struct MadeUpNames: Sendable {
  private var names: [[UInt8]: [UInt8]] = [:]
  private var longCounts: [String: Int] = [:]
  private var shortCounts: [Shape: Int] = [:]

  private struct Shape: Hashable {
    var kind: Kind
    var length: Int
  }

  /// What is hostile about a name.
  private enum Kind: Hashable {
    case plain, beyondASCII, control, notUTF8

    init(_ bytes: [UInt8]) {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        self = .notUTF8
        return
      }
      let isHostile = text.unicodeScalars.contains { PrintableText.mustEscape($0) }
      self = isHostile ? .control : bytes.allSatisfy { $0 < 0x80 } ? .plain : .beyondASCII
    }

    /// What a name of the kind begins with.
    var mark: [UInt8] {
      switch self {
      case .plain: []
      case .beyondASCII: Array("é".utf8)
      case .control: [0x07]
      case .notUTF8: [0xFF]
      }
    }

    /// A name of the kind that has no room for more than its mark.
    func tiny(_ number: Int) -> [UInt8] {
      switch self {
      case .plain: []
      case .beyondASCII: Array(String(UnicodeScalar(UInt8(0xC0 + number % 0x40))).utf8)
      case .control: [UInt8(1 + number % 31)]
      case .notUTF8: [UInt8(0x80 + number % 0x40)]
      }
    }
  }

  /// The name that stands for `bytes`; one of nothing, zeros or spaces stands for itself.
  ///
  /// - Parameter word: what the made-up name begins with, where there is room.
  mutating func name(for bytes: [UInt8], word: String) -> [UInt8] {
    if bytes.allSatisfy({ $0 == 0 }) || bytes.allSatisfy({ $0 == 0x20 }) { return bytes }
    if let known = names[bytes] { return known }
    let kind = Kind(bytes)
    let room = bytes.count - kind.mark.count
    let new = room > 0 ? kind.mark + text(word, room, Shape(kind: kind, length: room)) : kind.tiny(count(Shape(kind: kind, length: 0)))
    names[bytes] = new
    return new
  }

  /// Such as `Network 12......`, or `Netw0012` where there is little room.
  private mutating func text(_ word: String, _ room: Int, _ shape: Shape) -> [UInt8] {
    let long = "\(word) \(longCounts[word, default: 0] + 1)"
    if long.utf8.count <= room {
      longCounts[word, default: 0] += 1
      return Array(long.utf8) + [UInt8](repeating: UInt8(ascii: "."), count: room - long.utf8.count)
    }
    let digits = min(room, 4)
    var number = count(shape)
    var result = Array((word + "xxxxxxxx").utf8.prefix(room - digits)) + [UInt8](repeating: 0, count: digits)
    for index in result.indices.suffix(digits).reversed() {
      result[index] = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)[number % 36]
      number /= 36
    }
    return result
  }

  private mutating func count(_ shape: Shape) -> Int {
    shortCounts[shape, default: 0] += 1
    return shortCounts[shape, default: 0]
  }

  /// Puts another name over the bytes of `range`.
  mutating func replace(in bytes: inout [UInt8], _ range: Range<Int>, word: String) {
    bytes.overwrite(at: range.lowerBound, with: name(for: Array(bytes[range]), word: word))
  }
}

/// Identifiers that stand for others.
struct MadeUpNumbers: Sendable {
  private var shortSSIDs: [UInt32: UInt32] = [:]
  private var domains: [UInt16: UInt16] = [:]
  private var identifiers: [[UInt8]: [UInt8]] = [:]

  /// Takes over what the checksum of a name is from now on.
  mutating func learn(shortSSID old: UInt32, as new: UInt32) {
    if shortSSIDs[old] == nil { shortSSIDs[old] = new }
  }

  /// The checksum that stands for one: that of the made-up name, or 0 for a name that was never sent.
  mutating func shortSSID(_ old: UInt32) -> UInt32 {
    learn(shortSSID: old, as: 0)
    return shortSSIDs[old] ?? 0
  }

  /// The mobility domain that stands for one.
  mutating func mobilityDomain(_ old: UInt16) -> UInt16 {
    let new = domains[old] ?? UInt16(truncatingIfNeeded: domains.count + 1)
    domains[old] = new
    return new
  }

  /// Puts another identifier, a number at the end of zeros, over the bytes of `range`; one of zeros stays.
  mutating func replace(in bytes: inout [UInt8], _ range: Range<Int>) {
    let old = Array(bytes[range])
    if old.allSatisfy({ $0 == 0 }) { return }
    var new = identifiers[old] ?? [UInt8](repeating: 0, count: old.count)
    if identifiers[old] == nil {
      var number = identifiers.count + 1
      for index in new.indices.reversed() {
        new[index] = UInt8(truncatingIfNeeded: number)
        number >>= 8
      }
      identifiers[old] = new
    }
    bytes.overwrite(at: range.lowerBound, with: new)
  }
}
