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

  private var output = TextBuffer()

  /// UTF-8 text, as far as it was written.
  ///
  /// Costs a copy; ``takeBytes()`` does not.
  public var bytes: [UInt8] { output.bytes }

  private let style: Style
  private var depth = 0
  private var needsComma = false
  private var isBehindDash = false
  private var isContinued = false
  private var elementTexts: ElementTexts?

  /// Starts with nothing written.
  public init(style: Style = .json) {
    self.style = style
  }

  /// The text, as far as it was written.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The fields of a value as lines of text.
  package static func text(of value: some Describable) -> String {
    var writer = FieldWriter(style: .text)
    writer.object { value.describe(into: &$0) }
    return writer.text
  }

  /// An object as `body` writes it, as the line of a program that reads it or without a line end.
  public static func bytes(_ style: Style = .json, isLine: Bool = true, _ body: (inout FieldWriter) -> Void) -> [UInt8] {
    var writer = FieldWriter(style: style)
    writer.object(body)
    if isLine { writer.newline() }
    return writer.bytes
  }

  /// The number of bytes written since the start or since ``takeBytes()``.
  public var count: Int { output.count }

  /// The text written since the start or since this was last called, which may end anywhere within a value; what is
  /// written next continues it.
  public mutating func takeBytes() -> [UInt8] {
    isContinued = isContinued || !output.isEmpty
    return output.take()
  }

  /// Gives `body` what ``takeBytes()`` would hand over, and keeps its memory for what is written next.
  ///
  /// Costs no copy where `body` does not keep the bytes.
  ///
  /// - Throws: what `body` throws; what was given to it is not given again.
  public mutating func passBytes<Failure: Error>(to body: (ArraySlice<UInt8>) throws(Failure) -> Void) throws(Failure) {
    isContinued = isContinued || !output.isEmpty
    defer { output.removeAll() }
    try body(output[0..<output.count])
  }

  // MARK: Elements that were written before

  /// Keeps what is written of elements, and copies it where the same bytes come again; for JSON without white space
  /// alone.
  ///
  /// An element has to be what its bytes say, as those that were read from them are.
  public mutating func rememberElements() { if style == .json { elementTexts = ElementTexts() } }

  /// Whether what is written of elements is kept.
  var remembersElements: Bool { elementTexts != nil }

  /// Writes the fields of an element as ``write(_:offset:_:)`` did for the same bytes, but for its offset, or as `head`
  /// and `tail` do.
  ///
  /// - Parameters:
  ///   - element: the bytes that all fields but the offset depend on.
  ///   - head: writes the fields in front of the offset, the first of an object.
  ///   - tail: writes those behind it.
  mutating func write(
    _ element: ArraySlice<UInt8>, offset: Int, head: (inout FieldWriter) -> Void, tail: (inout FieldWriter) -> Void
  ) {
    if let entry = elementTexts?.entry(element), let texts = elementTexts?.bytes {
      unsafe texts[entry.head].withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
      end()
      field("offset", offset)
      return unsafe texts[entry.tail].withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
    }
    let start = count
    head(&self)
    let headEnd = count
    field("offset", offset)
    let tailStart = count
    tail(&self)
    let (front, rest) = (output[start..<headEnd], output[tailStart..<count])
    elementTexts?.add(element, head: front, tail: rest)
  }

  // MARK: Named fields

  /// Writes a number.
  public mutating func field(_ name: StaticString, _ value: some BinaryInteger) {
    key(name)
    append(integer: value)
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

  /// Writes text that is part of the program: ASCII without anything to escape.
  mutating func field(_ name: StaticString, plain value: StaticString) {
    key(name)
    appendPlain(value)
    end()
  }

  /// Writes a decimal number with `places` digits after the point, given as a whole number of the last place.
  ///
  /// `field("signalDBm", hundredths: -5325)` writes `-53.25`. Trailing zeros are left out.
  public mutating func field(_ name: StaticString, hundredths value: Int) {
    key(name)
    append(value, of: 100)
    end()
  }

  /// Writes a decimal number of at most six places from 0 on, given in millionths.
  ///
  /// Trailing zeros are left out.
  public mutating func field(_ name: StaticString, millionths value: Int) {
    key(name)
    append(value, of: 1_000_000)
    end()
  }

  /// Writes a decimal number of at most `places` places, 9 at the most.
  ///
  /// Trailing zeros are left out.
  mutating func field(_ name: StaticString, _ value: Double, places: Int) {
    key(name)
    output.append(contentsOf: FixedPlaces.text(value, places: places))
    end()
  }

  /// Writes a number in hexadecimal with the lowest `digits` digits, such as `0x000c` with four.
  mutating func field(_ name: StaticString, hexNumber value: UInt64, digits: Int) {
    key(name)
    if style != .text { output.append(0x22) }
    append("0x")
    for digit in stride(from: max(digits, 1) - 1, through: 0, by: -1) {
      output.append(Hex.digit(UInt8(truncatingIfNeeded: value >> UInt64(4 * digit) & 15)))
    }
    if style != .text { output.append(0x22) }
    end()
  }

  /// Writes bytes as lower-case hexadecimal.
  public mutating func field(_ name: StaticString, hex value: some Sequence<UInt8>) {
    key(name)
    appendHexString(value)
    end()
  }

  /// Writes bytes as lower-case hexadecimal, or no field at all when there are none.
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

  /// Writes a value that is there but could not be read: `null` in JSON, `unknown` as text.
  mutating func fieldUnknown(_ name: StaticString) {
    key(name)
    append(style == .text ? "unknown" : "null")
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

  /// Writes an array with an object, whose fields `body` writes, for each of `values`.
  public mutating func objects<Value>(_ name: StaticString, _ values: some Sequence<Value>, _ body: (inout Self, Value) -> Void) {
    array(name, values) { fields, value in fields.object { body(&$0, value) } }
  }

  /// Writes an array of numbers.
  public mutating func field(_ name: StaticString, _ values: some Sequence<some BinaryInteger>) {
    list(name, values) { $0.append(integer: $1) }
  }

  /// Writes an array of text.
  public mutating func field(_ name: StaticString, _ values: some Sequence<String>) {
    list(name, values) { $0.appendString($1) }
  }

  /// Writes an array of texts that are part of the program: ASCII without anything to escape.
  mutating func field(_ name: StaticString, plain values: some Sequence<StaticString>) {
    list(name, values) { $0.appendPlain($1) }
  }

  private mutating func list<Value>(
    _ name: StaticString, _ values: some Sequence<Value>, _ write: (inout FieldWriter, Value) -> Void
  ) {
    key(name)
    if style != .text { output.append(0x5B) }
    var first = true
    for value in values {
      if !first { append(style == .json ? "," : ", ") }
      first = false
      write(&self, value)
    }
    if first, style == .text { output.append("none") }
    if style != .text { output.append(0x5D) }
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
    append(integer: value)
    end()
  }

  /// Writes a decimal number, given in hundredths, as an item of an array.
  public mutating func item(hundredths value: Int) {
    item()
    append(value, of: 100)
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
    output.append(0x0A)
    needsComma = false
  }

  // MARK: Tokens

  private mutating func separate() {
    switch style {
    case .json:
      if needsComma { output.append(0x2C) }
    case .prettyJSON:
      if needsComma { output.append(0x2C) }
      if depth > 0 { indent() }
    case .text:
      break
    }
  }

  private mutating func indent() {
    if !output.isEmpty || isContinued { output.append(0x0A) }
    for _ in 0..<depth { append("  ") }
  }

  private mutating func key(_ name: StaticString, opens: Bool = false) {
    switch style {
    case .json:
      output.append(needsComma ? 0x2C : nil, quoted: name, then: 0x3A, isSpaced: false)
    case .prettyJSON:
      separate()
      output.append(nil, quoted: name, then: 0x3A, isSpaced: true)
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
    if style == .text { output.append(0x0A) }
  }

  private mutating func open(_ bracket: UInt8) {
    if style == .text {
      if depth > 0, !isBehindDash { output.append(0x0A) }
    } else {
      output.append(bracket)
    }
    depth += 1
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    depth -= 1
    if isBehindDash {
      isBehindDash = false
      output.append(0x0A)
    }
    if style != .text {
      if style == .prettyJSON, needsComma { indent() }
      output.append(bracket)
    }
    needsComma = true
  }

  private mutating func append(_ text: StaticString) { output.append(text) }

  /// Writes a whole number; what 64 bits do not hold is the nearest that they do.
  private mutating func append(integer value: some BinaryInteger) {
    let number = Int64(clamping: value)
    if number == .max { return append(magnitude: UInt64(clamping: value)) }
    if number < 0 { output.append(0x2D) }
    append(magnitude: number.magnitude)
  }

  private mutating func append(magnitude value: UInt64) { output.append(decimal: value) }

  /// Writes a number of units, of which `unit`, a power of ten, are 1; inlined, as to divide by a constant is cheap.
  @inline(__always)
  private mutating func append(_ value: Int, of unit: UInt) {
    if value < 0 { output.append(0x2D) }
    append(magnitude: UInt64(value.magnitude / unit))
    var rest = value.magnitude % unit
    if rest > 0 { output.append(0x2E) }
    while rest > 0 {
      rest *= 10
      output.append(0x30 + UInt8(rest / unit))
      rest %= unit
    }
  }

  private mutating func appendHexString(_ value: some Sequence<UInt8>) {
    if style != .text { output.append(0x22) }
    if value.withContiguousStorageIfAvailable({ unsafe output.append(hex: $0) }) == nil {
      for byte in value {
        output.append(Hex.digit(byte >> 4))
        output.append(Hex.digit(byte & 15))
      }
    }
    if style != .text { output.append(0x22) }
  }

  private mutating func appendPlain(_ value: StaticString) {
    if style != .text { output.append(0x22) }
    append(value)
    if style != .text { output.append(0x22) }
  }

  private mutating func appendString(_ value: String) {
    if style == .text {
      for scalar in value.unicodeScalars {
        output.append(contentsOf: PrintableText.mustEscape(scalar) ? PrintableText.escaped(scalar) : String(scalar))
      }
      return
    }
    output.append(0x22)
    var value = value
    let isPlain = value.withUTF8 { text in
      guard unsafe text.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) else { return false }
      unsafe output.append(contentsOf: text)
      return true
    }
    if !isPlain {
      for scalar in value.unicodeScalars { append(jsonScalar: scalar) }
    }
    output.append(0x22)
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
        for shift in [12, 8, 4, 0] as [UInt16] { output.append(Hex.digit(UInt8(unit >> shift & 15))) }
      }
    default:
      output.append(contentsOf: String(scalar))
    }
  }
}

/// A value that can say what its fields are.
public protocol Describable {
  /// Writes every field, in the order of the standard that defines them, each with its unit last in its name.
  func describe(into fields: inout FieldWriter)
}
