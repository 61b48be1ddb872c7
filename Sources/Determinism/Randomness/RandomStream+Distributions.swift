extension RandomStream {
  /// A standard normal number in Q16.
  package mutating func normalQ16() -> Int64 { FixedPoint.normalQ16(next()) }

  /// An exponential number of mean 1 in Q16.
  package mutating func exponentialQ16() -> Int64 { FixedPoint.exponentialQ24(next()) >> 8 }

  /// A log-normal number: its median times e to the power of `sigmaQ16` times a standard normal number.
  package mutating func logNormal(median: Int64, sigmaQ16: Int64) -> Int64 {
    let exponent = ((normalQ16() * sigmaQ16) >> 16 * 94_548) >> 16  // 1 / ln 2 in Q16.
    return (median * (FixedPoint.exp2Q24(exponent << 8) >> 8)) >> 16
  }

  /// How often something of probability `numerator` in `denominator` fails before it happens.
  ///
  /// - Precondition: the probability is neither 0 nor above 1.
  package mutating func geometric(_ numerator: UInt64, in denominator: UInt64) -> Int {
    precondition(numerator > 0 && numerator <= denominator, "RandomStream: a probability of \(numerator) in \(denominator)")
    if numerator == denominator { return 0 }
    let failure = FixedPoint.log2Q24(denominator) - FixedPoint.log2Q24(denominator - numerator)
    let drawn = 48 << 24 - FixedPoint.log2Q24(next() >> 16 + 1)
    return Int(drawn / max(failure, 1))
  }

  /// How many events of a mean rate happen (Poisson), by their waiting times; costs time in proportion to the rate.
  package mutating func poisson(meanQ16: Int64) -> Int {
    var count = -1
    var time: Int64 = 0
    repeat {
      count += 1
      time += exponentialQ16()
    } while time < meanQ16
    return count
  }
}

/// Draws that need no state: the n-th output of the SplitMix64 sequence that starts at a key.
///
/// They are what makes the radio world a function of the seed and the time: any of them can be drawn at any moment.
///
/// They are members of a public type, as the compiler inlines a function of a package in other modules there alone.
package typealias Draw = RandomStream

extension RandomStream {
  /// 64 random bits for a key and a number.
  @inlinable package static func bits(_ key: UInt64, _ number: UInt64) -> UInt64 {
    var mixed = key &+ (number &+ 1) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// 64 random bits for a key and two numbers.
  @inlinable package static func bits(_ key: UInt64, _ first: UInt64, _ second: UInt64) -> UInt64 { bits(bits(key, first), second) }

  /// Whether something of a probability in thousandths happens.
  @inlinable package static func bool(_ bits: UInt64, permille: Int) -> Bool {
    bits.multipliedFullWidth(by: 1000).high < UInt64(clamping: permille)
  }

  /// A number from 0 up to, not including, `bound`; not quite even for bounds near 2⁶⁴.
  @inlinable package static func below(_ bits: UInt64, _ bound: UInt64) -> UInt64 { bits.multipliedFullWidth(by: bound).high }
}
