import WiFi

/// The round moments on an axis of time, and what they are called.
struct PlotTicks {
  /// The moments, counted from the start.
  let moments: [(time: Duration, label: String)]

  private static let stepsInSeconds: [Int64] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
  ]

  /// At most `count` moments between the start and the end: in UTC where that is known, else counted from the start.
  init(start: UTCTime?, end: Duration, count: Int) {
    let seconds = max(end.wholeNanoseconds / 1_000_000_000, 1)
    let step =
      Self.stepsInSeconds.first { seconds / $0 < Int64(max(count, 1)) } ?? 604_800 * (seconds / (604_800 * Int64(max(count, 1))) + 1)
    var moments: [(Duration, String)] = []
    if let start {
      let first = start.nanoseconds / 1_000_000_000
      // The first round moment that is not before the start.
      var moment = (max(start.nanoseconds, Int64.min + 1) - 1).flooredDivision(by: step * 1_000_000_000) + 1
      // A recording may begin where the times of 64 bits end.
      let last = Int64.max / 1_000_000_000
      while moment * step - first <= seconds, moment * step <= last {
        let text = "\(UTCTime(seconds: moment * step))"
        let label = step >= 86_400 ? String(text.dropFirst(5).prefix(5)) : String(text.dropFirst(11).prefix(step < 60 ? 8 : 5))
        moments.append((.seconds(moment * step) - .nanoseconds(start.nanoseconds), label))
        moment += 1
      }
    } else {
      for moment in stride(from: 0, through: seconds, by: Int64.Stride(step)) { moments.append((.seconds(moment), Self.text(moment))) }
    }
    self.moments = moments
  }

  /// A time since the start, such as `90 s`, `10 min` or `6 h`.
  static func text(_ seconds: Int64) -> String {
    if seconds == 0 { return "0" }
    if seconds % 3600 == 0 { return "\(seconds / 3600) h" }
    return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
  }
}
