/// The names of the bits of a field, for descriptions.
struct FlagNames: Sendable, ExpressibleByArrayLiteral {
  /// A bit, counted from the least significant one, and its name in lowerCamelCase.
  struct Flag: Sendable {
    let bit: Int
    let name: StaticString

    init(_ bit: Int, _ name: StaticString) {
      self.bit = bit
      self.name = name
    }
  }

  let flags: [Flag]

  init(_ names: [(bit: Int, name: StaticString)]) { flags = names.map { Flag($0.bit, $0.name) } }

  init(arrayLiteral elements: Flag...) { flags = elements }
}

extension FieldWriter {
  /// Writes the names of the bits of `value` that are set, and the whole value as a number in hexadecimal.
  ///
  /// Two fields: `name`, an array, and `hexName`, such as `0x000c` with all digits of the type.
  mutating func flags(
    _ name: StaticString, _ hexName: StaticString, _ value: some FixedWidthInteger & UnsignedInteger, _ names: FlagNames
  ) {
    flags(name, value, names)
    field(hexName, hexNumber: value)
  }

  /// Writes the names of the bits of `value` that are set.
  mutating func flags(
    _ name: StaticString, _ value: some FixedWidthInteger & UnsignedInteger, _ names: FlagNames
  ) {
    field(name, plain: names.flags.lazy.filter { value >> $0.bit & 1 == 1 }.map(\.name))
  }

  /// Writes the names of the bits of `bytes` that are set; bit 8 is the least significant of the second byte.
  mutating func flags(_ name: StaticString, in bytes: some RandomAccessCollection<UInt8>, _ names: FlagNames) {
    field(name, plain: names.flags.lazy.filter { bytes.bit($0.bit) }.map(\.name))
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
