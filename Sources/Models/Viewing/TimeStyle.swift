import WiFi

/// How a viewer shows times: as time of day, or since an origin.
public struct TimeStyle: Hashable, Sendable {
  /// The time since boot that counts as zero.
  public var origin: Duration
  /// Whether times since ``origin`` are times of day.
  public var isTimeOfDay: Bool

  /// Shows times since `origin`.
  public init(since origin: Duration = .zero) {
    self.origin = origin
    isTimeOfDay = false
  }

  /// Shows times of day, where the last midnight was at `midnight`, as time since boot; it may lie before the boot.
  public init(midnight: Duration) {
    origin = midnight
    isTimeOfDay = true
  }

  /// The style of the same clock as it is read now, where that was set since, or changed to summer time or back.
  ///
  /// Two looks at one clock differ by up to a second, and by days; then it is this one.
  package func following(_ now: TimeStyle) -> TimeStyle {
    let day: UInt = 86_400_000
    let difference = (now.origin - origin).wholeMilliseconds.magnitude % day
    return min(difference, day - difference) < 2000 ? self : now
  }

  /// Such as `12:04:31`, or `+37.1 s`, and from an hour on `+1:02:03`.
  public func text(_ time: Duration) -> String {
    let milliseconds = (time - origin).wholeMilliseconds
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    guard isTimeOfDay else {
      let sign = milliseconds < 0 ? "−" : "+"
      let tenths = Int(milliseconds.magnitude / 100)
      let seconds = tenths / 10
      if seconds < 3600 { return "\(sign)\(seconds).\(tenths % 10) s" }
      return "\(sign)\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
    let day = 86_400
    let seconds = ((milliseconds / 1000) % day + day) % day
    return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  /// How long ago something was, such as `2 s ago` or `now`.
  public static func age(_ duration: Duration) -> String {
    switch duration.components.seconds {
    case ..<1: "now"
    case let seconds where seconds < 60: "\(seconds) s ago"
    case let seconds where seconds < 3600: "\(seconds / 60) min ago"
    case let seconds: "\(seconds / 3600) h ago"
    }
  }
}
