/// Pseudo-random numbers that are the same on every machine, in every build and forever.
///
/// xoshiro256** 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), seeded by SplitMix64
/// as its authors recommend. Integers only: no floating point takes part, so there is nothing to round differently.
public struct RandomStream: Sendable {
  @usableFromInline var state: (UInt64, UInt64, UInt64, UInt64)

  /// The stream of a seed.
  package init(seed: UInt64) {
    var splitMix = SplitMix64(state: seed)
    state = (splitMix.next(), splitMix.next(), splitMix.next(), splitMix.next())
  }

  /// The stream of a seed for one named part of a system.
  ///
  /// Each part draws from a stream of its own, so that one part that draws more does not disturb the others. The name
  /// is folded into the seed with FNV-1a (64 bits).
  package init(seed: UInt64, name: String) {
    var hash = TraceHash()
    hash.append(name)
    var mixer = SplitMix64(state: seed)
    self.init(seed: mixer.next() ^ hash.value)
  }

  /// The stream whose state is these four words, which are not all zero.
  package init(state: (UInt64, UInt64, UInt64, UInt64)) {
    precondition(state != (0, 0, 0, 0), "RandomStream: the state of all zeros never leaves zero")
    self.state = state
  }

  /// The next 64 bits.
  @inlinable public mutating func next() -> UInt64 {
    let product = state.1 &* 5
    let result = (product << 7 | product >> 57) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = state.3 << 45 | state.3 >> 19
    return result
  }

  /// A number from 0 up to, not including, `bound`, each equally likely.
  ///
  /// The high half of the product with a fresh number; numbers in the uneven rest are drawn again (Lemire, "Fast random
  /// integer generation in an interval", 2019).
  ///
  /// - Precondition: `bound` is not zero.
  @inlinable public mutating func next(below bound: UInt64) -> UInt64 {
    precondition(bound > 0, "RandomStream: a bound of zero leaves nothing to draw")
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      let threshold = (0 &- bound) % bound
      while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
    }
    return product.high
  }

  /// Whether an event of probability `numerator` in `denominator` happens.
  @inlinable public mutating func bool(_ numerator: UInt64, in denominator: UInt64) -> Bool {
    next(below: denominator) < numerator
  }
}

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), with the constants of
/// Vigna's reference implementation.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  package init(state: UInt64) { self.state = state }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
