/// A JSON text (RFC 8259): what a client, a recording or another process of this program sent.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that 64 bits hold exactly.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// How deep values may lie within each other.
  package static let maximumDepth = 16

  /// Reads a text that is one value; `nil` where it is none, holds a name twice, or is too deep.
  package init?(_ bytes: some Sequence<UInt8>) {
    var reader = JSONReader(bytes: Array(bytes), maximumDepth: Self.maximumDepth)
    guard let value = reader.value(depth: 0) else { return nil }
    reader.skipSpace()
    guard reader.isAtEnd else { return nil }
    self = value
  }

  /// Where a text is no JSON.
  package struct SyntaxError: Error {
    /// The line where the value that cannot be read begins, counted from 1.
    package var line: Int
  }

  /// Reads texts that follow each other, with nothing but space between, and gives each with the line where it begins.
  ///
  /// - Returns: where one is none; those in front of it were given.
  package static func forEach<Failure: Error>(
    in bytes: [UInt8], maximumDepth: Int = maximumDepth, _ body: (JSONValue, _ line: Int) throws(Failure) -> Void
  ) throws(Failure) -> SyntaxError? {
    var reader = JSONReader(bytes: bytes, maximumDepth: maximumDepth)
    var (line, counted) = (1, 0)
    reader.skipSpace()
    while !reader.isAtEnd {
      line += bytes[counted..<reader.index].count { $0 == 0x0A }
      counted = reader.index
      guard let value = reader.value(depth: 0) else { return SyntaxError(line: line) }
      try body(value, line)
      reader.skipSpace()
    }
    return nil
  }

  /// The member of an object.
  package subscript(name: String) -> JSONValue? { if case .object(let members) = self { members[name] } else { nil } }

  /// The text, where it is one.
  package var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The truth value, where it is one.
  package var truth: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The whole number, where it is one that is exact.
  package var integer: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }
}

extension JSONValue {
  /// The number, where it is one.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The values of an array, where it is one.
  package var items: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
}

/// Reads JSON byte by byte.
private struct JSONReader {
  let bytes: [UInt8]
  let maximumDepth: Int
  var index = 0

  var isAtEnd: Bool { index == bytes.count }
  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
  }

  mutating func value(depth: Int) -> JSONValue? {
    guard depth < maximumDepth else { return nil }
    skipSpace()
    switch next {
    case 0x7B: return object(depth)
    case 0x5B: return array(depth)
    case 0x22: return string().map { .string($0) }
    case 0x74: return word("true", .bool(true))
    case 0x66: return word("false", .bool(false))
    case 0x6E: return word("null", .null)
    case let byte? where byte == 0x2D || (0x30...0x39).contains(byte): return number()
    default: return nil
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) -> JSONValue? {
    let letters = Array(word.utf8)
    guard bytes[index...].starts(with: letters) else { return nil }
    index += letters.count
    return value
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func object(_ depth: Int) -> JSONValue? {
    index += 1
    var members: [String: JSONValue] = [:]
    if take(0x7D) { return .object(members) }
    repeat {
      skipSpace()
      guard next == 0x22, let name = string(), take(0x3A), let value = value(depth: depth + 1),
        members.updateValue(value, forKey: name) == nil
      else { return nil }
    } while take(0x2C)
    return take(0x7D) ? .object(members) : nil
  }

  private mutating func array(_ depth: Int) -> JSONValue? {
    index += 1
    var values: [JSONValue] = []
    if take(0x5D) { return .array(values) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
    } while take(0x2C)
    return take(0x5D) ? .array(values) : nil
  }

  private mutating func number() -> JSONValue? {
    let start = index
    var isWhole = true
    if next == 0x2D { index += 1 }
    // No zero stands in front of another digit.
    if next == 0x30 { index += 1 } else if !digits() { return nil }
    if next == 0x2E {
      isWhole = false
      index += 1
      guard digits() else { return nil }
    }
    if next == 0x65 || next == 0x45 {
      isWhole = false
      index += 1
      if next == 0x2B || next == 0x2D { index += 1 }
      guard digits() else { return nil }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { return nil }
    return .number(value)
  }

  private mutating func digits() -> Bool {
    let start = index
    while let byte = next, (0x30...0x39).contains(byte) { index += 1 }
    return index > start
  }

  private mutating func string() -> String? {
    index += 1
    // Most texts have no escape, and are taken as they stand: a recording is megabytes of hexadecimal digits.
    let rest = bytes[index...]
    guard let end = rest.firstIndex(where: { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 }) else { return nil }
    var utf8 = rest[..<end]
    index = end
    while let byte = next {
      index += 1
      switch byte {
      case 0x22: return String(validating: utf8, as: UTF8.self)
      case 0x5C:
        guard let scalar = escape() else { return nil }
        utf8 += Array(String(scalar).utf8)
      case 0..<0x20: return nil
      default: utf8.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    index += 1
    switch byte {
    case 0x22, 0x5C, 0x2F: return Unicode.Scalar(byte)
    case 0x62: return "\u{8}"
    case 0x66: return "\u{C}"
    case 0x6E: return "\n"
    case 0x72: return "\r"
    case 0x74: return "\t"
    case 0x75:
      guard let high = unit() else { return nil }
      if let scalar = Unicode.Scalar(UInt32(high)) { return scalar }
      guard (0xD800..<0xDC00).contains(high), next == 0x5C else { return nil }
      index += 1
      guard next == 0x75 else { return nil }
      index += 1
      guard let low = unit(), (0xDC00..<0xE000).contains(low) else { return nil }
      return Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
    default: return nil
    }
  }

  private mutating func unit() -> UInt16? {
    guard index + 4 <= bytes.count else { return nil }
    var value: UInt16 = 0
    for byte in bytes[index..<(index + 4)] {
      guard let digit = Hex.value(byte) else { return nil }
      value = value << 4 | UInt16(digit)
    }
    index += 4
    return value
  }
}
