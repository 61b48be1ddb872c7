import Models
import ScanTools

/// The time since boot, and how it is shown as time of day.
enum LiveTime {
  /// The time now since boot, and a style whose midnight is the last one of the local time zone.
  static func now() -> (now: Duration, style: TimeStyle) {
    let now = StandardStreams.bootTime() ?? .nanoseconds(StandardStreams.nanoseconds(of: CLOCK_MONOTONIC))
    var seconds = time_t()
    _ = unsafe time(&seconds)
    var parts = unsafe tm()
    unsafe localtime_r(&seconds, &parts)
    let sinceMidnight = unsafe Int64(parts.tm_hour) * 3600 + Int64(parts.tm_min) * 60 + Int64(parts.tm_sec)
    return (now, TimeStyle(midnight: now - .seconds(sinceMidnight)))
  }

  /// The date of a time since boot by the clock of the machine, which may be set meanwhile; `nil` where it is unknown.
  static func utc(at time: Duration) -> UTCTime? {
    StandardStreams.bootTime().flatMap { StandardStreams.now().advanced(by: time - $0).known }
  }

  /// A moment as ISO 8601 has it, in the local time zone with its offset from UTC.
  static func iso8601(_ moment: UTCTime) -> String {
    var seconds = time_t(moment.nanoseconds / 1_000_000_000)
    var parts = unsafe tm()
    unsafe localtime_r(&seconds, &parts)
    return moment.iso8601(minutesEast: unsafe Int(parts.tm_gmtoff) / 60)
  }

  /// Holds up the thread that long.
  static func wait(_ time: Duration) {
    guard time > .zero else { return }
    var rest = timespec(tv_sec: Int(time.components.seconds), tv_nsec: Int(time.components.attoseconds / 1_000_000_000))
    var left = timespec()
    while unsafe nanosleep(&rest, &left) != 0, errno == EINTR { rest = left }
  }
}
