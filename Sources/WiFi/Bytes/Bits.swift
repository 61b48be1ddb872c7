extension FixedWidthInteger where Self: UnsignedInteger {
  /// Whether a bit is set; 0 is the least significant.
  @inlinable
  func has(_ bit: Int) -> Bool { self >> bit & 1 == 1 }

  /// `count` bits from `bit` on, as a number.
  @inlinable
  func bits(_ bit: Int, _ count: Int) -> Int { Int(truncatingIfNeeded: self >> bit) & ((1 << count) - 1) }
}
