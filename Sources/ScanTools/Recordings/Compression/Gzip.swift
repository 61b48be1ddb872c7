import WiFi

/// Content that is compressed by gzip (RFC 1952), as captures often are.
///
/// It is read as a whole, and never written.
public enum Gzip {
  /// Why compressed content cannot be read.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in words.
    public var description: String
  }

  /// Whether content is compressed, by its first bytes: the magic number, and the only method there is.
  public static func isCompressed(_ head: some Collection<UInt8>) -> Bool { head.starts(with: [0x1F, 0x8B, 0x08]) }

  /// The content of compressed bytes, and whether it was cut off: then it is as much of it as can be read.
  ///
  /// - Parameter limit: the most bytes that it may have.
  /// - Throws: ``Failure`` where it is damaged or has more.
  public static func expanded(_ bytes: [UInt8], limit: Int = Zstandard.wholeLimit) throws(Failure) -> (content: [UInt8], isCut: Bool) {
    var inflater = Inflater(bytes: bytes, limit: limit)
    do {
      try inflater.readMembers()
      return (inflater.output, false)
    } catch {
      switch error {
      case .cut: return (inflater.output, true)
      case .damaged(let offset): throw Failure(description: "its compressed content is damaged before byte \(offset)")
      case .tooLong: throw Failure(description: "its content has more than \(limit) bytes")
      }
    }
  }
}

/// Reads members of gzip (RFC 1952 2.2) and the blocks in them (RFC 1951 3.2).
private struct Inflater {
  enum Problem: Error {
    case cut
    case damaged(Int)
    case tooLong
  }

  let bytes: [UInt8]
  let limit: Int
  var output: [UInt8] = []
  var position = 0
  var bits: UInt64 = 0
  var bitCount = 0

  private var damaged: Problem { .damaged(position) }

  // MARK: Members

  /// Reads one member behind the other; what is behind the last and is none is left, as gzip leaves it.
  mutating func readMembers() throws(Problem) {
    repeat {
      let start = output.count
      try readHeader()
      while try readBlock() {}
      let rest = bitCount % 8
      _ = try take(rest)
      let sum = UInt32(try take(16)) | UInt32(try take(16)) << 16
      let size = UInt32(try take(16)) | UInt32(try take(16)) << 16
      guard sum == FrameCheckSequence.of(output, in: start..<output.count), size == UInt32(truncatingIfNeeded: output.count - start) else {
        throw damaged
      }
      // What was taken in and not used stands in front of what comes next.
      position -= bitCount / 8
      (bits, bitCount) = (0, 0)
    } while Gzip.isCompressed(bytes[position...])
  }

  private mutating func readHeader() throws(Problem) {
    func skip(_ count: Int) throws(Problem) {
      guard bytes.count - position >= count else { throw .cut }
      position += count
    }
    func skipText() throws(Problem) {
      guard let end = bytes[position...].firstIndex(of: 0) else { throw .cut }
      position = end + 1
    }
    guard bytes.count - position >= 10 else { throw .cut }
    let flags = bytes[position + 3]
    try skip(10)
    if flags & 4 != 0 {
      guard bytes.count - position >= 2 else { throw .cut }
      try skip(2 + Int(bytes[position]) + Int(bytes[position + 1]) << 8)
    }
    if flags & 8 != 0 { try skipText() }
    if flags & 16 != 0 { try skipText() }
    if flags & 2 != 0 { try skip(2) }
  }

  // MARK: Blocks

  /// Reads a block; `false` after the last.
  private mutating func readBlock() throws(Problem) -> Bool {
    let isLast = try take(1) == 1
    switch try take(2) {
    case 0: try readStored()
    case 1: try readCodes(Self.fixedLiterals, Self.fixedDistances)
    case 2:
      let (literals, distances) = try readTables()
      try readCodes(literals, distances)
    default: throw damaged
    }
    return !isLast
  }

  private mutating func readStored() throws(Problem) {
    _ = try take(bitCount % 8)
    let length = try take(16)
    guard try take(16) == length ^ 0xFFFF else { throw damaged }
    position -= bitCount / 8
    (bits, bitCount) = (0, 0)
    let available = min(length, bytes.count - position)
    output += bytes[position..<position + available]
    position += available
    if available < length { throw .cut }
    if output.count > limit { throw .tooLong }
  }

