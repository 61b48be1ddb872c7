/// A range of seeds as users type it: `0..<1000`, the same without quotes in a shell, `0..1000`, or `1000` for those
/// from 0 on.
struct SeedRange {
  /// Why a text is no range, as a sentence.
  struct Problem: Error { var sentence: String }

  /// The most seeds of one exploration, which would take centuries.
  static let most: UInt64 = 1_000_000_000_000

  let seeds: Range<UInt64>

  init(_ text: String) throws(Problem) {
    if text == "0" { throw Problem(sentence: "no seed would be run; give a number such as 10000.") }
    if let count = UInt64(text) {
      seeds = 0..<count
    } else {
      let separator = text.contains("..<") ? "..<" : ".."
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      guard parts.count == 2, let low = UInt64(parts[0]), let high = UInt64(parts[1]) else {
        throw Problem(sentence: "give a number such as 10000, or a range such as 0..10000, whose end is not run.")
      }
      if low == high {
        throw Problem(sentence: "the range is empty, as its end is not run; give one such as \(Self.around(low)).")
      }
      if low > high { throw Problem(sentence: "the range is reversed; the lower seed comes first: \(high)..\(low).") }
      seeds = low..<high
    }
    guard seeds.upperBound - seeds.lowerBound <= Self.most else {
      throw Problem(
        sentence: "\(seeds.upperBound - seeds.lowerBound) seeds are more than the \(Self.most) that one exploration may have; "
          + "give a smaller range, whose shares --shard runs side by side.")
    }
  }

  /// A range of one seed: this one, or the last that a range can have.
  private static func around(_ seed: UInt64) -> String { seed < .max ? "\(seed)..\(seed + 1)" : "\(seed - 1)..\(seed)" }
}
