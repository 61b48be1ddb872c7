/// Writes named fields, either as JSON or as indented text, from one description of a value.
///
/// A value says what its fields are (``Describable/describe(into:)``); how they look is decided here. Names are
/// lowerCamelCase with the unit last (`intervalTU`, `signalDBm`). Text that an access point controls goes through
/// ``SSID`` or ``field(_:_:)-(StaticString,String)``, which escapes control characters in either style.
public struct FieldWriter: Sendable {
  /// How fields look.
  public enum Style: Hashable, Sendable {
    /// JSON with no white space between tokens.
    case json
    /// JSON with one field a line, indented by two spaces.
    case prettyJSON
    /// One `name: value` a line, children indented by two spaces.
    case text
  }

  /// UTF-8 text, as far as it was written.
  public private(set) var bytes: [UInt8] = []

  private let style: Style
  private var depth = 0
  private var needsComma = false
  private var isBehindDash = false
  private var isContinued = false

  /// Starts with nothing written.
  public init(style: Style = .json) {
    self.style = style
  }

  /// The text, as far as it was written.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Forgets the text but keeps its memory, for the next value.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
    isContinued = false
  }

  /// Hands over the text as far as it was written; what is written next continues it.
  public mutating func take() -> [UInt8] {
    isContinued = isContinued || !bytes.isEmpty
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  // MARK: Named fields

  /// Writes a number.
  public mutating func field(_ name: StaticString, _ value: some BinaryInteger) {
    key(name)
    append(integer: Int64(clamping: value))
    end()
  }

  /// Writes a number that may need all of 64 bits.
  public mutating func field(_ name: StaticString, _ value: UInt64) {
    key(name)
    append(magnitude: value)
    end()
  }

  /// Writes a truth value.
  public mutating func field(_ name: StaticString, _ value: Bool) {
    key(name)
    append(value ? "true" : "false")
    end()
  }

  /// Writes text; control, bidirectional and line-separating characters are escaped.
  public mutating func field(_ name: StaticString, _ value: String) {
    key(name)
    appendString(value)
    end()
  }

  /// Writes a decimal number with `places` digits after the point, given as a whole number of the last place.
  ///
  /// `field("signalDBm", hundredths: -5325)` writes `-53.25`. Trailing zeros are left out.
  public mutating func field(_ name: StaticString, hundredths value: Int) {
    key(name)
    append(hundredths: value)
    end()
  }

  /// Writes octets as lower-case hexadecimal.
  public mutating func field(_ name: StaticString, hex value: some Sequence<UInt8>) {
    key(name)
    appendHexString(value)
    end()
  }

  /// Writes octets as lower-case hexadecimal, or no field at all when there are none.
  public mutating func fieldIfPresent(_ name: StaticString, hex value: [UInt8]) {
    if !value.isEmpty { field(name, hex: value) }
  }

  /// Writes a number, or nothing where there is none.
  mutating func fieldIfPresent(_ name: StaticString, _ value: (some BinaryInteger)?) {
    if let value { field(name, value) }
  }

  /// Writes a value that is not known or not there.
  public mutating func fieldNull(_ name: StaticString) {
    key(name)
    append(style == .text ? "none" : "null")
    end()
  }

  /// Writes an object and, inside it, what `body` writes.
  public mutating func object(_ name: StaticString, _ body: (inout FieldWriter) -> Void) {
    key(name, opens: true)
    open(0x7B)
    body(&self)
    close(0x7D)
  }

  /// Writes an array and, inside it, the items that `body` writes.
  public mutating func array(_ name: StaticString, _ body: (inout FieldWriter) -> Void) {
    key(name, opens: true)
    open(0x5B)
    body(&self)
    close(0x5D)
  }

  /// Writes an array with an item, as `body` writes it, for each of `values`.
  public mutating func array<Value>(
    _ name: StaticString, _ values: some Sequence<Value>, _ body: (inout FieldWriter, Value) -> Void
  ) {
    array(name) { fields in
      for value in values { body(&fields, value) }
    }
  }

  /// Writes an array of numbers.
  public mutating func field(_ name: StaticString, _ values: some Sequence<some BinaryInteger>) {
    list(name, values) { $0.append(integer: Int64(clamping: $1)) }
  }

  /// Writes an array of text.
  public mutating func field(_ name: StaticString, _ values: some Sequence<String>) {
    list(name, values) { $0.appendString($1) }
  }

  private mutating func list<Value>(
    _ name: StaticString, _ values: some Sequence<Value>, _ write: (inout FieldWriter, Value) -> Void
  ) {
    key(name)
    if style != .text { bytes.append(0x5B) }
    var first = true
    for value in values {
      if !first { append(style == .json ? "," : ", ") }
      first = false
      write(&self, value)
    }
    if first, style == .text { append("none") }
    if style != .text { bytes.append(0x5D) }
    end()
  }

  // MARK: Items of an array, and the outermost value

  /// Writes an object with no name: an item of an array, or the outermost value.
  public mutating func object(_ body: (inout FieldWriter) -> Void) {
    item(opens: true)
    open(0x7B)
    body(&self)
    close(0x7D)
  }

  /// Writes a number as an item of an array.
  public mutating func item(_ value: some BinaryInteger) {
    item()
    append(integer: Int64(clamping: value))
    end()
  }

  /// Writes a decimal number, given in hundredths, as an item of an array.
  public mutating func item(hundredths value: Int) {
    item()
    append(hundredths: value)
    end()
  }

  /// Writes text as an item of an array.
  public mutating func item(_ value: String) {
    item()
    appendString(value)
    end()
  }

  /// Ends the line, for one value a line.
  public mutating func newline() {
    bytes.append(0x0A)
    needsComma = false
  }

  /// Writes JSON that was made elsewhere as an item of an array; only for the JSON styles.
  public mutating func item(rawJSON value: some Sequence<UInt8>) {
    item()
    bytes.append(contentsOf: value)
    end()
  }

  // MARK: Tokens

  private mutating func separate() {
    switch style {
    case .json:
      if needsComma { bytes.append(0x2C) }
    case .prettyJSON:
      if needsComma { bytes.append(0x2C) }
      if depth > 0 { indent() }
    case .text:
      break
    }
  }

  private mutating func indent() {
    if !bytes.isEmpty || isContinued { bytes.append(0x0A) }
    for _ in 0..<depth { append("  ") }
  }

  private mutating func key(_ name: StaticString, opens: Bool = false) {
    separate()
    switch style {
    case .json:
      bytes.append(0x22)
      append(name)
      append("\":")
    case .prettyJSON:
      bytes.append(0x22)
      append(name)
      append("\": ")
    case .text:
      indentText()
      append(name)
      append(opens ? ":" : ": ")
    }
  }

  private mutating func item(opens: Bool = false) {
    separate()
    guard style == .text, depth > 0 else { return }
    indentText()
    append("- ")
    // The first field of an object stands behind the dash.
    isBehindDash = opens
  }

  /// Spaces in front of a line of text, unless a dash already stands there.
  private mutating func indentText() {
    if isBehindDash {
      isBehindDash = false
    } else {
      for _ in 1..<max(depth, 1) { append("  ") }
    }
  }

  private mutating func end() {
    needsComma = true
    if style == .text { bytes.append(0x0A) }
  }

  private mutating func open(_ bracket: UInt8) {
    if style == .text {
      if depth > 0, !isBehindDash { bytes.append(0x0A) }
    } else {
      bytes.append(bracket)
    }
    depth += 1
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    depth -= 1
    if isBehindDash {
      isBehindDash = false
      bytes.append(0x0A)
    }
    if style != .text {
      if style == .prettyJSON, needsComma { indent() }
      bytes.append(bracket)
    }
    needsComma = true
  }

  private mutating func append(_ text: StaticString) {
    if text.utf8CodeUnitCount == 0 { return }
    text.withUTF8Buffer { buffer in unsafe bytes.append(contentsOf: buffer) }
  }

  private mutating func append(integer value: Int64) {
    if value < 0 { bytes.append(0x2D) }
    append(magnitude: value.magnitude)
  }

  private mutating func append(magnitude value: UInt64) {
    if value < 10 {
      bytes.append(0x30 + UInt8(truncatingIfNeeded: value))
      return
    }
    var rest = value
    let start = bytes.count
    while rest > 0 {
      bytes.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    bytes[start...].reverse()
  }

  private mutating func append(hundredths value: Int) {
    if value < 0 { bytes.append(0x2D) }
    append(magnitude: UInt64(value.magnitude / 100))
    let fraction = value.magnitude % 100
    if fraction == 0 { return }
    bytes.append(0x2E)
    bytes.append(0x30 + UInt8(fraction / 10))
    if fraction % 10 > 0 { bytes.append(0x30 + UInt8(fraction % 10)) }
  }

  private mutating func appendHexString(_ value: some Sequence<UInt8>) {
    if style != .text { bytes.append(0x22) }
    for byte in value {
      bytes.append(Hex.digits[Int(byte >> 4)])
      bytes.append(Hex.digits[Int(byte & 15)])
    }
    if style != .text { bytes.append(0x22) }
  }

  private mutating func appendString(_ value: String) {
    if style == .text {
      for scalar in value.unicodeScalars {
        if PrintableText.mustEscape(scalar) {
          bytes.append(contentsOf: PrintableText.escaped(scalar).utf8)
        } else {
          bytes.append(contentsOf: String(scalar).utf8)
        }
      }
      return
    }
    bytes.append(0x22)
    var value = value
    let isPlain = value.withUTF8 { unsafe $0.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C } }
    if isPlain {
      bytes.append(contentsOf: value.utf8)
    } else {
      for scalar in value.unicodeScalars { append(jsonScalar: scalar) }
    }
    bytes.append(0x22)
  }

  /// RFC 8259 section 7; what a terminal could act on is escaped although JSON would allow it.
  private mutating func append(jsonScalar scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append("\\\"")
    case "\\": append("\\\\")
    case "\n": append("\\n")
    case "\r": append("\\r")
    case "\t": append("\\t")
    case _ where PrintableText.mustEscape(scalar):
      for unit in UTF16.encode(scalar) ?? .init() {
        append("\\u")
        for shift in [12, 8, 4, 0] as [UInt16] { bytes.append(Hex.digits[Int(unit >> shift & 15)]) }
      }
    default:
      bytes.append(contentsOf: String(scalar).utf8)
    }
  }
}

/// A value that can say what its fields are.
public protocol Describable {
  /// Writes every field, in the order of the standard that defines them, each with its unit last in its name.
  func describe(into fields: inout FieldWriter)
}
