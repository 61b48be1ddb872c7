/// Names of numbers, and of the bits of a field, for descriptions.
package struct NumberNames: Sendable, ExpressibleByDictionaryLiteral {
  /// In the order in which the bits of a field are listed; a bit is counted from the least significant one.
  let names: [(number: Int, name: StaticString)]

  package init(dictionaryLiteral elements: (Int, StaticString)...) { names = elements.map { (number: $0.0, name: $0.1) } }

  /// The name of a number, or `nil` where it has none.
  package subscript(number: some BinaryInteger) -> StaticString? { names.first { $0.number == number }?.name }

  /// The name of a number as text, or `nil` where it has none.
  package func text(_ number: some BinaryInteger) -> String? { self[number].map { "\($0)" } }
}

extension FieldWriter {
  /// Writes a number, or that there is none.
  mutating func fieldOrNull(_ name: StaticString, _ value: (some BinaryInteger)?) {
    if let value { field(name, value) } else { fieldNull(name) }
  }

  /// Writes the name of a number, or the number where it has none.
  mutating func field(_ name: StaticString, _ value: some BinaryInteger, named names: NumberNames) {
    if let text = names[value] { field(name, plain: text) } else { field(name, value) }
  }

  /// Writes the names of the bits of `value` that are set, and the whole value as a number in hexadecimal.
  ///
  /// Two fields: `name`, an array, and `hexName`, such as `0x000c` with all digits of the type.
  mutating func flags(
    _ name: StaticString, _ hexName: StaticString, _ value: some FixedWidthInteger & UnsignedInteger, _ names: NumberNames
  ) {
    flags(name, value, names)
    field(hexName, hexNumber: value)
  }

  /// Writes the names of the bits of `value` that are set.
  mutating func flags(
    _ name: StaticString, _ value: some FixedWidthInteger & UnsignedInteger, _ names: NumberNames
  ) {
    field(name, plain: names.names.lazy.filter { value.has($0.number) }.map(\.name))
  }

  /// Writes the names of the bits of `bytes` that are set; bit 8 is the least significant of the second byte.
  mutating func flags(_ name: StaticString, in bytes: some RandomAccessCollection<UInt8>, _ names: NumberNames) {
    field(name, plain: names.names.lazy.filter { bytes.bit($0.number) }.map(\.name))
  }

  /// Writes a number in hexadecimal with all digits of its type, such as `0x000c`.
  mutating func field(_ name: StaticString, hexNumber value: some FixedWidthInteger & UnsignedInteger) {
    field(name, hexNumber: UInt64(value), digits: value.bitWidth / 4)
  }
}

extension RandomAccessCollection<UInt8> {
  /// Whether a bit is set, counted from the least significant one of the first byte; false past the end.
  func bit(_ number: Int) -> Bool {
    guard number >= 0, number / 8 < count else { return false }
    return self[index(startIndex, offsetBy: number / 8)] >> UInt8(number % 8) & 1 == 1
  }
}
