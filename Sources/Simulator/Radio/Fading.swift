import Determinism

/// How much stronger or weaker than its mean a frame comes in over several paths.
package enum Fading {
  /// The strength beside the mean in 1/100 dB, averaged over independent Rayleigh-fading branches.
  ///
  /// One branch is Rayleigh fading of a narrow channel; several are what is left of it over a channel as wide as
  /// Wi-Fi's or with several antennas.
  public static func milliBels(_ bits: UInt64, branches: Int) -> Int32 {
    var sum: Int64 = 0
    for branch in 0..<max(branches, 1) { sum += FixedPoint.exponentialQ24(Draw.bits(bits, UInt64(branch))) }
    // 1000 lg (sum / branches), both in Q24.
    let logarithm = FixedPoint.log10Q24(UInt64(sum)) - FixedPoint.log10Q24(UInt64(max(branches, 1)) << 24)
    return Int32(clamping: (logarithm * 1000) >> 24)
  }
}
