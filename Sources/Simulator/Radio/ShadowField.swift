import Determinism

/// The shadowing between one access point and a station, as a function of where the station is.
///
/// A Gaussian field of mean 0 and variance 1 whose correlation is e^(−distance / decorrelation): a sum of waves of
/// random direction, of a length drawn from the spectrum of that correlation, and of normal amplitudes (Shinozuka and
/// Jan, 1972). Over all access points the field is exactly normal and exactly so correlated, whatever the number of
/// waves.
struct ShadowField {
  private struct Wave {
    /// Turns of 2³² for each cm to the east and to the north, in Q8.
    var east: Int64
    var north: Int64
    /// The amplitudes of cosine and sine in Q16.
    var cosine: Int64
    var sine: Int64
  }

  private let waves: [Wave]

  static let waveCount = 8

  /// The field of a key; `decorrelationCm` is the distance over which the correlation falls to 1/e.
  init(key: UInt64, decorrelationCm: Int64) {
    var waves: [Wave] = []
    waves.reserveCapacity(Self.waveCount)
    for index in 0..<UInt64(Self.waveCount) {
      let key = Draw.bits(key, index)
      // The spectrum in the plane falls as (1 + (k d)²)^(−3/2): k d = √(u⁻² − 1), in Q16, cut off at 4096.
      let uniform = max(Draw.bits(key, 0) >> 40, 4096)
      let inverse = (1 << 40) / uniform
      let wavenumber = Int64(FixedPoint.squareRoot(inverse * inverse - 1 << 32))
      // 2³² turns / 2π for each radian: 683,565,276; in Q8 for each cm.
      let perCm = (wavenumber * 683_565_276 / decorrelationCm) >> 8
      let direction = UInt32(truncatingIfNeeded: Draw.bits(key, 1))
      waves.append(
        Wave(
          east: perCm.multipliedQ30(FixedPoint.cosineQ30(turn: direction)),
          north: perCm.multipliedQ30(FixedPoint.sineQ30(turn: direction)),
          cosine: FixedPoint.normalQ16(Draw.bits(key, 2)), sine: FixedPoint.normalQ16(Draw.bits(key, 3))))
    }
    self.waves = waves
  }

  func valueQ16(at position: Position) -> Int64 {
    var sum: Int64 = 0
    for wave in waves {
      let phase = wave.east &* Int64(position.x) &+ wave.north &* Int64(position.y)
      let turn = UInt32(truncatingIfNeeded: phase >> 8)
      sum += (wave.cosine * FixedPoint.cosineQ30(turn: turn) + wave.sine * FixedPoint.sineQ30(turn: turn)) >> 30
    }
    // Divided by √8, in Q16: 23,170.
    return (sum * 23_170) >> 16
  }
}

extension Int64 {
  fileprivate func multipliedQ30(_ factor: Int64) -> Int64 {
    let product = multipliedFullWidth(by: factor)
    return product.high << 34 | Int64(product.low >> 30)
  }
}
