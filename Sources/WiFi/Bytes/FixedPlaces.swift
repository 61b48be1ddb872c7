/// Numbers with a fixed number of places after the point.
package enum FixedPlaces {
  /// Such as `-0.5` for -0.5; rounded to `places`, at most 9, trailing zeros left out, never with an exponent.
  ///
  /// What is no number, or is beyond ±9 × 10⁹, is `0`.
  package static func text(_ value: Double, places: Int) -> String {
    guard value.isFinite, value.magnitude < 9e9 else { return "0" }
    let places = min(max(places, 0), 9)
    return text(units: Int64((value * Double(unit(places))).rounded()), places: places)
  }

  /// Such as `-53.25` for -5325 with two places, 1 to 9; trailing zeros are left out, unless all places are shown.
  package static func text(units: Int64, places: Int, showsAll: Bool = false) -> String {
    let unit = unit(places)
    let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: unit)
    var text = "\(units < 0 ? "-" : "")\(whole)"
    if rest > 0 || showsAll {
      var digits = String(rest + unit).dropFirst()
      while !showsAll, digits.last == "0" { digits.removeLast() }
      text += ".\(digits)"
    }
    return text
  }

  private static func unit(_ places: Int) -> UInt64 { (0..<places).reduce(1) { unit, _ in unit * 10 } }
}
