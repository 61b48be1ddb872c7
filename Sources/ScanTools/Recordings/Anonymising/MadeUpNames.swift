import WiFi

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
