public import Observing

/// Edits a whole number through a binding, digit by digit or step by step.
public struct NumberField {
  /// The number.
  public let value: Binding<Int>
  /// The least and the greatest number.
  public let range: ClosedRange<Int>

  /// A field over a number.
  public init(_ value: Binding<Int>, in range: ClosedRange<Int>) {
    self.value = value
    self.range = range
  }

  /// Takes a key; `false` where it is none for a number.
  ///
  /// A digit is added at the end, Backspace takes the last one away, `-` changes the sign; the arrows count by one,
  /// PgUp and PgDn by ten.
  public func handle(_ key: Key) -> Bool {
    let now = value.wrappedValue
    switch key {
    case .right, .character("+"): set(now + 1)
    case .left: set(now - 1)
    case .pageUp: set(now + 10)
    case .pageDown: set(now - 10)
    case .backspace, .delete: set(now / 10)
    case .control("u"): set(0)
    case .character("-"): set(-now)
    case .character(let character):
      guard let digit = character.wholeNumberValue, character.isASCII else { return false }
      let next = now * 10 + (now < 0 ? -digit : digit)
      if range.contains(next) { set(next) }
    default: return false
    }
    return true
  }

  private func set(_ wanted: Int) {
    let new = min(max(wanted, range.lowerBound), range.upperBound)
    if new != value.wrappedValue { value.wrappedValue = new }
  }
}
