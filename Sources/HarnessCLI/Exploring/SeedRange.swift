/// A range of seeds as users type it: `0..<1000`, the same without quotes in a shell, `0..1000`, or `1000` for those
/// from 0 on.
struct SeedRange {
  let seeds: Range<UInt64>

  init?(_ text: String) {
    if let count = UInt64(text), count > 0 {
      seeds = 0..<count
      return
    }
    let separator = text.contains("..<") ? "..<" : ".."
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 2, let low = UInt64(parts[0]), let high = UInt64(parts[1]), low < high else { return nil }
    seeds = low..<high
  }
}
