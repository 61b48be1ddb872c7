/// Elementary functions of floating point for reports: made of the four operations alone, so that they are the same
/// everywhere.
package enum Elementary {
  static let ln2 = 0.693_147_180_559_945_309

  package static func exp(_ x: Double) -> Double {
    if x < -745 { return 0 }
    if x > 709 { return .infinity }
    let power = (x / ln2).rounded()
    let rest = x - power * ln2
    var (term, sum) = (1.0, 1.0)
    for index in 1...18 {
      term *= rest / Double(index)
      sum += term
    }
    return Double(sign: .plus, exponent: Int(power), significand: sum)
  }

  package static func log(_ x: Double) -> Double {
    precondition(x > 0, "Elementary: the logarithm of \(x)")
    var (mantissa, exponent) = (x.significand, Double(x.exponent))
    if mantissa > 1.414_213_562_373_095 {
      mantissa /= 2
      exponent += 1
    }
    let ratio = (mantissa - 1) / (mantissa + 1)
    var (power, sum) = (ratio, ratio)
    for index in stride(from: 3.0, through: 31, by: 2) {
      power *= ratio * ratio
      sum += power / index
    }
    return exponent * ln2 + 2 * sum
  }

  package static func log10(_ x: Double) -> Double { log(x) / 2.302_585_092_994_045_68 }

  package static func atanh(_ x: Double) -> Double { 0.5 * log((1 + x) / (1 - x)) }

  /// The share of the standard normal distribution beyond ±`z`.
  package static func twoSided(_ z: Double) -> Double { regularizedGammaQ(0.5, z * z / 2) }

  /// The share of the χ² distribution above `x`.
  package static func chiSquaredAbove(_ x: Double, degrees: Int) -> Double { regularizedGammaQ(Double(degrees) / 2, x / 2) }

  /// Q(a, x) = Γ(a, x) / Γ(a), by series or by continued fraction (Lentz).
  static func regularizedGammaQ(_ a: Double, _ x: Double) -> Double {
    if x <= 0 { return 1 }
    let factor = exp(-x + a * log(x) - logGamma(a))
    if x < a + 1 {
      var (term, sum, n) = (1 / a, 1 / a, a)
      for _ in 0..<1000 {
        n += 1
        term *= x / n
        sum += term
        if term < sum * 1e-15 { break }
      }
      return max(1 - sum * factor, 0)
    }
    var b = x + 1 - a
    var c = 1e300
    var d = 1 / b
    var h = d
    for index in 1..<1000 {
      let an = -Double(index) * (Double(index) - a)
      b += 2
      d = 1 / (an * d + b)
      c = b + an / c
      h *= d * c
      if (d * c - 1).magnitude < 1e-15 { break }
    }
    return factor * h
  }

  /// ln Γ(x), by Stirling's series behind the recurrence.
  static func logGamma(_ x: Double) -> Double {
    var (x, shift) = (x, 0.0)
    while x < 10 {
      shift -= log(x)
      x += 1
    }
    let inverse = 1 / (x * x)
    let series = (1.0 / 12 - inverse * (1.0 / 360 - inverse * (1.0 / 1260 - inverse / 1680))) / x
    return shift + (x - 0.5) * log(x) - x + 0.918_938_533_204_672_742 + series
  }
}
