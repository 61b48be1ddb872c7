/// Numbers with a fixed number of places after the point.
package enum FixedPoint {
  /// Such as `-0.5` for -0.5; rounded to `places`, at most 9, trailing zeros left out, never with an exponent.
  ///
  /// What is no number, or is beyond ±9 × 10⁹, is `0`.
  package static func text(_ value: Double, places: Int) -> String {
    guard value.isFinite, value.magnitude < 9e9 else { return "0" }
    let unit = (0..<min(max(places, 0), 9)).reduce(Int64(1)) { unit, _ in unit * 10 }
    let scaled = Int64((value * Double(unit)).rounded())
    let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(unit))
    var text = "\(scaled < 0 ? "-" : "")\(whole)"
    if rest > 0 {
      var digits = String(rest + UInt64(unit)).dropFirst()
      while digits.last == "0" { digits.removeLast() }
      text += ".\(digits)"
    }
    return text
  }
}
