/// A JSON value, read more strictly than RFC 8259 asks: a name that an object has twice is an error too.
enum StrictJSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double, isInteger: Bool)
  case string(String)
  case array([StrictJSON])
  case object([String: StrictJSON])

  /// What is no JSON, and where.
  struct Failure: Error, CustomStringConvertible {
    var offset: Int
    var reason: String
    var description: String { "\(reason) at byte \(offset)" }
  }

  /// Reads one value and the white space around it.
  init(_ bytes: [UInt8]) throws {
    var parser = Parser(bytes: bytes)
    self = try parser.value()
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.failure("something behind the value") }
  }

  init(_ text: String) throws { try self.init(Array(text.utf8)) }

  subscript(_ name: String) -> StrictJSON? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  var items: [StrictJSON]? {
    guard case .array(let items) = self else { return nil }
    return items
  }

  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  private struct Parser {
    let bytes: [UInt8]
    var position = 0

    func failure(_ reason: String) -> Failure { Failure(offset: position, reason: reason) }

    mutating func skipSpace() {
      while position < bytes.count {
        switch bytes[position] {
        case 0x20, 0x0A, 0x0D, 0x09: position += 1
        default: return
        }
      }
    }

    mutating func take(_ byte: UInt8) -> Bool {
      guard position < bytes.count, bytes[position] == byte else { return false }
      position += 1
      return true
    }

    mutating func value() throws -> StrictJSON {
      skipSpace()
      guard position < bytes.count else { throw failure("nothing where a value should be") }
      switch bytes[position] {
      case UInt8(ascii: "{"): return try object()
      case UInt8(ascii: "["): return try array()
      case UInt8(ascii: "\""): return .string(try string())
      case UInt8(ascii: "t"): return try word("true", .bool(true))
      case UInt8(ascii: "f"): return try word("false", .bool(false))
      case UInt8(ascii: "n"): return try word("null", .null)
      default: return try number()
      }
    }

    mutating func word(_ text: String, _ value: StrictJSON) throws -> StrictJSON {
      guard bytes[position...].starts(with: text.utf8) else { throw failure("no value") }
      position += text.utf8.count
      return value
    }

    mutating func number() throws -> StrictJSON {
      let start = position
      let isNegative = take(UInt8(ascii: "-"))
      let first = position
      var value = digits()
      guard position > first, bytes[first] != 0x30 || position == first + 1 else { throw failure("no number") }
      var isWhole = true
      if take(UInt8(ascii: ".")) {
        isWhole = false
        try someDigits()
      }
      if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
        isWhole = false
        if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
        try someDigits()
      }
      if !isWhole { value = Double(String(decoding: bytes[first..<position], as: UTF8.self)) ?? .nan }
      guard value.isFinite else { throw Failure(offset: start, reason: "no number") }
      return .number(isNegative ? -value : value, isInteger: isWhole || value.rounded() == value)
    }

    private mutating func digits() -> Double {
      var value = 0.0
      while position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39 {
        value = 10 * value + Double(bytes[position] - 0x30)
        position += 1
      }
      return value
    }

    private mutating func someDigits() throws {
      let start = position
      _ = digits()
      if position == start { throw failure("no number") }
    }

    mutating func string() throws -> String {
      guard take(UInt8(ascii: "\"")) else { throw failure("no name") }
      var units: [UInt16] = []
      var start = position
      if let end = bytes[start...].firstIndex(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }), bytes[end] == 0x22 {
        // The usual case, no escapes.
        guard let text = String(validating: bytes[start..<end], as: UTF8.self) else { throw failure("no UTF-8") }
        position = end + 1
        return text
      }
      func flush(_ end: Int) throws -> String.UTF16View {
        guard let text = String(validating: bytes[start..<end], as: UTF8.self) else { throw failure("no UTF-8") }
        return text.utf16
      }
      while position < bytes.count {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\"") {
          units.append(contentsOf: try flush(position))
          position += 1
          guard let text = String(validating: units, as: UTF16.self) else { throw failure("half a surrogate pair") }
          return text
        }
        guard byte >= 0x20 else { throw failure("a control character in a string") }
        position += 1
        guard byte == UInt8(ascii: "\\") else { continue }
        units.append(contentsOf: try flush(position - 1))
        units.append(try escaped())
        start = position
      }
      throw failure("a string without an end")
    }

    mutating func escaped() throws -> UInt16 {
      guard position < bytes.count else { throw failure("a string without an end") }
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
      case UInt8(ascii: "n"): return 0x0A
      case UInt8(ascii: "r"): return 0x0D
      case UInt8(ascii: "t"): return 0x09
      case UInt8(ascii: "b"): return 0x08
      case UInt8(ascii: "f"): return 0x0C
      case UInt8(ascii: "u"):
        let digits = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
        guard digits.count == 4, let unit = UInt16(digits, radix: 16) else { throw failure("no escape") }
        position += 4
        return unit
      default: throw failure("no escape")
      }
    }

    mutating func array() throws -> StrictJSON {
      position += 1
      var items: [StrictJSON] = []
      skipSpace()
      if take(UInt8(ascii: "]")) { return .array(items) }
      repeat {
        items.append(try value())
        skipSpace()
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw failure("an array without an end") }
      return .array(items)
    }

    mutating func object() throws -> StrictJSON {
      position += 1
      var members: [String: StrictJSON] = [:]
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(members) }
      repeat {
        skipSpace()
        let name = try string()
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw failure("no colon") }
        guard members.updateValue(try value(), forKey: name) == nil else { throw failure("\"\(name)\" for the second time") }
        skipSpace()
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw failure("an object without an end") }
      return .object(members)
    }
  }
}
