/// Virtual times as text.
package enum VirtualTime {
  /// Seconds with as many decimals as there are, such as `1.5 s`.
  package static func text(_ time: Duration) -> String { "\(seconds(time)) s" }

  /// Seconds with as many decimals as there are, at least `minimum`, such as `1.500`.
  package static func seconds(_ time: Duration, minimumDecimals minimum: Int = 0) -> String {
    // Not `components`, which traps beyond 64 bits of seconds.
    let (seconds, attoseconds) = time.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
    if seconds >= 0, attoseconds >= 0, attoseconds % 1_000_000_000_000_000 == 0, minimum == 3 {
      // Whole milliseconds, as nearly always in a trace.
      let milliseconds = attoseconds / 1_000_000_000_000_000
      return "\(seconds).\(milliseconds < 10 ? "00" : milliseconds < 100 ? "0" : "")\(milliseconds)"
    }
    let isNegative = seconds < 0 || attoseconds < 0
    var decimals = String(attoseconds.magnitude)
    decimals = String(repeating: "0", count: 18 - decimals.count) + decimals
    while decimals.count > minimum, decimals.last == "0" { decimals.removeLast() }
    return (isNegative ? "-" : "") + String(seconds.magnitude) + (decimals.isEmpty ? "" : "." + decimals)
  }
}