  /// The lengths of the codes of a block, which are themselves written in a code (RFC 1951 3.2.7).
  private mutating func readTables() throws(Problem) -> (HuffmanCode, HuffmanCode) {
    let (literalCount, distanceCount, lengthCount) = (try take(5) + 257, try take(5) + 1, try take(4) + 4)
    var lengths = [UInt8](repeating: 0, count: 19)
    for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(lengthCount) {
      lengths[place] = UInt8(try take(3))
    }
    guard let code = HuffmanCode(lengths) else { throw damaged }
    var result: [UInt8] = []
    while result.count < literalCount + distanceCount {
      switch try decode(code) {
      case 16:
        guard let last = result.last else { throw damaged }
        result += [UInt8](repeating: last, count: try take(2) + 3)
      case 17: result += [UInt8](repeating: 0, count: try take(3) + 3)
      case 18: result += [UInt8](repeating: 0, count: try take(7) + 11)
      case let length: result.append(UInt8(length))
      }
    }
    guard result.count == literalCount + distanceCount, let literals = HuffmanCode(Array(result[..<literalCount])),
      let distances = HuffmanCode(Array(result[literalCount...]))
    else { throw damaged }
    return (literals, distances)
  }

  private static let fixedLiterals = HuffmanCode((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }) ?? HuffmanCode.none
  private static let fixedDistances = HuffmanCode([UInt8](repeating: 5, count: 30)) ?? HuffmanCode.none

  /// The shortest length or distance of each symbol, and how many bits are added to it (RFC 1951 3.2.5).
  private static let lengths: [(base: Int, bits: Int)] = ranges(from: 3, count: 28, step: 4) + [(258, 0)]
  private static let distances: [(base: Int, bits: Int)] = ranges(from: 1, count: 30, step: 2)

  private static func ranges(from first: Int, count: Int, step: Int) -> [(base: Int, bits: Int)] {
    var result: [(base: Int, bits: Int)] = []
    var base = first
    for index in 0..<count {
      let bits = max(0, index / step - 1)
      result.append((base, bits))
      base += 1 << bits
    }
    return result
  }

  private mutating func readCodes(_ literals: HuffmanCode, _ distances: HuffmanCode) throws(Problem) {
    while true {
      let symbol = try decode(literals)
      if symbol < 256 {
        output.append(UInt8(symbol))
      } else if symbol == 256 {
        return
      } else {
        guard symbol - 257 < Self.lengths.count else { throw damaged }
        let length = Self.lengths[symbol - 257]
        let count = length.base + (try take(length.bits))
        let code = try decode(distances)
        guard code < Self.distances.count else { throw damaged }
        let distance = Self.distances[code].base + (try take(Self.distances[code].bits))
        guard distance <= output.count else { throw damaged }
        // What is copied may be what this copy itself has written.
        for _ in 0..<count { output.append(output[output.count - distance]) }
      }
      if output.count > limit { throw .tooLong }
    }
  }

  // MARK: Bits

  /// Reads bytes until there are `count` bits, as far as there are any.
  private mutating func fill(_ count: Int) {
    while bitCount < count, position < bytes.count {
      bits |= UInt64(bytes[position]) << UInt64(bitCount)
      position += 1
      bitCount += 8
    }
  }

  /// The next bits as a number, the least significant first; at most 16.
  private mutating func take(_ count: Int) throws(Problem) -> Int {
    fill(count)
    guard bitCount >= count else { throw .cut }
    defer {
      bits >>= UInt64(count)
      bitCount -= count
    }
    return Int(bits & (1 << UInt64(count) - 1))
  }

  /// The next symbol of a code.
  private mutating func decode(_ code: HuffmanCode) throws(Problem) -> Int {
    fill(HuffmanCode.maximumLength)
    let (symbol, length) = code.entry(Int(bits & (1 << UInt64(HuffmanCode.maximumLength) - 1)))
    guard length > 0 else { throw bitCount < HuffmanCode.maximumLength ? .cut : damaged }
    guard length <= bitCount else { throw .cut }
    bits >>= UInt64(length)
    bitCount -= length
    return symbol
  }
}

/// A Huffman code that is known by the lengths of its words (RFC 1951 3.2.2), as a table of all words with what may
/// follow them.
private struct HuffmanCode {
  static let maximumLength = 15
  static let none = HuffmanCode()

  /// Symbol times 16 and length, by the next 15 bits; 0 for what is no word.
  private var table: [UInt16]

  private init() { table = [UInt16](repeating: 0, count: 1 << Self.maximumLength) }

  /// Makes the code; `nil` where the lengths ask for more words than there are.
  init?(_ lengths: [UInt8]) {
    self.init()
    var next = 0
    for length in 1...Self.maximumLength {
      next <<= 1
      for (symbol, own) in lengths.enumerated() where Int(own) == length {
        guard next < 1 << length else { return nil }
        // A word is written from its most significant bit on, all else from the least.
        let word = (0..<length).reduce(0) { $0 | (next >> $1 & 1) << (length - 1 - $1) }
        for entry in stride(from: word, to: table.count, by: 1 << length) { table[entry] = UInt16(symbol << 4 | length) }
        next += 1
      }
    }
  }

  func entry(_ bits: Int) -> (symbol: Int, length: Int) { (Int(table[bits] >> 4), Int(table[bits] & 15)) }
}
