/// The name of one bit of a bit set, for descriptions.
struct BitName {
  /// The number of the bit; 0 is the least significant.
  let bit: Int
  /// What the standard calls it, in lowerCamelCase.
  let name: StaticString

  init(_ bit: Int, _ name: StaticString) {
    self.bit = bit
    self.name = name
  }
}

extension FieldWriter {
  /// Writes the names of the bits that are set, and the whole number.
  mutating func bits(_ name: StaticString, _ hexName: StaticString, _ value: some FixedWidthInteger & UnsignedInteger, _ names: [BitName]) {
    bits(name, value, names)
    field(hexName, hexNumber: value)
  }

  /// Writes the names of the bits that are set.
  mutating func bits(_ name: StaticString, _ value: some FixedWidthInteger & UnsignedInteger, _ names: [BitName]) {
    field(name, names.lazy.filter { value >> $0.bit & 1 == 1 }.map { "\($0.name)" })
  }

  /// Writes a number, or nothing where there is none.
  mutating func fieldIfPresent(_ name: StaticString, _ value: (some BinaryInteger)?) {
    if let value { field(name, value) }
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// Whether a bit is set; 0 is the least significant.
  @inlinable
  func has(_ bit: Int) -> Bool { self >> bit & 1 == 1 }

  /// `count` bits from `bit` on, as a number.
  @inlinable
  func bits(_ bit: Int, _ count: Int) -> Int { Int(truncatingIfNeeded: self >> bit) & ((1 << count) - 1) }
}
