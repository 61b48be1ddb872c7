import WiFi

/// A moment in UTC, in ns since the beginning of 1970, without leap seconds (POSIX time).
public struct UTCTime: Hashable, Sendable, Comparable {
  /// Nanoseconds since 1970-01-01 00:00:00.
  public var nanoseconds: Int64

  /// Makes a moment of its nanoseconds.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Makes a moment of its seconds since 1970.
  public init(seconds: Int64) { nanoseconds = seconds * 1_000_000_000 }

  /// Reads `yyyy-MM-dd HH:mm:ss` of the years 1970 to 2261; `nil` for anything else, such as the 30th of February.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 19 else { return nil }
    for (index, separator) in [(4, "-"), (7, "-"), (10, " "), (13, ":"), (16, ":")] where bytes[index] != separator.utf8.first {
      return nil
    }
    func number(_ range: Range<Int>) -> Int64? {
      bytes[range].reduce(Int64(0)) { value, byte in
        value.flatMap { (0x30...0x39).contains(byte) ? $0 * 10 + Int64(byte - 0x30) : nil }
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19),
      (1970...2261).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    self.init(seconds: (Self.day(year, month, day) * 24 + hour) * 3600 + minute * 60 + second)
    // A day that the month does not have is one of the next.
    guard description == text else { return nil }
  }

  /// The days from 1970-01-01 to a day of the Gregorian calendar.
  ///
  /// Counted in years that begin in March, so that the leap day is the last.
  static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }

  /// The moment some time later; the last one there is where it is beyond that.
  public func advanced(by duration: Duration) -> UTCTime {
    let (sum, isBeyond) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    return UTCTime(nanoseconds: isBeyond ? duration < .zero ? -(1 << 62) : .max : sum)
  }

  /// The moment, or `nil` for the beginning of 1970 itself: what counts from there and has no time stands there.
  package var known: UTCTime? { nanoseconds == 0 ? nil : self }

  /// Orders the earlier first.
  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// As ISO 8601 with milliseconds, such as `2026-11-21T04:58:25.250Z`.
  public var iso8601: String {
    let milliseconds = (nanoseconds % 1_000_000_000 + 1_000_000_000) % 1_000_000_000 / 1_000_000
    let text = description.replacing(" ", with: "T")
    return "\(text).\(milliseconds < 10 ? "00" : milliseconds < 100 ? "0" : "")\(milliseconds)Z"
  }

  /// The same in a time zone so far east of UTC, such as `2026-11-22T11:00:00.000+01:00`.
  public func iso8601(minutesEast: Int) -> String {
    let size = abs(minutesEast)
    let offset = [size / 60, size % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
    return advanced(by: .seconds(minutesEast * 60)).iso8601.dropLast() + (minutesEast < 0 ? "-" : "+") + offset
  }
}

extension UTCTime: CustomStringConvertible {
  /// Such as `2026-11-21 04:58:25`, without parts of a second.
  public var description: String {
    let seconds = nanoseconds.flooredDivision(by: 1_000_000_000)
    let day = seconds.flooredDivision(by: 86_400)
    let second = seconds - day * 86_400
    // Back from days to the calendar, in eras of 400 years that begin in March.
    let fromMarch = day + 719_468
    let era = fromMarch.flooredDivision(by: 146_097)
    let dayOfEra = fromMarch - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(year)-\(two(month))-\(two(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)) "
      + "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
  }
}

extension Int64 {
  /// The quotient rounded down; nothing is subtracted that would go beyond 64 bits.
  func flooredDivision(by divisor: Int64) -> Int64 { self / divisor - (self % divisor < 0 ? 1 : 0) }
}
