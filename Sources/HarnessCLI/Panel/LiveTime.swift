import Models

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The time since boot, and how it is told as time of day.
enum LiveTime {
  /// The time now since boot, and a style whose midnight is the last one of the local time zone.
  static func now() -> (now: Duration, style: TimeStyle) {
    var boot = timespec()
    #if os(Linux)
      _ = unsafe clock_gettime(CLOCK_BOOTTIME, &boot)
    #else
      _ = unsafe clock_gettime(CLOCK_MONOTONIC, &boot)
    #endif
    let now = Duration.seconds(Int64(boot.tv_sec)) + .nanoseconds(Int64(boot.tv_nsec))
    var seconds = time_t()
    _ = unsafe time(&seconds)
    var parts = unsafe tm()
    unsafe localtime_r(&seconds, &parts)
    let sinceMidnight = unsafe Int64(parts.tm_hour) * 3600 + Int64(parts.tm_min) * 60 + Int64(parts.tm_sec)
    return (now, TimeStyle(midnight: now - .seconds(sinceMidnight)))
  }
}
