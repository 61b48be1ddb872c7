/// Logarithms, roots, exponentials and angles of whole numbers: the arithmetic of the radio, the same on every machine.
///
/// A fraction is a whole number of 2⁻ⁿ; `Q16` has n = 16, `Q24` n = 24, `Q30` n = 30. Results are cut off, not rounded,
/// and are right to within the last few units.
package enum FixedPoint {
  /// One in Q24.
  package static let oneQ24: Int64 = 1 << 24

  /// The decimal logarithm of a whole number in Q24.
  package static func log10Q24(_ value: UInt64) -> Int64 { scale(log2Q24(value), by: 1_292_913_986) }

  /// The natural logarithm of a whole number in Q24.
  package static func lnQ24(_ value: UInt64) -> Int64 { scale(log2Q24(value), by: 2_977_044_472) }

  /// Two to the power of a Q24, in Q24; 0 and `Int64.max` where it is out of range.
  package static func exp2Q24(_ exponent: Int64) -> Int64 {
    let whole = exponent >> 24
    if whole < -25 { return 0 }
    if whole > 37 { return .max }
    // 1.0 in Q62, times 2^(2^-k) for every bit of the fraction.
    var result: UInt64 = 1 << 62
    for bit in 0..<24 where exponent >> Int64(23 - bit) & 1 == 1 {
      let product = result.multipliedFullWidth(by: roots[bit])
      result = product.high << 2 | product.low >> 62
    }
    let shift = 62 - 24 - whole
    return shift >= 0 ? Int64(result >> UInt64(shift)) : Int64(result << UInt64(-shift))
  }

  /// 2^(1/2), 2^(1/4), … in Q62.
  private static let roots: [UInt64] = {
    var roots: [UInt64] = []
    var value: UInt64 = 2 << 62
    for _ in 0..<24 {
      // The root of a Q62 in Q62: the root of its 124-bit form.
      var low: UInt64 = 1 << 62
      var high: UInt64 = value
      while high - low > 1 {
        let middle = low + (high - low) / 2
        let square = middle.multipliedFullWidth(by: middle)
        let isTooLarge = (square.high, square.low) > (value >> 2, value << 62)
        if isTooLarge { high = middle } else { low = middle }
      }
      roots.append(low)
      value = low
    }
    return roots
  }()

  /// The square root of a whole number, cut off.
  package static func squareRoot(_ value: UInt64) -> UInt64 {
    if value < 2 { return value }
    // Newton's method from above.
    var guess: UInt64 = 1 << UInt64((65 - value.leadingZeroBitCount) / 2)
    while true {
      let next = (guess + value / guess) / 2
      if next >= guess { return guess }
      guess = next
    }
  }

  /// The sine of an angle in Q30; a full turn is 2³².
  ///
  /// The series to the eleventh power within a quarter: right to 6·10⁻⁸.
  package static func sineQ30(turn: UInt32) -> Int64 {
    let quarter = turn >> 30
    var within = Int64(turn & 0x3FFF_FFFF)
    if quarter & 1 == 1 { within = 1 << 30 - within }
    // The angle in radians, Q30: π/2 in Q30 times the part of the quarter.
    let angle = (within * 1_686_629_713) >> 30
    let square = (angle * angle) >> 30
    var sum: Int64 = 1 << 30
    sum = 1 << 30 - (square * sum / 110) >> 30
    sum = 1 << 30 - (square * sum / 72) >> 30
    sum = 1 << 30 - (square * sum / 42) >> 30
    sum = 1 << 30 - (square * sum / 20) >> 30
    sum = 1 << 30 - (square * sum / 6) >> 30
    let sine = (angle * sum) >> 30
    return quarter & 2 == 0 ? sine : -sine
  }

  /// The cosine of an angle in Q30; a full turn is 2³².
  package static func cosineQ30(turn: UInt32) -> Int64 { sineQ30(turn: turn &+ 1 << 30) }

  /// A standard normal number in Q16, made of 64 random bits (Box and Muller, 1958).
  package static func normalQ16(_ bits: UInt64) -> Int64 {
    // −2 ln u in Q24, for u from 2⁻³² to 1.
    let square = 2 * scale(32 << 24 - log2Q24(bits >> 32 + 1), by: 2_977_044_472)
    let radius = Int64(squareRoot(UInt64(square) << 24))
    return (radius * cosineQ30(turn: UInt32(truncatingIfNeeded: bits))) >> 38
  }

  /// An exponential number of mean 1 in Q24, made of 64 random bits; never zero.
  package static func exponentialQ24(_ bits: UInt64) -> Int64 {
    max(scale(48 << 24 - log2Q24(bits >> 16 + 1), by: 2_977_044_472), 1)
  }

  /// A number times a factor of 2⁻³².
  private static func scale(_ value: Int64, by factor: Int64) -> Int64 {
    let product = value.multipliedFullWidth(by: factor)
    return product.high << 32 | Int64(product.low >> 32)
  }
}
